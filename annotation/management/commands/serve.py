"""manage.py serve: the site and one worker from one command, stopped together."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

POLL_SECONDS = 0.2
GRACE_SECONDS = 15


class Command(BaseCommand):
    help = "Migrate, then run the site (gunicorn) and one thread-pool worker (Celery) until stopped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--web-workers", type=int, default=1)
        parser.add_argument("--no-worker", action="store_true", help="the site alone; workers run elsewhere")

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0)
        commands = {"site": site(options["host"], options["port"], options["web_workers"])}
        if not options["no_worker"]:
            commands["worker"] = worker()
        self.stdout.write(f"Serving on http://{options['host']}:{options['port']}/ - stop with Ctrl-C")
        self.stdout.flush()
        ended = run_together(commands)
        if ended:
            raise CommandError(f"The {ended} ended by itself; everything was stopped.", returncode=1)


def site(host: str, port: int, workers: int) -> list[str]:
    """The command line of the web server."""
    return [
        sys.executable,
        "-m",
        "gunicorn",
        "config.wsgi",
        f"--bind={host}:{port}",
        f"--workers={workers}",
        "--worker-class=gthread",
        "--threads=8",
        "--log-level=warning",
    ]


def worker() -> list[str]:
    """The command line of one Celery worker; threads, because its work is waiting for judges."""
    return [
        sys.executable,
        "-m",
        "celery",
        "--app=config",
        "worker",
        "--beat",
        "--pool=threads",
        "--concurrency=2",
        "--without-gossip",
        "--without-mingle",
        "--without-heartbeat",
        "--loglevel=warning",
    ]


def run_together(commands: dict[str, list[str]]) -> str:
    """Run all until a signal comes or one ends. Returns the name of the one that ended by itself, or ''."""
    stopping = False

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the signal module's own shape
        nonlocal stopping
        stopping = True

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    # Sessions of their own, so that Ctrl-C reaches them only through us and in order.
    running = {
        name: subprocess.Popen(line, cwd=settings.BASE_DIR, start_new_session=True)  # noqa: S603 - our own lines
        for name, line in commands.items()
    }
    ended = ""
    while not stopping and not ended:
        time.sleep(POLL_SECONDS)
        ended = next((name for name, process in running.items() if process.poll() is not None), "")
    for process in running.values():
        if process.poll() is None:
            process.terminate()
    deadline = time.monotonic() + GRACE_SECONDS
    for process in running.values():
        try:
            process.wait(timeout=max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
    return ended
