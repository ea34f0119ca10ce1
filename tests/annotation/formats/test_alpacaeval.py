"""AlpacaEval annotations: preferences from 1 to 2, missing ones, several annotators and both orders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.formats import detect, read_labels
from tests.annotation.formats.reading import codes, excluded, labels, pairs, problems, write_json

ROW: dict[str, Any] = {
    "instruction": "Name a river.",
    "output_1": "Rhine",
    "output_2": "Danube",
    "generator_1": "one",
    "generator_2": "two",
    "annotator": "judge",
    "preference": 1.0,
}
TURNED = ROW | {"output_1": "Danube", "output_2": "Rhine", "generator_1": "two", "generator_2": "one"}


def test_annotators_and_orders_of_one_pair_meet(tmp_path: Path) -> None:
    rows = [ROW, TURNED | {"annotator": "other"}, ROW | {"annotator": "third", "preference": 2}]
    path = write_json(tmp_path / "annotations.json", rows)
    assert detect(path) == "alpacaeval"
    (pair,) = pairs(path)
    assert (pair.candidates, pair.meta["models"]) == (("Danube", "Rhine"), ["two", "one"])
    assert [(one.annotator, one.label) for one in labels(path)] == [
        ("judge", "second"),
        ("other", "first"),
        ("third", "first"),
    ]


@pytest.mark.parametrize(
    ("preference", "label"), [(1.2, "second"), (1.5, "Tie"), (0, "Tie"), (1.97, "first"), ("2", "first")]
)
def test_preference_between_one_and_two_is_read(tmp_path: Path, preference: object, label: str) -> None:
    assert labels(write_json(tmp_path / "a.json", [ROW | {"preference": preference}]))[0].label == label


@pytest.mark.parametrize("preference", [None, "nan", ""])
def test_missing_preference_is_excluded_by_name(tmp_path: Path, preference: object) -> None:
    path = write_json(tmp_path / "a.json", [ROW, ROW | {"annotator": "b", "preference": preference}])
    ((name, reason),) = excluded(read_labels(path))
    assert name == pairs(path)[0].pair_id
    assert "b gave no preference" in reason


@pytest.mark.parametrize("preference", [3, 0.5, "good"])
def test_other_preferences_are_refused(tmp_path: Path, preference: object) -> None:
    found = problems(write_json(tmp_path / "a.json", [ROW | {"preference": preference}]), "labels")
    assert [problem.field for problem in found] == ["preference"]


def test_repeated_annotation_is_a_revision_and_told(tmp_path: Path) -> None:
    path = write_json(tmp_path / "a.json", [ROW, ROW | {"preference": 2.0}])
    assert [one.revision for one in labels(path)] == [1, 2]
    assert codes(read_labels(path)) == ["annotated_again"]


def test_annotator_index_stands_for_a_name(tmp_path: Path) -> None:
    row = {key: value for key, value in ROW.items() if key != "annotator"} | {"annotator_index": 7}
    assert labels(write_json(tmp_path / "a.json", [row]))[0].annotator == "7"
