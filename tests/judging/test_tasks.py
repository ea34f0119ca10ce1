"""The Celery envelopes: blocks follow each other, and what nobody works on is queued again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from judging import tasks
from judging.models import Attempt, Comparison, Run
from judging.queries import progress_of
from judging.steps.run import pause_run
from tests.judging.material import planned
from tests.material import Material


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Public ids of the runs that were handed to the broker."""
    handed: list[str] = []
    monkeypatch.setattr(tasks.drive_run, "delay", handed.append)
    monkeypatch.setattr(tasks.drive_run, "apply_async", lambda args, **_: handed.append(args[0]))
    return handed


def test_enqueued_run_is_handed_over_on_commit(
    material: Material, queued: list[str], django_capture_on_commit_callbacks: Any
) -> None:
    run = planned(material)
    with django_capture_on_commit_callbacks(execute=True):
        tasks.enqueue_run(run=run)
    assert (run.state, queued) == ("queued", [run.public_id])


def test_blocks_follow_each_other_until_the_run_is_done(
    material: Material, queued: list[str], monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    real = tasks.run_block
    monkeypatch.setattr(tasks, "run_block", lambda run: real(run, comparisons=4))
    run = planned(material, pairs=5)
    tasks.queue_run(run=run)
    rounds = 0
    while not rounds or queued:
        queued.clear()
        rounds += 1
        with django_capture_on_commit_callbacks(execute=True):
            tasks.drive_run(run.public_id)
    assert (rounds, progress_of(run).done, progress_of(run).state) == (3, 10, "done")


def test_paused_run_is_not_driven_on(material: Material, queued: list[str]) -> None:
    run = planned(material)
    tasks.queue_run(run=run)
    pause_run(run=run)
    tasks.drive_run(run.public_id)
    assert (Attempt.objects.count(), queued) == (0, [])


def test_run_that_cannot_be_asked_fails_with_the_reason(
    material: Material, queued: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    run = planned(material, judges=["openai:gpt-4o-mini"])
    tasks.queue_run(run=run)
    tasks.drive_run(run.public_id)
    run.refresh_from_db()
    assert run.state == "failed"
    assert "OPENAI_API_KEY" in run.stop_reason


def test_run_that_is_gone_is_passed_over(db: None) -> None:
    tasks.drive_run("nowhere")


def test_sweep_queues_what_nobody_works_on(material: Material, queued: list[str]) -> None:
    left, held, idle = (planned(material, protocols=[f"ladder:L{n}"], pairs=3 * (n == 0)) for n in range(3))
    Run.objects.filter(pk__in=[left.pk, held.pk]).update(state="running")
    now = timezone.now()
    Comparison.objects.filter(wanted_by__run=left).update(
        state="claimed", claimed_by="elsewhere.1.1.x", claimed_until=now - timedelta(seconds=1)
    )
    Comparison.objects.filter(wanted_by__run=held).update(
        state="claimed", claimed_by="elsewhere.2.1.x", claimed_until=now + timedelta(minutes=1)
    )
    assert tasks.sweep_runs() == 1
    assert queued == [left.public_id]
    assert progress_of(held).claimed == 6
    assert idle.state == "planned"
