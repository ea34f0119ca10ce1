"""What pages, commands and reports read of runs and calls."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db.models import Count

from judging.enums import ComparisonState
from judging.models import Comparison, Run, Verdict
from judging.prices import NANO


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Where a run stands. ``outcomes`` counts verdicts (two a comparison under reveal-after) by outcome."""

    state: str
    stop_reason: str
    total: int
    pending: int
    claimed: int
    done: int
    failed: int
    calls: int
    tokens: int
    usd: float
    outcomes: dict[str, int] = field(default_factory=dict)


def progress_of(run: Run) -> Progress:
    """Counted from the rows; four queries whatever the run's size."""
    run.refresh_from_db()
    states = dict(
        Comparison.objects.filter(wanted_by__run=run).order_by().values_list("state").annotate(count=Count("pk"))
    )
    outcomes = dict(
        Verdict.objects.filter(comparison__wanted_by__run=run)
        .order_by()
        .values_list("outcome")
        .annotate(count=Count("pk"))
    )
    return Progress(
        state=run.state,
        stop_reason=run.stop_reason,
        total=sum(states.values()),
        pending=states.get(ComparisonState.PENDING, 0),
        claimed=states.get(ComparisonState.CLAIMED, 0),
        done=states.get(ComparisonState.DONE, 0),
        failed=states.get(ComparisonState.FAILED, 0),
        calls=run.spent_calls,
        tokens=run.spent_tokens,
        usd=run.spent_usd_nano / NANO,
        outcomes=outcomes,
    )
