"""manage.py extract_verdicts FILE --style json|brackets|arena|line|scores"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import InputFileError
from judging.enums import VERDICT_STYLES
from judging.extractor import Extraction, extract
from judging.formats.raw_replies import RawReply, read_raw_replies


class Command(BaseCommand):
    help = "Read the verdicts of raw judge replies (JSON Lines in and out). No database; nothing is coerced."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="JSON Lines with id, text, finish_reason?, offered?")
        parser.add_argument("--style", required=True, choices=[style.value for style in VERDICT_STYLES])
        parser.add_argument("--low", type=float, default=1, help="lowest score of the scores style (default 1)")
        parser.add_argument("--high", type=float, default=10, help="highest score of the scores style (default 10)")
        parser.add_argument(
            "--sentence",
            help="line style: the closing sentence the judge was told to write, with {label} in it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["sentence"] and "{label}" not in options["sentence"]:
            raise CommandError("--sentence must hold {label} where the label stands.", returncode=2)
        try:
            replies = list(read_raw_replies(options["file"]))
        except InputFileError as error:
            raise CommandError(error.message, returncode=2) from error
        for reply in replies:
            extraction = extract(
                reply.text,
                style=options["style"],
                offered=reply.offered,
                finish_reason=reply.finish_reason,
                scale=(options["low"], options["high"]),
                conclusion=options["sentence"],
            )
            self.stdout.write(json.dumps(line_of(reply, extraction), ensure_ascii=False))


def line_of(reply: RawReply, extraction: Extraction) -> dict[str, Any]:
    """The public line of one reply; ``strong`` and ``whole_output`` appear only where they hold."""
    line: dict[str, Any] = {
        "id": reply.id,
        "outcome": extraction.outcome,
        "reason": extraction.reason,
        "repaired": extraction.repaired,
        "extractor_version": extraction.extractor_version,
    }
    if extraction.strong:
        line["strong"] = True
    if extraction.whole_output:
        line["whole_output"] = True
    return line
