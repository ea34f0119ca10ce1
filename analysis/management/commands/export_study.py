"""manage.py export_study STUDY --out DIR"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.export import export_study
from annotation.management.base import study_called


class Command(BaseCommand):
    help = "Write a study's pairs, verdicts, labels and frozen targets as files in the public formats."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study")
        parser.add_argument("--out", type=Path, required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        for path in export_study(study_called(options["study"]), options["out"]):
            self.stdout.write(str(path))
