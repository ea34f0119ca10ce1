"""manage.py import_labels FILE --study S --round R --scheme NAME"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from annotation import formats, schemes
from annotation.management.base import study_called, told_to_the_user
from annotation.management.commands.import_pairs import summary
from annotation.steps.ingest_labels import import_labels


class Command(BaseCommand):
    help = "Import a labels file as a closed round of a study whose pairs are there. All of it or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--study", required=True)
        parser.add_argument("--round", required=True, help="name of the new round")
        parser.add_argument("--scheme", default="preference", choices=schemes.available())
        parser.add_argument("--format", choices=sorted(formats.FORMATS), help="default: recognised from the file")

    def handle(self, *args: Any, **options: Any) -> None:
        with told_to_the_user():
            round_, report = import_labels(
                study=study_called(options["study"]),
                path=options["file"],
                round_name=options["round"],
                scheme=options["scheme"],
                file_format=options["format"],
            )
        self.stdout.write(summary(report))
        self.stdout.write(f"Round {round_}: {round_.items.count()} pairs, {round_.annotators.count()} annotators")
