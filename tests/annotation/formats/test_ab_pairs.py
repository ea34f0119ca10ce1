"""Pairs with candidate_a and candidate_b, and judges' published labels: garbage, fourth values, null text."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from annotation.formats import detect, read_labels, read_pairs
from tests.annotation.formats.reading import codes, counts, excluded, labels, pairs, problems, votes, write_lines
from tests.shared import shared_path

ITEM: dict[str, Any] = {
    "id": "x-1",
    "task": "Say yes.",
    "candidate_a": "yes",
    "candidate_b": None,
    "labels": {"ann": "A", "bo": "Tie"},
    "gold": None,
    "source": "set",
    "licence": "MIT",
    "turn": 1,
}


def test_row_becomes_a_pair_and_its_votes(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", ITEM)
    assert detect(path) == "ab_pairs"
    (pair,) = pairs(path)
    assert (pair.candidates, pair.target, pair.meta) == (("yes", None), None, {"turn": 1})
    assert (pair.source_dataset, pair.source_licence) == ("set", "MIT")
    assert votes(path) == [("x-1", "ann", "", "first"), ("x-1", "bo", "", "Tie")]


@pytest.mark.parametrize(("gold", "target"), [("A", "first"), ("B", "second"), ("Tie", "tie")])
def test_gold_becomes_the_target_and_a_gold_label(tmp_path: Path, gold: str, target: str) -> None:
    path = write_lines(tmp_path / "a.jsonl", ITEM | {"gold": gold, "labels": {}})
    assert pairs(path)[0].target == target
    assert [(label.kind, label.annotator) for label in labels(path)] == [("gold", "gold")]


def test_fourth_label_counts_as_tie_and_garbage_is_no_label(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", ITEM | {"labels": {"a": "tie (inconsistent)", "b": "garbage", "c": None}})
    records = list(read_labels(path))
    assert votes(path) == [("x-1", "a", "", "Tie")]
    assert codes(records) == ["inconsistent_tie"]
    assert [name for name, _ in excluded(records)] == ["x-1", "x-1"]


def test_unknown_label_and_repeated_id_are_refused(tmp_path: Path) -> None:
    found = problems(write_lines(tmp_path / "a.jsonl", ITEM, ITEM, ITEM | {"id": "y", "labels": {"a": "C"}}), "labels")
    assert [(problem.row, problem.field) for problem in found] == [(2, "id"), (3, "label")]


def test_judges_published_label_keeps_what_it_first_said(tmp_path: Path) -> None:
    row = {"id": "x-1", "judge": "j", "label": "Tie", "value_verbatim": "tie (inconsistent)", "order": "both"}
    path = write_lines(tmp_path / "a.jsonl", row, row | {"judge": "k", "label": None, "value_verbatim": "garbage"})
    records = list(read_labels(path))
    assert detect(path) == "judge_labels"
    assert votes(path) == [("x-1", "j", "", "Tie")]
    assert (codes(records), excluded(records)) == (["inconsistent_tie"], [("x-1", "k gave no label ('garbage')")])


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pandalm", {"PairRecord": 999, "duplicate_text": 99, "empty_candidate": 54, "both_orders": 37}),
        ("mtbench_human", {"PairRecord": 1814, "null_candidate": 1735}),
        ("llmbar", {"PairRecord": 885, "both_orders": 5, "same_text": 1, "blank_candidate": 1}),
    ],
)
def test_published_pairs_have_the_counts_of_their_source(name: str, expected: dict[str, int]) -> None:
    found = counts(read_pairs(shared_path(f"data/{name}/pairs.jsonl")))
    assert found == expected


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pandalm/pairs.jsonl", {"first": 1255, "second": 1416, "Tie": 326}),
        ("mtbench_human/pairs.jsonl", {"first": 1342, "second": 1233, "Tie": 780}),
        ("llmbar/pairs.jsonl", {"first": 440, "second": 445}),
        ("pandalm/judge_labels.jsonl", {"first": 893, "second": 935, "Tie": 145}),
    ],
)
def test_published_labels_have_the_counts_of_their_source(name: str, expected: dict[str, int]) -> None:
    assert Counter(label.label for label in labels(shared_path(f"data/{name}"))) == expected
