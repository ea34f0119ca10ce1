"""Celery envelopes: take an id, fetch, call, log. The state of all work is in our own tables; the broker may forget."""

from __future__ import annotations

import logging

from celery import shared_task
from celery.signals import worker_ready
from django.db import transaction

from annotation.errors import TiebreakError
from annotation.models import User
from judging.enums import ComparisonState, RunState
from judging.models import Comparison, Run
from judging.runner import claims, run_block
from judging.steps.run import finish, queue_run

log = logging.getLogger(__name__)

#: Seconds before looking again at a run whose last comparisons are in other workers' hands.
LOOK_AGAIN = 5


@shared_task(name="judging.drive_run")
def drive_run(public_id: str) -> None:
    """Ask a block of a run's comparisons, then queue the next one."""
    run = Run.objects.filter(public_id=public_id).first()
    if run is None:
        log.warning("run %s is not there", public_id)
        return
    try:
        report = run_block(run)
    except TiebreakError as error:
        finish(run=run, stopped=RunState.FAILED, reason=error.message)
        log.warning("run %s failed: %s", run.name, error.message)
        return
    log.info("run %s: %s, %s done, %s failed", run.name, report.state, report.tally.done, report.tally.failed)
    if not report.ended:
        idle = not (report.tally.done or report.tally.failed)
        transaction.on_commit(lambda: drive_run.apply_async(args=[public_id], countdown=LOOK_AGAIN if idle else None))


@shared_task(name="judging.sweep_runs")
def sweep_runs() -> int:
    """Take back what dead workers held, and queue every run that has open work and nobody at it; how many."""
    taken_back = claims.sweep()
    if any(taken_back.values()):
        log.warning("taken back from workers that are gone: %s", taken_back)
    waiting = idle_runs()
    for public_id in waiting:
        drive_run.delay(public_id)
    return len(waiting)


def idle_runs() -> list[str]:
    """Public ids of queued and running runs with open comparisons of which no worker holds any."""
    runs = Run.objects.filter(state__in=(RunState.QUEUED, RunState.RUNNING)).order_by("pk")
    idle = []
    for run in runs:
        wanted = Comparison.objects.filter(wanted_by__run=run)
        held = wanted.filter(state=ComparisonState.CLAIMED).exists()
        if not held and wanted.filter(state=ComparisonState.PENDING).exists():
            idle.append(run.public_id)
    return idle


def enqueue_run(*, run: Run, actor: User | None = None, retry_failed: bool = False) -> Run:
    """Queue a run for the workers, for the first time or again. Raises Refused for one that was cancelled."""
    with transaction.atomic():
        queue_run(run=run, actor=actor, retry_failed=retry_failed)
        public_id = run.public_id
        # A broker that is away must not fail the request: the run is queued, and the next sweep hands it over.
        transaction.on_commit(lambda: drive_run.delay(public_id), robust=True)
    return run


@worker_ready.connect
def _sweep_at_start(**_: object) -> None:
    # Work that a killed worker left is taken up by the next one that starts, whatever the broker remembers.
    sweep_runs.delay()
