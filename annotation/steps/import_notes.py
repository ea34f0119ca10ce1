"""What an import's report says of what was left out or odd: the first by name, all by number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from annotation.errors import InputFileError
from annotation.models import ImportReport
from annotation.records import Excluded, Oddity, PairRecord

#: How many exclusions and oddities a report keeps by name; the counts are always whole.
KEPT_BY_NAME = 1_000


def note(report: ImportReport, record: Excluded | Oddity) -> None:
    """Count what was left out or odd, and name it while there is room."""
    if isinstance(record, Excluded):
        report.n_excluded += 1
        named = report.excluded
    else:
        report.oddity_counts[record.code] = report.oddity_counts.get(record.code, 0) + 1
        named = report.oddities
    if len(named) < KEPT_BY_NAME:
        named.append(asdict(record))


def pairs_alone(records: Iterator[PairRecord | Excluded | Oddity], report: ImportReport) -> Iterator[PairRecord]:
    """The pairs of what a reader or a recipe yields; the rest is noted, and rows are counted."""
    for record in records:
        if isinstance(record, PairRecord):
            report.rows_read += 1
            yield record
        else:
            report.rows_read += isinstance(record, Excluded)
            note(report, record)


def as_report(outcome: ImportReport | InputFileError) -> dict[str, Any]:
    """What became of a file as plain values, the same for one taken in and one refused.

    ``refused`` lists {file, row, field, message, remedy} of the first problems and ``n_refused`` counts them all; a
    file with one of them was not taken at all.
    """
    if isinstance(outcome, InputFileError):
        refused = [asdict(problem) for problem in outcome.problems]
        return {"taken": False, "refused": refused, "n_refused": len(refused) + outcome.more}
    return {
        "taken": True, "file": outcome.file_name, "format": outcome.file_format, "sha256": outcome.sha256,
        "into": outcome.into, "rows_read": outcome.rows_read, "rows_kept": outcome.rows_kept,
        "excluded": outcome.excluded, "n_excluded": outcome.n_excluded, "oddities": outcome.oddities,
        "oddity_counts": outcome.oddity_counts, "detail": outcome.detail, "refused": [], "n_refused": 0,
    }  # fmt: skip
