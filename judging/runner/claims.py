"""Taking comparisons to work on, keeping hold of them, giving them back, and taking over what the dead left."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import Max, Q
from django.utils import timezone

from annotation.models import Pair
from judging import bulk
from judging.enums import AttemptState, ComparisonState
from judging.models import Attempt, Comparison, Reading, Run
from judging.runner.workers import is_gone

#: How long a claim holds without being renewed; renewed three times as often.
LEASE = dt.timedelta(seconds=60)

_OPEN = (
    "SELECT wanted.id, comparison.id FROM judging_runcomparison wanted"
    " JOIN judging_comparison comparison ON comparison.id = wanted.comparison_id"
    " WHERE wanted.run_id = %s AND wanted.id > %s AND comparison.state = %s ORDER BY wanted.id LIMIT %s"
)
_HELD = "SELECT id FROM judging_comparison WHERE claimed_by = %s AND state = %s AND id IN ({in}) ORDER BY id"


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claimed comparison's row, its pair, and the numbers its readings have reached by phase."""

    comparison_id: int
    condition_id: int
    pair: Pair
    order: int
    repeat: int
    cue_favours: str
    numbers: Mapping[str, int]


def claim(*, run: Run, worker: str, limit: int, after: int) -> tuple[list[Claimed], int]:
    """Claim up to ``limit`` of the run's open comparisons planned after the row ``after``; and the last row's id.

    What another worker holds is passed over. Nothing claimed and the same id back means that the end was reached.
    """
    lock = " FOR UPDATE OF comparison SKIP LOCKED" if connection.vendor == "postgresql" else ""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_OPEN + lock, [run.pk, after, ComparisonState.PENDING.value, limit])
        found = cursor.fetchall()
        until = bulk.moment(timezone.now() + LEASE)
        bulk.execute_many(
            "UPDATE judging_comparison SET state = %s, claimed_by = %s, claimed_until = %s WHERE id = %s",
            [(ComparisonState.CLAIMED.value, worker, until, pk) for _, pk in found],
        )
    return _load([pk for _, pk in found]), max((row for row, _ in found), default=after)


def _load(ids: Sequence[int]) -> list[Claimed]:
    if not ids:
        return []
    rows = Comparison.objects.in_bulk(ids)
    pairs = Pair.objects.in_bulk({row.pair_id for row in rows.values()})
    numbers: dict[int, dict[str, int]] = {}
    read = Reading.objects.filter(comparison__in=ids).order_by().values_list("comparison_id", "phase")
    for comparison_id, phase, number in read.annotate(last=Max("number")):
        numbers.setdefault(comparison_id, {})[phase] = number
    return [
        Claimed(
            comparison_id=pk,
            condition_id=rows[pk].condition_id,
            pair=pairs[rows[pk].pair_id],
            order=rows[pk].order,
            repeat=rows[pk].repeat,
            cue_favours=rows[pk].cue_favours,
            numbers=numbers.get(pk, {}),
        )
        for pk in ids
    ]


def renew(*, worker: str) -> None:
    """Extend the claims of ``worker`` that still hold; one that ran out may have been taken over."""
    now = timezone.now()
    Comparison.objects.filter(claimed_by=worker, state=ComparisonState.CLAIMED, claimed_until__gte=now).update(
        claimed_until=now + LEASE
    )


def release(*, worker: str) -> int:
    """Give back what ``worker`` still holds; the number of comparisons."""
    return Comparison.objects.filter(claimed_by=worker, state=ComparisonState.CLAIMED).update(
        state=ComparisonState.PENDING, claimed_by="", claimed_until=None
    )


def still_held(ids: Iterable[int], *, worker: str) -> set[int]:
    """Those of ``ids`` that ``worker`` holds; the others were taken over while it slept. Locks the rows."""
    lock = " FOR UPDATE" if connection.vendor == "postgresql" else ""
    before = [worker, ComparisonState.CLAIMED.value]
    return {row[0] for row in bulk.select_in(_HELD + lock, sorted(ids), before=before)}


@transaction.atomic
def sweep(*, run: Run | None = None) -> dict[str, int]:
    """Take back comparisons and attempts of workers that are gone or let their lease run out.

    Their attempts are lost: each stays charged at its maximum, which it was when it was written down. Safe at any
    time; returns how many of each were taken back.
    """
    now = timezone.now()
    held = Comparison.objects.filter(state=ComparisonState.CLAIMED)
    in_flight = Attempt.objects.filter(state=AttemptState.IN_FLIGHT)
    if run is not None:
        held = held.filter(wanted_by__run=run)
        in_flight = in_flight.filter(run=run)
    names = {*held.values_list("claimed_by", flat=True).distinct(), *in_flight.values_list("worker", flat=True)}
    stale = stale_workers(names, now=now)
    freed = Comparison.objects.filter(
        Q(claimed_by__in=stale) | Q(claimed_until__lt=now), state=ComparisonState.CLAIMED
    ).update(state=ComparisonState.PENDING, claimed_by="", claimed_until=None)
    lost = Attempt.objects.filter(worker__in=stale, state=AttemptState.IN_FLIGHT).update(**lost_values(now))
    return {"comparisons": freed, "attempts": lost}


def stale_workers(names: Iterable[str], *, now: dt.datetime) -> set[str]:
    """Those of ``names`` that work no more: known to have ended, or without a claim that still holds."""
    names = set(names)
    holding = set(
        Comparison.objects.filter(
            claimed_by__in=names, state=ComparisonState.CLAIMED, claimed_until__gte=now
        ).values_list("claimed_by", flat=True)
    )
    return {name for name in names if name not in holding or is_gone(name)}


def lost_values(now: dt.datetime) -> dict[str, Any]:
    return {
        "state": AttemptState.LOST,
        "finished_at": now,
        "error_code": "worker_lost",
        "error_detail": "The worker ended before the outcome was written down.",
    }
