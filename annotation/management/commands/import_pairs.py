"""manage.py import_pairs FILE --study S [--split N]"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from annotation import formats
from annotation.errors import InputFileError
from annotation.management.base import study_called, told_to_the_user
from annotation.models import ImportReport
from annotation.steps.import_notes import as_report
from annotation.steps.ingest import import_pairs


class Command(BaseCommand):
    help = "Import a pairs file (JSONL, CSV, XLSX ... or a known foreign format) into a split. All of it or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--study", required=True, help="slug of the study; made where it is new")
        parser.add_argument("--split", default="", help="split to import into; default: the file's own split column")
        parser.add_argument("--format", choices=sorted(formats.FORMATS), help="default: recognised from the file")
        parser.add_argument("--strict", action="store_true", help="refuse the file when an item cannot qualify")
        parser.add_argument("--report", type=Path, help="write what became of the file as JSON, refused rows included")

    def handle(self, *args: Any, **options: Any) -> None:
        with told_to_the_user():
            try:
                report = _imported(options)
            except InputFileError as refusal:
                _write_report(options["report"], refusal)
                raise
        _write_report(options["report"], report)
        self.stdout.write(summary(report))


def _imported(options: dict[str, Any]) -> ImportReport:
    # A refused file leaves no new study behind.
    with transaction.atomic():
        return import_pairs(
            study=study_called(options["study"], create=True),
            path=options["file"],
            split=options["split"],
            file_format=options["format"],
            strict=options["strict"],
        )


def _write_report(path: Path | None, outcome: ImportReport | InputFileError) -> None:
    if path is not None:
        path.write_text(json.dumps(as_report(outcome), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def summary(report: ImportReport) -> str:
    """What an import did, in lines for a terminal."""
    lines = [
        f"{report.file_name} ({report.file_format}): {report.rows_read} read, {report.rows_kept} kept, "
        f"{report.n_excluded} excluded, {report.n_oddities} worth telling"
    ]
    lines += [f"  excluded {each['item_id']}: {each['reason']}" for each in report.excluded]
    if report.n_excluded > len(report.excluded):
        lines.append(f"  ... and {report.n_excluded - len(report.excluded)} more excluded")
    first = {each["code"]: each["message"] for each in reversed(report.oddities)}
    for code, number in report.oddity_counts.items():
        lines.append(f"  {code}: {number}" + (f", the first: {first[code]}" if code in first else ""))
    return "\n".join(lines)
