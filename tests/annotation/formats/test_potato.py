"""Potato's exports: the same labels as JSONL, as a table and as a user's state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.formats import detect, read_labels
from tests.annotation.formats.reading import excluded, labels, problems, votes, write_json, write_lines

INSTANCE: dict[str, Any] = {
    "id": "p1",
    "displayed_text": "x",
    "label_annotations": {
        "preference": {"Tie": "true"},
        "reasons": {"clear": "true", "short": "true"},
        "note": {"text_box": "well made"},
    },
    "span_annotations": {},
    "behavioral_data": {"time_string": "Time spent: 0d 0h 1m 50s "},
}
EXPECTED = [
    ("p1", "ann", "preference", "Tie"),
    ("p1", "ann", "reasons", ("clear", "short")),
    ("p1", "ann", "note", "well made"),
]


def test_instances_belong_to_the_user_of_their_folder(tmp_path: Path) -> None:
    (tmp_path / "ann").mkdir()
    path = write_lines(
        tmp_path / "ann" / "annotated_instances.jsonl", INSTANCE, INSTANCE | {"id": "p2", "label_annotations": {}}
    )
    assert detect(path) == "potato"
    assert votes(path) == EXPECTED
    assert {label.seconds for label in labels(path)} == {110.0}
    assert excluded(read_labels(path)) == [("p2", "ann gave no label")]


def test_table_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "annotated_instances.tsv"
    path.write_text(
        "user\tinstance_id\tdisplayed_text\tpreference:::Tie\tpreference:::cited\treasons:::clear\treasons:::short"
        "\tnote:::text_box\tspan_annotation:::x\n"
        "ann\tp1\tx\ttrue\t\ttrue\ttrue\twell made\t[]\n",
        encoding="utf-8",
    )
    assert votes(path) == EXPECTED


@pytest.mark.parametrize(
    "state",
    [
        INSTANCE["label_annotations"],
        [
            [{"schema": "preference", "name": "Tie"}, "true"],
            [{"schema": "reasons", "name": "clear"}, True],
            [{"schema": "reasons", "name": "short"}, True],
            [{"schema": "note", "name": "text_box"}, "well made"],
        ],
    ],
)
def test_users_state_says_the_same_in_both_shapes(tmp_path: Path, state: Any) -> None:
    document = {"user_id": "ann", "instance_id_ordering": ["p1"], "instance_id_to_label_to_value": {"p1": state}}
    path = write_json(tmp_path / "user_state.json", document)
    assert detect(path) == "potato"
    assert votes(path) == EXPECTED


def test_item_twice_for_a_user_is_refused(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "ann.jsonl", INSTANCE, INSTANCE)
    assert [problem.row for problem in problems(path, "labels")] == [2, 2, 2]
