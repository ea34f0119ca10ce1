"""manage.py import_verdicts FILE --study S [--name RUN]"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from annotation.management.base import study_called, told_to_the_user
from judging.steps.import_verdicts import import_verdicts


class Command(BaseCommand):
    help = "Import a verdicts file (JSONL or CSV) as a finished run of replayed judges. All of it or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--study", required=True, help="slug of the study that holds the pairs")
        parser.add_argument("--name", default="", help="name of the run; default: the file's name and hash")

    def handle(self, *args: Any, **options: Any) -> None:
        with told_to_the_user():
            run, report = import_verdicts(
                study=study_called(options["study"]), path=options["file"], run_name=options["name"]
            )
        self.stdout.write(f"{report.file_name}: {report.rows_kept} verdicts in the run {run.name}")
        for oddity in report.oddities:
            self.stdout.write(f"  {oddity['message']}")
