"""The public verdicts format: JSONL or CSV to VerdictRecord rows. Knows neither Django nor the network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from annotation.errors import InputFileError, Problem
from annotation.records import Oddity
from judging.formats import verdict_cells as cells
from judging.formats.verdict_rows import iterate_rows
from judging.records import OUTCOMES, PHASES, SOURCES, WINNERS, ComparisonKey, VerdictRecord

#: Problems told in full; the rest are counted.
PROBLEMS_SHOWN = 50

_REQUIRED = ("pair_id", "judge", "protocol", "outcome")
_TEXTS = (
    "pair_id", "judge", "protocol", "protocol_version", "level", "paraphrase", "probe", "cue_favours", "attack",
    "attacked_role", "shown_as_a", "reason", "rationale", "model_returned", "snapshot", "called_at",
)  # fmt: skip
_OTHERS: dict[str, Callable[[Any], Any]] = {
    "outcome": lambda value: cells.word(value, OUTCOMES),
    "winner": lambda value: cells.word(value, WINNERS),
    "phase": lambda value: cells.word(value, PHASES, default="only"),
    "source": lambda value: cells.word(value, SOURCES),
    "offered": cells.labels,
    "cue": cells.texts_by_role,
    "scores": cells.numbers_by_role,
    "repeat": lambda value: cells.count(value, default=0),
    "n_calls": cells.count,
    "prompt_tokens": cells.count,
    "completion_tokens": cells.count,
    "usd": cells.amount,
    "latency_ms": cells.amount,
}
FIELDS = frozenset(_TEXTS) | frozenset(_OTHERS)


def read_verdicts(path: str | Path) -> Iterator[VerdictRecord | Oddity]:
    """Yield the verdicts of a .jsonl or .csv file, with an Oddity for each thing kept but worth telling.

    The whole file is read before it is refused, so that every problem is told at once: InputFileError is
    raised after the last row, and whoever stores rows must store none until the iterator ends. Two rows
    for one comparison and phase are a problem. Whether the pair ids and roles exist is the caller's to check.
    """
    path = Path(path)
    problems: list[Problem] = []
    first_rows: dict[ComparisonKey, int] = {}
    told: set[str] = set()
    for row, raw in iterate_rows(path):
        if isinstance(raw, Problem):
            problems.append(raw)
            continue
        record, found, oddities = _read_row(str(path), row, raw)
        problems.extend(found)
        for oddity in oddities:
            if oddity.code not in told:
                told.add(oddity.code)
                yield oddity
        if record is None:
            continue
        earlier = first_rows.setdefault(record.comparison_key(), row)
        if earlier == row:
            yield record
        else:
            problems.append(_duplicate(str(path), row, record, earlier))
    if not problems and not first_rows:
        problems.append(Problem(str(path), None, "file", "holds no verdict.", "Give a file with rows."))
    if problems:
        raise InputFileError(problems[:PROBLEMS_SHOWN], more=max(0, len(problems) - PROBLEMS_SHOWN))


def _read_row(
    file: str, row: int, raw: dict[str, Any]
) -> tuple[VerdictRecord | None, list[Problem], list[Oddity]]:
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    oddities: list[Oddity] = []
    for name, value in raw.items():
        if name not in FIELDS:
            oddities.append(Oddity(f"unknown_field:{name}", f"The field {name} is not of the format.", row))
            continue
        try:
            if name in _OTHERS:
                values[name] = _OTHERS[name](value)
                continue
            values[name], converted = cells.text(value)
            if converted:
                oddities.append(Oddity(f"made_text:{name}", f"A {name} that was no text became text.", row))
        except cells.BadCell as bad:
            problems.append(Problem(file, row, name, bad.message, bad.remedy))
    if not problems:
        problems = list(_rule_problems(file, row, values))
    return (None if problems else VerdictRecord(row=row, **values)), problems, oddities


def _rule_problems(file: str, row: int, values: dict[str, Any]) -> Iterator[Problem]:
    for name in _REQUIRED:
        if not values.get(name):
            yield Problem(file, row, name, "is missing.", "Every verdict needs it.")
    outcome, winner = values.get("outcome"), values.get("winner", "")
    if outcome == "decided" and not winner:
        yield Problem(file, row, "winner", "is empty though the outcome is decided.", "Write A, B or Tie.")
    if outcome and outcome != "decided" and winner:
        remedy = "Leave the winner empty, or write decided."
        yield Problem(file, row, "winner", f"is {winner} though the outcome is {outcome}.", remedy)
    offered = values.get("offered", ())
    if winner and offered and winner not in offered:
        remedy = "A reply outside the labels offered is unparsed."
        yield Problem(file, row, "winner", f"is {winner}, which was not offered.", remedy)


def _duplicate(file: str, row: int, record: VerdictRecord, earlier: int) -> Problem:
    message = (
        f"{record.pair_id!r} has the same comparison ({record.judge}, {record.protocol}, order "
        f"{record.shown_as_a or 'combined'}, repeat {record.repeat}, phase {record.phase}) as row {earlier}."
    )
    return Problem(file, row, "pair_id", message, "Number repeats in the repeat column, or remove one row.")
