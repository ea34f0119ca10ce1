"""The coordinator's workbook of a round: guideline, blind order, labels, adjudications, agreement (TRACE, App. B).

De-identified: annotators appear under their names within the round, never as accounts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from annotation import schemes
from annotation.enums import LabelKind
from annotation.models import Item, Round, RoundAnnotator
from annotation.steps.adjudicate import disagreements, latest_resolutions
from annotation.steps.agree import agreement_of
from annotation.steps.in_force import LabelInForce, labels_in_force
from annotation.workbooks.sheets import lines, table

FORMAT = 1


def write_round_workbook(round: Round, to: Path | BinaryIO) -> None:
    """Write everything people said in ``round``; labels in roles, beside the order each annotator saw."""
    scheme = schemes.from_canonical(round.scheme)
    names = [question.name for question in scheme.questions]
    labels = labels_in_force(round, kinds=LabelKind.values(), with_excluded=True)
    book = Workbook()
    about = book.active
    assert isinstance(about, Worksheet)  # noqa: S101 - a new workbook has one plain sheet
    about.title = "About"
    table(about, ["what", "value"], _about(round), widths=[28, 90])
    latest = round.guidelines.order_by("-version").first()
    lines(book.create_sheet("Guideline"), latest.text if latest else "")
    header = ["item", "pair_id", "kind", "tier", "disputed", "settled", "method", "independent", "reason"]
    table(book.create_sheet("Items"), header, _items(round), widths=[8, 28, 12, 16, 10, 24, 14, 12, 60])
    header = ["pair_id", "annotator", "kind", "shown_as_a", "category", *names, "comment"]
    rows = (_label_row(label, names) for label in labels)
    table(book.create_sheet("Labels"), header, rows, widths=[28, 16, 12, 12, 20, *[18] * len(names), 50])
    table(book.create_sheet("Annotators"), ["annotator", "state", "reason", "pairs", "submitted"], _people(round))
    header = ["question", "coefficient", "value", "low", "high", "level", "n", "unit", "method", "undefined"]
    table(book.create_sheet("Agreement"), header, _agreement(round), widths=[26, 20, 10, 10, 10, 8, 8, 10, 60, 60])
    book.save(to)


def _about(round: Round) -> Iterator[tuple[str, str]]:
    yield "workbook format", str(FORMAT)
    yield "study", round.study.name
    if round.study.notice:
        yield "notice", round.study.notice
    yield "round", round.name
    yield "scheme", f"{round.scheme_name} {round.scheme_version}, sha256 {round.scheme_hash}"
    yield "state", round.state
    yield "labels per pair", str(round.labels_per_pair)
    yield "resolution rule", round.get_resolution_rule_display()
    yield "recruitment", round.recruitment
    yield "language", round.language
    yield "expected hours", "" if round.expected_hours is None else str(round.expected_hours)
    yield "actual hours", "" if round.actual_hours is None else str(round.actual_hours)
    yield "pay basis", round.pay_basis


def _items(round: Round) -> Iterator[list[Any]]:
    disputed = {each.item_id for each in disagreements(round)}
    settled = latest_resolutions(round)
    for item in Item.objects.filter(round=round).select_related("pair").order_by("position"):
        resolution = settled.get(item.pk)
        yield [
            item.position + 1,
            item.pair.pair_id,
            item.kind,
            item.pair.tier or "",
            "yes" if item.pk in disputed else "no",
            resolution.category if resolution else "",
            resolution.method if resolution else "",
            "yes" if resolution and resolution.independent else "",
            resolution.reason if resolution else "",
        ]


def _label_row(label: LabelInForce, names: list[str]) -> list[str]:
    said = (label.answers.get(name, "") for name in names)
    texts = [each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in said]
    return [label.pair_id, label.annotator, label.kind, label.shown_as_a, label.category, *texts, label.comment]


def _people(round: Round) -> Iterator[list[Any]]:
    for place in RoundAnnotator.objects.filter(round=round).order_by("pk"):
        yield [place.name, place.state, place.reason, place.n_assigned, place.n_submitted]


def _agreement(round: Round) -> Iterator[list[Any]]:
    for question in schemes.from_canonical(round.scheme).questions:
        if question.kind in {"single", "scale"} and not question.per_candidate:
            for name, estimate in agreement_of(round, question.name).items():
                yield [
                    question.name, name, estimate.value, estimate.low, estimate.high, estimate.level, estimate.n,
                    estimate.unit, estimate.method, estimate.undefined or "",
                ]  # fmt: skip
