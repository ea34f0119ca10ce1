"""The public verdicts format to VerdictRecord rows. Knows neither Django nor the network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotation.formats.problems import ProblemLog
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import Row, rows
from annotation.records import Oddity
from judging.formats import verdict_cells as cells
from judging.formats.registry import VerdictFormat, VerdictRows
from judging.records import OUTCOMES, PHASES, SOURCES, WINNERS, VerdictRecord

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


def read(source: Source) -> VerdictRows:
    """Every verdict of a JSONL or CSV file in the public format (docs/formats.md)."""
    for row in rows(source):
        record, oddities = _read_row(row, source.problems)
        yield from oddities
        if record is not None:
            yield record


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


def _recognises(sample: Sample) -> bool:
    return not sample.names.isdisjoint({"pair_id", "protocol", "outcome"})


FORMAT = VerdictFormat(
    name="verdicts", words="The public verdicts format", recognises=_recognises, read=read, foreign=False
)
