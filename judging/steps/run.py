"""A run's states: who may change them to what. The runner polls the state at every commit."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from annotation.errors import Refused
from annotation.models import User
from annotation.steps import audit
from judging.enums import ComparisonState, RunState
from judging.models import Comparison, Run

#: States a run can be worked on from; a cancelled one never.
RESUMABLE = (
    RunState.PLANNED,
    RunState.QUEUED,
    RunState.RUNNING,
    RunState.PAUSED,
    RunState.STOPPED,
    RunState.FAILED,
    RunState.DONE,
)


@transaction.atomic
def queue_run(*, run: Run, actor: User | None = None, retry_failed: bool = False) -> Run:
    """Let workers take the run up, for the first time or again. The caller queues the task on commit."""
    locked = _locked(run)
    if locked.state not in RESUMABLE:
        raise Refused(f"The run {run.name} is {locked.state} and cannot be taken up again.")
    if locked.state != RunState.RUNNING:
        if retry_failed:
            _reopen_failed(locked)
        _set(run, locked, RunState.QUEUED)
        audit.record(study=locked.study, actor=actor, action="run.queued", subject=locked.name)
    return run


@transaction.atomic
def pause_run(*, run: Run, actor: User | None = None) -> Run:
    """Send nothing more for now; what is in flight is still taken in."""
    locked = _locked(run)
    if locked.state not in (RunState.QUEUED, RunState.RUNNING):
        raise Refused(f"The run {run.name} is {locked.state}; only a queued or running one can be paused.")
    _set(run, locked, RunState.PAUSED)
    audit.record(study=locked.study, actor=actor, action="run.paused", subject=locked.name)
    return run


@transaction.atomic
def cancel_run(*, run: Run, actor: User | None = None) -> Run:
    """End the run for good; what it has yielded stays."""
    locked = _locked(run)
    if locked.state in (RunState.DONE, RunState.CANCELLED):
        raise Refused(f"The run {run.name} is {locked.state} and cannot be cancelled.")
    _set(run, locked, RunState.CANCELLED, finished=True)
    audit.record(study=locked.study, actor=actor, action="run.cancelled", subject=locked.name)
    return run


@transaction.atomic
def begin(*, run: Run, retry_failed: bool) -> None:
    """Mark the run as running; for the runner. Raises Refused for a run that was cancelled."""
    locked = _locked(run)
    if locked.state not in RESUMABLE:
        raise Refused(f"The run {run.name} is {locked.state} and cannot be taken up again.")
    if retry_failed:
        _reopen_failed(locked)
    if locked.started_at is None:
        locked.started_at = timezone.now()
    _set(run, locked, RunState.RUNNING)


@transaction.atomic
def finish(*, run: Run, stopped: str, reason: str = "") -> str:
    """Leave the run in the state a worker's stretch of work ended in; the state. For the runner.

    ``stopped`` is '' where nothing stopped it: then the run is done if no comparison is open or held any more.
    """
    locked = _locked(run)
    if stopped and locked.state in (RunState.RUNNING, RunState.QUEUED):
        _set(run, locked, RunState(stopped), reason=reason)
    elif not stopped and locked.state in (RunState.RUNNING, RunState.QUEUED):
        unfinished = Comparison.objects.filter(
            wanted_by__run=locked, state__in=(ComparisonState.PENDING, ComparisonState.CLAIMED)
        )
        if not unfinished.exists():
            _set(run, locked, RunState.DONE, finished=True)
    run.refresh_from_db()
    return run.state


def _locked(run: Run) -> Run:
    return Run.objects.select_for_update().select_related("study").get(pk=run.pk)


def _set(run: Run, locked: Run, state: RunState, *, reason: str = "", finished: bool = False) -> None:
    locked.state = state
    locked.stop_reason = reason
    locked.finished_at = timezone.now() if finished else None
    locked.save(update_fields=["state", "stop_reason", "started_at", "finished_at"])
    run.state, run.stop_reason = locked.state, locked.stop_reason
    run.started_at, run.finished_at = locked.started_at, locked.finished_at


def _reopen_failed(run: Run) -> None:
    Comparison.objects.filter(wanted_by__run=run, state=ComparisonState.FAILED).update(
        state=ComparisonState.PENDING, error_code=""
    )
