"""Argilla's exports: the same responses in the shapes of its versions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.formats import detect, read_labels
from tests.annotation.formats.reading import codes, excluded, problems, votes, write_json, write_lines

BASE = {"id": "r1", "fields": {"text": "x"}, "metadata": {"pair_id": "p1"}}
V1 = BASE | {
    "responses": [
        {"user_id": "u1", "status": "submitted", "values": {"preference": {"value": "Tie"}, "stars": {"value": 4}}},
        {"user_id": "u2", "status": "discarded", "values": {"preference": {"value": "cited"}}},
    ]
}
V2 = BASE | {"responses": {"preference": [{"user_id": "u1", "value": "Tie"}], "stars": [{"user_id": "u1", "value": 4}]}}
FLAT = {
    "id": "r1",
    "status": "completed",
    "text": "x",
    "pair_id": "p1",
    "preference.responses": ["Tie", "cited"],
    "preference.responses.users": ["u1", "u2"],
    "preference.responses.status": ["submitted", "discarded"],
    "stars.responses": [4],
    "stars.responses.users": ["u1"],
    "stars.responses.status": ["submitted"],
}
FLAT_V1 = {
    "text": "x",
    "pair_id": "p1",
    "preference": [
        {"user_id": "u1", "value": "Tie", "status": "submitted"},
        {"user_id": "u2", "value": "cited", "status": "discarded"},
    ],
    "stars": [{"user_id": "u1", "value": 4, "status": "submitted"}],
}


@pytest.mark.parametrize("record", [V1, V2, FLAT, FLAT_V1])
def test_every_shape_says_the_same(tmp_path: Path, record: dict[str, Any]) -> None:
    path = write_lines(tmp_path / "a.jsonl", record)
    assert detect(path) == "argilla"
    assert votes(path) == [("p1", "u1", "preference", "Tie"), ("p1", "u1", "stars", "4")]


@pytest.mark.parametrize("record", [V1, FLAT, FLAT_V1])
def test_discarded_response_is_excluded_by_name(tmp_path: Path, record: dict[str, Any]) -> None:
    path = write_json(tmp_path / "a.json", [record])
    assert excluded(read_labels(path)) == [("p1", "u2's response to 'preference' is discarded")]


def test_legacy_classification_record_is_read(tmp_path: Path) -> None:
    record = {"id": "p1", "text": "x", "annotation": "Tie", "annotation_agent": "ann", "prediction": None}
    path = write_lines(tmp_path / "a.jsonl", record, record | {"id": "p2", "annotation": None})
    assert votes(path) == [("p1", "ann", "", "Tie")]
    assert excluded(read_labels(path)) == [("p2", "the record has no response")]
    assert codes(read_labels(path)) == ["tool_ids"]


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (["clear", "short"], ("clear", "short")),
        ([{"value": "b", "rank": 2}, {"value": "a", "rank": 1}], "a"),
        ([{"value": "b", "rank": 1}, {"value": "a", "rank": 1}], "Tie"),
        (False, "False"),
    ],
)
def test_multi_labels_and_rankings_are_read(tmp_path: Path, value: object, label: object) -> None:
    record = BASE | {"responses": {"q": [{"user_id": "u", "value": value}]}}
    assert votes(write_lines(tmp_path / "a.jsonl", record)) == [("p1", "u", "q", label)]


def test_spans_and_unmatched_users_are_refused(tmp_path: Path) -> None:
    span = BASE | {"responses": {"q": [{"user_id": "u", "value": [{"start": 0, "end": 1, "label": "x"}]}]}}
    assert problems(write_lines(tmp_path / "a.jsonl", span), "labels")[0].field == "responses.q"
    lost = FLAT | {"stars.responses.users": []}
    assert problems(write_lines(tmp_path / "b.jsonl", lost), "labels")[0].field == "stars.responses"
