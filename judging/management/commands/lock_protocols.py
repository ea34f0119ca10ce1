"""manage.py lock_protocols [--check]"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from judging.errors import LockError
from judging.protocols.lock import LOCK_FILE, check_lock, updated_lock
from judging.protocols.registry import PROTOCOLS


class Command(BaseCommand):
    help = "Add new protocol versions to the lock file; refuses changed content under an old version."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; end with status 1 on any problem")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["check"]:
            problems = check_lock(PROTOCOLS)
            if problems:
                raise CommandError("\n".join(problem.message for problem in problems))
            self.stdout.write(f"{len(PROTOCOLS)} protocols are as they were locked.")
            return
        held = LOCK_FILE.read_text(encoding="utf-8") if LOCK_FILE.exists() else ""
        try:
            LOCK_FILE.write_text(updated_lock(PROTOCOLS, lock=held), encoding="utf-8")
        except LockError as error:
            raise CommandError(error.message, returncode=2) from error
        self.stdout.write(f"Locked {len(PROTOCOLS)} protocols.")
