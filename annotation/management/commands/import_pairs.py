"""manage.py import_pairs FILE --study S [--split N]"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from annotation import formats
from annotation.management.base import study_called, told_to_the_user
from annotation.models import ImportReport
from annotation.steps.ingest import import_pairs


class Command(BaseCommand):
    help = "Import a pairs file (JSONL, CSV, XLSX ... or a known foreign format) into a split. All of it or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--study", required=True, help="slug of the study; made where it is new")
        parser.add_argument("--split", default="", help="split to import into; default: the file's own split column")
        parser.add_argument("--format", choices=sorted(formats.FORMATS), help="default: recognised from the file")
        parser.add_argument("--strict", action="store_true", help="refuse the file when an item cannot qualify")

    def handle(self, *args: Any, **options: Any) -> None:
        # A refused file leaves no new study behind.
        with told_to_the_user(), transaction.atomic():
            report = import_pairs(
                study=study_called(options["study"], create=True),
                path=options["file"],
                split=options["split"],
                file_format=options["format"],
                strict=options["strict"],
            )
        self.stdout.write(summary(report))


def summary(report: ImportReport) -> str:
    """What an import did, in lines for a terminal."""
    lines = [
        f"{report.file_name} ({report.file_format}): {report.rows_read} read, {report.rows_kept} kept, "
        f"{len(report.excluded)} excluded, {len(report.oddities)} worth telling"
    ]
    lines += [f"  excluded {each['item_id']}: {each['reason']}" for each in report.excluded]
    codes: dict[str, list[dict[str, Any]]] = {}
    for each in report.oddities:
        codes.setdefault(each["code"], []).append(each)
    for code, found in codes.items():
        lines.append(f"  {code}: {len(found)}, the first: {found[0]['message']}")
    return "\n".join(lines)
