"""Taking comparisons to work on, keeping hold of them, giving them back, and taking over what the dead left."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from judging import bulk
from judging.enums import AttemptState, ComparisonState
from judging.models import Attempt, Comparison, Run
from judging.runner.workers import is_gone

#: How long a claim holds without being renewed; renewed three times as often.
LEASE = dt.timedelta(seconds=60)

_OPEN = (
    "SELECT wanted.id, comparison.id, condition_id, pair_id, "
    'comparison."order", repeat, cue_favours'
    " FROM judging_runcomparison wanted JOIN judging_comparison comparison ON comparison.id = wanted.comparison_id"
    " WHERE wanted.run_id = %s AND wanted.id > %s AND comparison.state = %s ORDER BY wanted.id LIMIT %s"
)
_NUMBERS = (
    "SELECT comparison_id, phase, MAX(number) FROM judging_reading WHERE comparison_id IN ({in})"
    " GROUP BY comparison_id, phase"
)
_CLAIM = "UPDATE judging_comparison SET state = %s, claimed_by = %s, claimed_until = %s WHERE id IN ({in})"
_HELD = "SELECT id FROM judging_comparison WHERE claimed_by = %s AND state = %s AND id IN ({in}) ORDER BY id"


class Claimed(NamedTuple):
    """A claimed comparison's row. ``numbers`` are what its readings have reached by phase, where it has any."""

    comparison_id: int
    condition_id: int
    pair_id: int
    order: int
    repeat: int
    cue_favours: str
    numbers: dict[str, int]


def claim(*, run: Run, worker: str, limit: int, after: int) -> tuple[list[Claimed], int]:
    """Claim up to ``limit`` of the run's open comparisons planned after the row ``after``; and the last row's id.

    What another worker holds is passed over. Nothing claimed and the same id back means that the end was reached.
    """
    lock = " FOR UPDATE OF comparison SKIP LOCKED" if connection.vendor == "postgresql" else ""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_OPEN + lock, [run.pk, after, ComparisonState.PENDING.value, limit])
        found = cursor.fetchall()
        until = bulk.moment(timezone.now() + LEASE)
        ids = [pk for _, pk, *_ in found]
        bulk.execute_in(_CLAIM, ids, before=[ComparisonState.CLAIMED.value, worker, until])
        numbers: dict[int, dict[str, int]] = {}
        for comparison_id, phase, number in bulk.select_in(_NUMBERS, ids):
            numbers.setdefault(comparison_id, {})[phase] = number
    claimed = [
        Claimed(pk, condition, pair, order, repeat, favours, numbers.get(pk, {}))
        for _, pk, condition, pair, order, repeat, favours in found
    ]
    return claimed, max((row[0] for row in found), default=after)


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
