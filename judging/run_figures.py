"""What a run's pages tell besides its progress: rate and time left, and errors by cause with one example each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Max, Q, QuerySet

from annotation.models import Study
from judging.enums import AttemptState, Outcome, RunState
from judging.models import Attempt, Comparison, Run, Verdict
from judging.queries import Progress

#: How far back the rate of a running run looks.
RATE_OVER = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Pace:
    """Answers per minute lately, and the minutes left at that rate; None where nothing moves."""

    per_minute: float
    minutes_left: float | None


@dataclass(frozen=True, slots=True)
class Cause:
    """A reason why comparisons yielded no judgement, how often, and one comparison to look at."""

    outcome: str
    reason: str
    n: int
    example: int


def runs_of(study: Study) -> QuerySet[Run]:
    """A study's runs, newest first, with ``n_wanted``. One query."""
    return Run.objects.filter(study=study).select_related("split").annotate(n_wanted=Count("wanted"))


def pace_of(run: Run, progress: Progress, *, now: datetime) -> Pace | None:
    """None for a run that is not running. One query."""
    if run.state != RunState.RUNNING:
        return None
    lately = Attempt.objects.filter(run=run, state=AttemptState.OK, finished_at__gte=now - RATE_OVER).count()
    since = min(RATE_OVER, now - run.started_at) if run.started_at else RATE_OVER
    per_minute = lately / max(since.total_seconds() / 60, 1 / 60)
    per_comparison = progress.calls / progress.done if progress.done else 1.0
    left = (progress.pending + progress.claimed) * max(per_comparison, 1e-9)
    return Pace(per_minute, left / per_minute if per_minute else None)


def causes_of(run: Run) -> list[Cause]:
    """Why comparisons of a run have no judgement, most frequent first. One query."""
    rows = (
        Verdict.objects.filter(comparison__wanted_by__run=run)
        .exclude(outcome__in=[Outcome.DECIDED, Outcome.SCORED])
        .order_by()
        .values("outcome", "reading__reason")
        .annotate(n=Count("pk"), example=Max("comparison"))
        .order_by("-n", "outcome", "reading__reason")
    )
    return [Cause(Outcome(row["outcome"]).words, row["reading__reason"], row["n"], row["example"]) for row in rows]


def comparisons_of(run: Run, *, outcome: str = "", reason: str = "", condition: str = "") -> QuerySet[Comparison]:
    """A run's comparisons in the order they were planned, kept to an outcome, a reason or a condition (its id)."""
    wanted = Q(wanted_by__run=run)
    if outcome:
        wanted &= Q(verdicts__outcome=outcome)
    if reason:
        wanted &= Q(readings__reason=reason, readings__verdict__isnull=False)
    if condition.isdecimal():
        wanted &= Q(condition=int(condition))
    found = Comparison.objects.filter(wanted).select_related("condition__judge", "pair").distinct()
    return found.defer("pair__candidate_1", "pair__candidate_2", "pair__context", "pair__task").order_by("pk")
