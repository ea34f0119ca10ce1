"""Labels files go in as a closed round, whole or not at all, with everything odd counted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotation.errors import InputFileError, Refused
from annotation.models import ImportReport, Label, Round
from annotation.steps.ingest_labels import import_labels
from tests.material import Material, pair_row

pytestmark = pytest.mark.django_db


def label(pair: int, annotator: str = "ann", **changes: Any) -> dict[str, Any]:
    return {"pair_id": f"p{pair:03}", "annotator": annotator, "label": "A", "shown_as_a": "plain"} | changes


def take(material: Material, rows: list[dict[str, Any]], name: str = "imported") -> tuple[Round, ImportReport]:
    path = material.folder / "labels.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return import_labels(study=material.study, path=path, round_name=name, scheme="preference")


def test_labels_become_a_closed_round_once(material: Material) -> None:
    material.pairs([pair_row(1), pair_row(2)])
    rows = [label(1), label(2, "bea", label="B"), label(1, "bea")]
    round_, report = take(material, rows)
    assert (round_.state, report.rows_read, report.rows_kept, report.n_excluded) == ("closed", 3, 3, 0)
    assert take(material, rows) == (round_, report)
    assert Label.objects.count() == 3
    with pytest.raises(Refused, match="already has a round"):
        take(material, rows[:2])


def test_what_is_odd_or_left_out_of_a_labels_file_is_counted(material: Material) -> None:
    material.pairs([pair_row(1)])
    path = material.folder / "judge_labels.jsonl"
    rows = [{"id": "p001", "judge": f"j{n}", "label": None, "value_verbatim": "garbage"} for n in range(3)]
    rows.append({"id": "p001", "judge": "k", "label": "Tie", "value_verbatim": "tie (inconsistent)"})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    _, report = import_labels(study=material.study, path=path, round_name="judged", scheme="preference")
    assert (report.rows_read, report.rows_kept, report.n_excluded) == (4, 1, 3)
    assert report.oddity_counts == {"inconsistent_tie": 1}


@pytest.mark.parametrize(
    "rows", [[label(9)], [label(1, shown_as_a="neither")], [label(1, label="C")], [label(1, "a" * 400)]]
)
def test_a_label_that_cannot_be_taken_refuses_the_file(rows: list[dict[str, Any]], material: Material) -> None:
    material.pairs([pair_row(1)])
    with pytest.raises(InputFileError):
        take(material, [label(1, "first"), *rows])
    assert not Round.objects.exists()
    assert ImportReport.objects.filter(kind="labels").count() == 0
