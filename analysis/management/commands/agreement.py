"""manage.py agreement LABELS: how far annotators agree, from a labels file alone; no database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.agreement.categories import Categories
from analysis.agreement.of_labels import AgreementOptions, LabelAgreement, labels_agreement
from analysis.agreement.tables import agreement_csv, agreement_json_text, agreement_latex, agreement_text
from analysis.output_folder import write_files
from analysis.stats.agreement import WEIGHT_NAMES, UnusableWeightsError
from analysis.stats.agreement.inference import INTERVALS
from annotation import formats, schemes
from annotation.errors import TiebreakError
from annotation.records import Excluded, LabelRecord, Oddity

DEFAULTS = AgreementOptions()


class Command(BaseCommand):
    help = "Agreement coefficients of a labels file (CSV, XLSX, JSONL), with intervals; undefined ones say why."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("labels", type=Path, help="labels file")
        declared = parser.add_mutually_exclusive_group()
        declared.add_argument("--categories", help="all categories offered, in scale order: a,b,c,d")
        declared.add_argument("--scheme", choices=schemes.available(), help="take the categories from a scheme")
        parser.add_argument("--question", help="which question, where the file has several")
        parser.add_argument("--round", help="which round, where the file has several")
        parser.add_argument("--roles", help="the two roles, role 1 first: plain,cited")
        parser.add_argument("--weights", choices=WEIGHT_NAMES, default=DEFAULTS.weights, help="AC2's weights")
        parser.add_argument("--interval", choices=INTERVALS, default=DEFAULTS.interval)
        parser.add_argument("--level", type=float, default=DEFAULTS.level, help="coverage, such as 0.95")
        parser.add_argument("--resamples", type=int, default=DEFAULTS.resamples)
        parser.add_argument("--seed", type=int, default=DEFAULTS.seed)
        parser.add_argument("--format", choices=sorted(formats.FORMATS), help="default: recognised from the file")
        parser.add_argument("--json", action="store_true", help="print the report as JSON")
        parser.add_argument("--out", type=Path, help="folder for agreement.csv, agreement.json and agreement.tex")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = labels_agreement(
                self.records(options["labels"], options["format"], options["question"]),
                file=options["labels"].name,
                categories=_categories(options),
                question=options["question"],
                round=options["round"],
                options=_chosen(options),
            )
            if options["out"]:
                write_folder(options["out"], report)
        except (TiebreakError, UnusableWeightsError) as error:
            raise CommandError(str(error), returncode=2) from error
        if options["json"]:
            self.stdout.write(agreement_json_text(report), ending="")
        else:
            self.stdout.write(agreement_text(report))

    def records(self, path: Path, file_format: str | None, question: str | None) -> list[LabelRecord]:
        """The file's labels; what the reader tells besides goes to standard error."""
        labels = []
        for record in formats.read_labels(path, format=file_format, question=question):
            match record:
                case LabelRecord():
                    labels.append(record)
                case Excluded():
                    self.stderr.write(f"{record.item_id} is left out: {record.reason}")
                case Oddity():
                    self.stderr.write(record.message if record.row is None else f"Row {record.row}: {record.message}")
        return labels


def write_folder(folder: Path, report: LabelAgreement) -> None:
    """agreement.csv, agreement.json and agreement.tex."""
    contents = {
        "agreement.csv": agreement_csv(report),
        "agreement.json": agreement_json_text(report),
        "agreement.tex": agreement_latex(report),
    }
    write_files(folder, contents)


def _categories(options: dict[str, Any]) -> Categories:
    listed, roles = _words(options["categories"]), _words(options["roles"])
    if options["categories"] is not None and not listed:
        raise CommandError("--categories: name the categories, such as a,b,c.", returncode=2)
    if options["roles"] is not None and len(set(roles)) < 2:
        raise CommandError("--roles: name two roles, such as plain,cited.", returncode=2)
    scheme = schemes.load(options["scheme"]) if options["scheme"] else None
    return Categories(listed=listed, scheme=scheme, roles=roles)


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(word.strip() for word in (text or "").split(",") if word.strip())


def _chosen(options: dict[str, Any]) -> AgreementOptions:
    if not 0 < options["level"] < 1:
        raise CommandError("--level: a coverage between 0 and 1, such as 0.95.", returncode=2)
    if options["resamples"] < 1:
        raise CommandError("--resamples: at least 1 is needed.", returncode=2)
    if options["seed"] < 0:
        raise CommandError("--seed: zero or more.", returncode=2)
    return AgreementOptions(
        weights=options["weights"],
        interval=options["interval"],
        level=options["level"],
        resamples=options["resamples"],
        seed=options["seed"],
    )
