"""One comparison may stand in a file once: a second row is a problem, or a repeat that gets the next number."""

from __future__ import annotations

from dataclasses import replace

from annotation.formats.problems import ProblemLog
from annotation.formats.seen import Seen
from annotation.records import Oddity
from judging.formats.registry import VerdictRows
from judging.records import VerdictRecord


def refuse_repeats(records: VerdictRows, log: ProblemLog) -> VerdictRows:
    """The records without those whose comparison stood in an earlier row; those become problems naming both rows."""
    seen = Seen()
    try:
        for record in records:
            if not isinstance(record, VerdictRecord):
                yield record
                continue
            earlier = seen.earlier(record.row, *_key(record))
            if earlier is None:
                yield record
            else:
                _note(log, record, earlier)
    finally:
        seen.close()


def number_repeats(records: VerdictRows) -> VerdictRows:
    """The records with ``repeat`` counted on where a comparison occurs again, which is told."""
    seen = Seen()
    try:
        for record in records:
            if isinstance(record, VerdictRecord):
                first = record.repeat
                while seen.earlier(record.row, *_key(record)) is not None:
                    record = replace(record, repeat=record.repeat + 1)
                if record.repeat > first:
                    message = f"{record.pair_id}: {record.judge} judged it again in the same order; kept as a repeat."
                    yield Oddity("judged_again", message, record.row, record.pair_id)
            yield record
    finally:
        seen.close()


def _key(record: VerdictRecord) -> tuple[str, ...]:
    return tuple(map(str, record.comparison_key()))


def _note(log: ProblemLog, record: VerdictRecord, earlier: int) -> None:
    message = (
        f"{record.pair_id!r} has the same comparison ({record.judge}, {record.protocol}, order "
        f"{record.shown_as_a or 'combined'}, repeat {record.repeat}, phase {record.phase}) as row {earlier}."
    )
    log.add(record.row, "pair_id", message, "Number repeats in the repeat column, or remove one row.")
