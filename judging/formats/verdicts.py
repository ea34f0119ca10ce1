"""The public verdicts format to VerdictRecord rows. Knows neither Django nor the network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from annotation.formats.problems import ProblemLog
from annotation.formats.source import open_source
from annotation.formats.tabular import Row, rows
from annotation.records import Oddity
from judging.formats import verdict_cells as cells
from judging.records import OUTCOMES, PHASES, SOURCES, WINNERS, ComparisonKey, VerdictRecord

_REQUIRED = ("pair_id", "judge", "protocol", "outcome")
_TEXTS = frozenset(
    {"pair_id", "judge", "protocol", "protocol_version", "level", "paraphrase", "probe", "cue_favours"}
    | {"attack", "attacked_role", "shown_as_a", "reason", "rationale", "model_returned", "snapshot", "called_at"}
)
_OTHERS: dict[str, Callable[[Any], Any]] = {
    "outcome": lambda value: cells.word(value, OUTCOMES),
    "winner": lambda value: cells.word(value, WINNERS),
    "phase": lambda value: cells.word(value, PHASES, default="only"),
    "source": lambda value: cells.word(value, SOURCES),
    "offered": cells.labels,
    "cue": cells.texts_by_role,
    "scores": cells.numbers_by_role,
    "repeat": lambda value: cells.count(value) or 0,
    "n_calls": cells.count,
    "prompt_tokens": cells.count,
    "completion_tokens": cells.count,
    "usd": cells.amount,
    "latency_ms": cells.amount,
}
FIELDS = _TEXTS | frozenset(_OTHERS)


def read_verdicts(path: str | Path) -> Iterator[VerdictRecord | Oddity]:
    """Yield the verdicts of a JSONL or CSV file, with an Oddity for each kind of thing worth telling.

    The whole file is read before it is refused, so that every problem is told at once: InputFileError is
    raised after the last row, and whoever stores rows must store none until the iterator ends. Two rows
    for one comparison and phase are a problem. Whether the pair ids and roles exist is the caller's to check.
    """
    source = open_source(path)
    log = source.problems
    first_rows: dict[ComparisonKey, int] = {}
    told: set[str] = set()
    for row in rows(source):
        record, oddities = _read_row(row, log)
        for oddity in oddities:
            if oddity.code not in told:
                told.add(oddity.code)
                yield oddity
        if record is None:
            continue
        earlier = first_rows.setdefault(record.comparison_key(), row.number)
        if earlier == row.number:
            yield record
        else:
            _note_duplicate(log, record, earlier)
    if not log.total and not first_rows:
        log.add(None, "file", "holds no verdict.", "Give a file with rows.")
    log.raise_if_any()


def _read_row(row: Row, log: ProblemLog) -> tuple[VerdictRecord | None, list[Oddity]]:
    values: dict[str, Any] = {}
    oddities: list[Oddity] = []
    before = log.total
    for name, value in row.cells.items():
        if name not in FIELDS:
            message = f"The field {name} is not of the verdicts format and was passed over."
            oddities.append(Oddity(f"unknown_field:{name}", message, row.number))
            continue
        try:
            if name in _OTHERS:
                values[name] = _OTHERS[name](value)
                continue
            values[name], converted = cells.text(value)
            if converted:
                message = f"A {name} that was a number or a boolean became text."
                oddities.append(Oddity(f"made_text:{name}", message, row.number))
        except cells.BadCell as bad:
            log.add(row.number, name, bad.message, bad.remedy)
    if log.total == before:
        _check_rules(row.number, values, log)
    return (VerdictRecord(row=row.number, **values) if log.total == before else None), oddities


def _check_rules(row: int, values: dict[str, Any], log: ProblemLog) -> None:
    for name in _REQUIRED:
        if not values.get(name):
            log.add(row, name, "is missing.", "Every verdict needs it.")
    outcome, winner = values.get("outcome"), values.get("winner", "")
    if outcome == "decided" and not winner:
        log.add(row, "winner", "is empty though the outcome is decided.", "Write A, B or Tie.")
    if outcome and outcome != "decided" and winner:
        remedy = "Leave the winner empty, or write decided."
        log.add(row, "winner", f"is {winner} though the outcome is {outcome}.", remedy)
    offered = values.get("offered", ())
    if winner and offered and winner not in offered:
        remedy = "A reply outside the labels offered is unparsed."
        log.add(row, "winner", f"is {winner}, which was not offered.", remedy)


def _note_duplicate(log: ProblemLog, record: VerdictRecord, earlier: int) -> None:
    message = (
        f"{record.pair_id!r} has the same comparison ({record.judge}, {record.protocol}, order "
        f"{record.shown_as_a or 'combined'}, repeat {record.repeat}, phase {record.phase}) as row {earlier}."
    )
    log.add(record.row, "pair_id", message, "Number repeats in the repeat column, or remove one row.")
