"""A real Celery worker, on Redis or on the queue of files, takes up a queued run and brings it to its end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import pytest
import redis
from django.conf import settings

from judging.enums import RunState
from judging.models import Run, Verdict
from judging.steps.run import queue_run
from tests.judging.material import planned
from tests.judging.runner.test_kills import database_url
from tests.material import Material

SECONDS = 90


def hand_over(run: Run, env: dict[str, str]) -> None:
    """Queue the run from a process of its own, as the site does."""
    code = (
        "from judging.models import Run; from judging.tasks import enqueue_run; "
        f"enqueue_run(run=Run.objects.get(public_id={run.public_id!r}))"
    )
    subprocess.run([sys.executable, "manage.py", "shell", "-c", code], cwd=settings.BASE_DIR, env=env, check=True)


def remove_keys(prefix: str) -> None:
    if settings.REDIS_URL:
        with redis.Redis.from_url(settings.REDIS_URL) as server:
            for key in server.scan_iter(match=f"{prefix}*"):
                server.delete(key)


@pytest.mark.worker
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("when", ["before the worker starts", "while it waits"])
def test_a_worker_takes_up_a_queued_run_and_finishes_it(tmp_path: Path, when: str) -> None:
    run = planned(Material(tmp_path), pairs=6)
    if when == "before the worker starts":
        queue_run(run=run)
    # A queue of its own: other workers on the same Redis never see it, and only its own keys are removed.
    prefix = f"test-{uuid4().hex}:"
    env = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "TIEBREAK_VAR": str(tmp_path),
        "TIEBREAK_QUEUE_PREFIX": prefix,
    }
    command = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "config",
        "worker",
        "--pool",
        "threads",
        "--concurrency",
        "2",
        "-l",
        "info",
    ]
    log = tmp_path / "worker.log"
    with log.open("wb") as out:
        worker = subprocess.Popen(command, cwd=settings.BASE_DIR, env=env, stdout=out, stderr=out)
        try:
            deadline = time.monotonic() + SECONDS
            if when == "while it waits":
                while " ready." not in log.read_text() and time.monotonic() < deadline:
                    time.sleep(0.2)
                hand_over(run, env)
            while Run.objects.get(pk=run.pk).state != RunState.DONE and time.monotonic() < deadline:
                assert worker.poll() is None, log.read_text()
                time.sleep(0.2)
        finally:
            worker.terminate()
            worker.wait(timeout=30)
            remove_keys(prefix)
    run.refresh_from_db()
    assert run.state == RunState.DONE, log.read_text()
    assert Verdict.objects.count() == run.wanted.count() > 0
    assert ("redis://" in log.read_text()) == bool(settings.REDIS_URL)
