"""kill -9 at any moment: what was paid for is kept, at most what was in flight is asked again, nothing counts twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from django.db import connection
from django.db.models import Sum

from judging.models import Attempt, CallUse, Comparison, Reading, Run, Verdict
from judging.queries import progress_of
from judging.runner import run_block, run_to_end
from judging.runner.pipeline import AHEAD
from judging.steps.run import queue_run
from tests.judging.chaos import Chaos
from tests.judging.material import planned
from tests.material import Material

ROOT = Path(__file__).resolve().parents[3]
CONCURRENCY = 16
#: Replies of the last flush interval, at the rate the endpoint allows.
LATENCY, FLUSH = 0.02, 0.1
LATE_REPLIES = round(CONCURRENCY * FLUSH / LATENCY)


def database_url() -> str:
    """The test database, for a process of its own."""
    stored = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{stored['NAME']}"
    who = stored["USER"] + (f":{stored['PASSWORD']}" if stored["PASSWORD"] else "")
    return f"postgresql://{who}@{stored['HOST']}:{stored['PORT'] or 5432}/{stored['NAME']}"


def start_worker(run: Run) -> subprocess.Popen[bytes]:
    command = [sys.executable, "manage.py", "run_judges", "--study", run.study.slug, "--name", run.name]
    env = {**os.environ, "DATABASE_URL": database_url()}
    return subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def kill_after(run: Run, chaos: Chaos, *, more: int) -> bool:
    """Start a worker and kill it when ``more`` further requests have arrived; False where it ended first."""
    worker = start_worker(run)
    goal = sum(chaos.received.values()) + more
    while worker.poll() is None and sum(chaos.received.values()) < goal:
        time.sleep(0.001)
    ended = worker.poll() is not None
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    return not ended


def check_accounts(run: Run) -> None:
    """The run's sums are its attempts' charges; every comparison has one verdict and one use a stage."""
    run.refresh_from_db()
    charged = Attempt.objects.filter(run=run, prompt_tokens__isnull=False)
    sums = charged.aggregate(prompt=Sum("prompt_tokens"), completion=Sum("completion_tokens"))
    assert run.spent_calls == charged.count()
    assert run.spent_tokens == (sums["prompt"] or 0) + (sums["completion"] or 0)
    assert not Attempt.objects.filter(state="in_flight").exists()
    assert set(Comparison.objects.values_list("state", "claimed_by")) == {("done", "")}
    assert Verdict.objects.count() == Reading.objects.count() == Comparison.objects.count()
    assert max(Counter(Attempt.objects.filter(state="ok").values_list("call")).values()) == 1


@pytest.mark.faults
@pytest.mark.django_db(transaction=True)
def test_five_kills_repeat_at_most_what_was_in_flight(tmp_path: Path) -> None:
    material = Material(tmp_path)
    with Chaos(latency=LATENCY, timeout=30) as chaos:
        run = planned(material, judges=[chaos.spec()], pairs=300, concurrency=CONCURRENCY)
        at = random.Random(20)
        kills = sum(kill_after(run, chaos, more=at.randint(30, 110)) for _ in range(5))
        assert kills == 5
        assert run_to_end(run).state == "done"
        extra = sum(chaos.received.values()) - len(chaos.received)
    assert len(chaos.received) == 600
    assert extra <= kills * (CONCURRENCY + LATE_REPLIES)
    check_accounts(run)
    assert CallUse.objects.count() == 600
    lost = Attempt.objects.filter(state="lost")
    assert extra <= lost.count() <= kills * (CONCURRENCY * (1 + AHEAD) + LATE_REPLIES)
    assert set(lost.values_list("completion_tokens", "usage_reported")) == {(400, False)}


@pytest.mark.faults
@pytest.mark.django_db(transaction=True)
def test_chaos_and_kills_leave_two_thousand_comparisons_accounted_for(tmp_path: Path) -> None:
    material = Material(tmp_path)
    chaos = Chaos(
        seed=3, throttle=0.2, error=0.05, hang=0.03, cut=0.03, garbage=0.05, refuse=0.02, slow_start=1.0, timeout=2,
        latency=0.01,
    )  # fmt: skip
    with chaos:
        run = planned(material, judges=[chaos.spec()], pairs=1000, concurrency=64)
        at = random.Random(4)
        for _ in range(5):
            kill_after(run, chaos, more=at.randint(100, 400))
        report = run_to_end(run)
        if progress_of(run).failed:
            report = run_to_end(run)
    assert report.state == "done"
    assert progress_of(run).done == 2000
    check_accounts(run)
    # Every request was written down before it left.
    assert sum(chaos.received.values()) <= Attempt.objects.count()


@pytest.mark.faults
@pytest.mark.django_db(transaction=True)
def test_workers_share_a_run_without_asking_anything_twice(tmp_path: Path) -> None:
    material = Material(tmp_path)
    with Chaos(latency=LATENCY, timeout=30) as chaos:
        run = planned(material, judges=[chaos.spec()], pairs=150, concurrency=8)
        queue_run(run=run)
        workers = [start_worker(run) for _ in range(2)]
        while run_block(run, comparisons=40).state == "running" and any(worker.poll() is None for worker in workers):
            time.sleep(0.05)
        assert [worker.wait(120) for worker in workers] == [0, 0]
    assert (len(chaos.received), sum(chaos.received.values())) == (300, 300)
    check_accounts(run)
