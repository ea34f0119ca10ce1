"""Label Studio's JSON export: people as numbers or objects, skipped tasks, several controls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.formats import detect, read_labels
from tests.annotation.formats.reading import codes, excluded, labels, problems, votes, write_json


def choice(name: str, *choices: str) -> dict[str, Any]:
    return {"from_name": name, "to_name": "text", "type": "choices", "value": {"choices": list(choices)}}


def annotation(who: Any, *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": 5, "completed_by": who, "result": list(results), "was_cancelled": False, "lead_time": 12.5} | more


def task(*annotations: dict[str, Any], **data: Any) -> dict[str, Any]:
    return {"id": 101, "data": {"pair_id": "p1", "text": "x"} | data, "annotations": list(annotations)}


@pytest.mark.parametrize("who", [7, "7", {"id": 7, "email": "ann@example.org"}])
def test_person_is_the_same_as_number_or_object(tmp_path: Path, who: Any) -> None:
    path = write_json(tmp_path / "a.json", [task(annotation(who, choice("preference", "Tie")))])
    assert detect(path) == "label_studio"
    (label,) = labels(path)
    assert (label.pair_id, label.annotator, label.question, label.label) == ("p1", "7", "preference", "Tie")
    assert (label.seconds, label.revision) == (12.5, 1)


def test_every_control_is_a_question_and_text_is_the_comment(tmp_path: Path) -> None:
    results = [
        choice("preference", "cited"),
        choice("reasons", "clear", "short"),
        {"from_name": "stars", "type": "rating", "value": {"rating": 4}},
        {"from_name": "note", "type": "textarea", "value": {"text": ["well made"]}},
        {"from_name": "span", "type": "labels", "value": {"start": 0}},
    ]
    path = write_json(tmp_path / "a.json", [task(annotation(1, *results))])
    assert votes(path) == [
        ("p1", "1", "preference", "cited"),
        ("p1", "1", "reasons", ("clear", "short")),
        ("p1", "1", "stars", "4"),
    ]
    assert {label.comment for label in labels(path)} == {"well made"}
    assert codes(read_labels(path)) == ["unread_control"]


@pytest.mark.parametrize(("shown", "label"), [("cited", "A"), (None, "left")])
def test_pairwise_side_is_a_letter_only_with_a_recorded_order(tmp_path: Path, shown: str | None, label: str) -> None:
    result = {"from_name": "pw", "type": "pairwise", "value": {"selected": "left"}}
    (found,) = labels(write_json(tmp_path / "a.json", [task(annotation(1, result), shown_as_a=shown)]))
    assert (found.label, found.shown_as_a) == (label, shown or "")


def test_skipped_and_empty_annotations_are_excluded_by_name(tmp_path: Path) -> None:
    skipped, empty = annotation(1, choice("q", "x"), was_cancelled=True), annotation(2)
    path = write_json(tmp_path / "a.json", [task(skipped, empty), task() | {"data": {"pair_id": "p2"}}])
    assert excluded(read_labels(path)) == [
        ("p1", "1 skipped it"),
        ("p1", "2 submitted no label"),
        ("p2", "the task has no annotation"),
    ]


def test_second_annotation_by_a_person_is_a_revision(tmp_path: Path) -> None:
    path = write_json(tmp_path / "a.json", [task(annotation(1, choice("q", "x")), annotation(1, choice("q", "y")))])
    assert [(label.label, label.revision) for label in labels(path)] == [("x", 1), ("y", 2)]


def test_ground_truth_is_gold(tmp_path: Path) -> None:
    (label,) = labels(write_json(tmp_path / "a.json", [task(annotation(1, choice("q", "x"), ground_truth=True))]))
    assert label.kind == "gold"


def test_tasks_without_our_ids_are_told(tmp_path: Path) -> None:
    item = {"id": 101, "data": {"text": "x"}, "annotations": [annotation(1, choice("q", "x"))]}
    path = write_json(tmp_path / "a.json", [item, item | {"id": 102}])
    assert [label.pair_id for label in labels(path)] == ["101", "102"]
    assert codes(read_labels(path)) == ["tool_ids"]


@pytest.mark.parametrize("who", [None, {}, True])
def test_annotation_without_a_person_is_refused(tmp_path: Path, who: Any) -> None:
    found = problems(write_json(tmp_path / "a.json", [task(annotation(who, choice("q", "x")))]), "labels")
    assert [(problem.row, problem.field) for problem in found] == [(1, "annotations.completed_by")]
