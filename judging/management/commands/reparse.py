"""manage.py reparse --study S [--run NAME] [--apply]"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.errors import Refused
from annotation.management.base import study_called, told_to_the_user
from judging.extractor import EXTRACTOR_VERSION
from judging.models import Run
from judging.steps.reparse import Change, reparse

SHOWN = 40


class Command(BaseCommand):
    help = "Read stored replies again with today's extractor, without paying. Shows what differs; --apply stores it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--study", required=True)
        parser.add_argument("--run", help="name of one run; default: every run of the study")
        parser.add_argument("--apply", action="store_true", help="bring the new readings into force; old ones stay")

    def handle(self, *args: Any, **options: Any) -> None:
        with told_to_the_user():
            study = study_called(options["study"])
            run = None
            if options["run"]:
                run = Run.objects.filter(study=study, name=options["run"]).first()
                if run is None:
                    raise Refused(f"The study has no run {options['run']!r}.")
            report = reparse(study=study, run=run, apply=options["apply"])
        self.stdout.write(
            f"extractor {EXTRACTOR_VERSION}: {report.read} comparisons read, {report.unchanged} unchanged, "
            f"{len(report.changes)} readings differ, {report.ruled} ruled by a person and left alone, "
            f"{report.unasked} would need a call that was never made"
        )
        for change in report.changes[:SHOWN]:
            self.stdout.write(f"  {line(change)}")
        if len(report.changes) > SHOWN:
            self.stdout.write(f"  ... and {len(report.changes) - SHOWN} more")
        for text in report.unreadable:
            self.stdout.write(f"  not read: {text}")
        if report.changes and not report.applied:
            self.stdout.write("Nothing was stored. --apply brings the new readings into force.")


def line(change: Change) -> str:
    """One difference, for a terminal."""
    before, after = (" ".join(filter(None, each)) for each in (change.before, change.after))
    what = f"{before} -> {after}" if before != after else f"{before}; differs in {', '.join(change.fields)}"
    return f"{change.pair_id} {change.judge} {change.phase}: {what}"
