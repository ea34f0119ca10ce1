"""The rows of a verdicts file against the study they are for: which pair, which order, and what cannot be stored."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.dateparse import parse_date, parse_datetime

from annotation.errors import InputFileError, Problem
from annotation.models import Pair, Study
from judging.records import VerdictRecord

MOST_PROBLEMS = 50
#: What the columns hold, by the field that fills them; the longest text a field may have.
LONGEST = {
    "judge": 200, "protocol": 60, "protocol_version": 24, "level": 40, "paraphrase": 40, "probe": 24, "attack": 24,
    "attacked_role": 60, "cue_favours": 60, "reason": 60,
}  # fmt: skip
GREATEST = {
    "repeat": 32_767, "n_calls": 32_767, "prompt_tokens": 2**31 - 1, "completion_tokens": 2**31 - 1,
    "latency_ms": 2**31 - 1, "usd": 9e9,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """A checked record: its pair, the number of the role shown as A (0: both orders), and when it was called."""

    record: VerdictRecord
    pair_pk: int
    order: int
    called_at: dt.datetime | None


def checked_rows(records: Sequence[VerdictRecord], *, study: Study, file_name: str) -> list[VerdictRow]:
    pairs = {
        pair_id: (pk, role_1, role_2)
        for pair_id, pk, role_1, role_2 in Pair.objects.filter(study=study)
        .order_by()
        .values_list("pair_id", "pk", "role_1", "role_2")
    }
    rows, problems = [], []
    for record in records:
        pair = pairs.get(record.pair_id)
        wrong = list(_wrong(record, pair[1:] if pair else None))
        problems += [Problem(file_name, record.row, *each) for each in wrong]
        if pair and not wrong:
            pk, *roles = pair
            order = roles.index(record.shown_as_a) + 1 if record.shown_as_a else 0
            rows.append(VerdictRow(record, pk, order, _moment(record.called_at)))
    refuse(problems)
    return rows


def _wrong(record: VerdictRecord, roles: tuple[str, str] | None) -> Iterator[tuple[str, str, str]]:
    """(field, what is wrong, what to do) for everything that cannot be stored of a record."""
    if roles is None:
        yield "pair_id", f"{record.pair_id!r} is no pair of this study.", "Import the pairs first."
        return
    for name in ("shown_as_a", "attacked_role", "cue_favours"):
        value = getattr(record, name)
        if value and value not in roles:
            yield name, f"is {value!r}; the pair's roles are {roles[0]} and {roles[1]}.", "Write one of them."
    for name, longest in LONGEST.items():
        if len(getattr(record, name)) > longest:
            yield name, f"is longer than {longest} characters.", "Shorten it."
    for name, greatest in GREATEST.items():
        value = getattr(record, name)
        if value is not None and value > greatest:
            yield name, f"is {value}, more than {greatest:g}.", "Correct it, or leave it empty."
    if record.called_at and _moment(record.called_at) is None:
        yield "called_at", f"is {record.called_at!r}, no moment.", "Write it like 2026-05-01T12:00:00Z."
    if record.attacked_role and not record.attack:
        yield "attacked_role", "is given without an attack.", "Name the attack, or leave the role empty."


def _moment(text: str) -> dt.datetime | None:
    """A moment, or midnight of a date; taken as UTC where it does not say."""
    try:
        moment = parse_datetime(text)
        if moment is None:
            day = parse_date(text)
            moment = dt.datetime(day.year, day.month, day.day) if day else None
    except ValueError:
        return None
    if moment is not None and moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    return moment


def refuse(problems: Sequence[Problem]) -> None:
    if problems:
        raise InputFileError(problems[:MOST_PROBLEMS], more=max(0, len(problems) - MOST_PROBLEMS))
