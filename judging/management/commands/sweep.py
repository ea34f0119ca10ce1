"""manage.py sweep"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from judging.runner import claims
from judging.tasks import idle_runs, sweep_runs


class Command(BaseCommand):
    help = "Take back comparisons and attempts of workers that are gone, and queue runs that nobody works on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-queue", action="store_true", help="only take back; name idle runs, queue none")

    def handle(self, *args: Any, **options: Any) -> None:
        taken = claims.sweep()
        self.stdout.write(f"{taken['comparisons']} comparisons and {taken['attempts']} attempts taken back")
        if options["no_queue"]:
            self.stdout.write(f"{len(idle_runs())} runs have open work and nobody at it")
        else:
            self.stdout.write(f"{sweep_runs()} runs queued")
