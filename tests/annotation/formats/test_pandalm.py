"""PandaLM's test set: the counts its source states, and the traps met in it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from annotation.errors import InputFileError
from annotation.formats import detect, read_labels, read_pairs
from annotation.records import LabelRecord, Oddity, PairRecord
from tests.shared import shared_path

ITEM: dict[str, Any] = {
    "idx": 0,
    "motivation_app": "Mail",
    "cmp_key": "small-1b_large-7b",
    "instruction": "Shorten the sentence.",
    "input": "It is what it is.",
    "response1": "It is.",
    "response2": "",
    "annotator1": 1,
    "annotator2": 0,
    "annotator3": 2,
}


def write(tmp_path: Path, *items: dict[str, Any]) -> Path:
    path = tmp_path / "set.json"
    path.write_text(json.dumps(list(items)), encoding="utf-8")
    return path


def test_item_becomes_a_pair_and_a_label_an_annotator(tmp_path: Path) -> None:
    path = write(tmp_path, ITEM)
    assert detect(path) == "pandalm"
    pair = next(read_pairs(path))
    assert isinstance(pair, PairRecord)
    assert (pair.pair_id, pair.task, pair.context) == ("pandalm-0", "Shorten the sentence.", "It is what it is.")
    assert (pair.roles, pair.candidates) == (("first", "second"), ("It is.", ""))
    assert pair.meta == {"models": ["small-1b", "large-7b"]}
    labels = [record for record in read_labels(path) if isinstance(record, LabelRecord)]
    assert [(label.annotator, label.label) for label in labels] == [
        ("annotator1", "first"),
        ("annotator2", "Tie"),
        ("annotator3", "second"),
    ]


def test_items_of_one_task_share_a_cluster(tmp_path: Path) -> None:
    others = [ITEM | {"idx": 1, "response1": "So."}, ITEM | {"idx": 2, "input": "Another."}]
    pairs = [record for record in read_pairs(write(tmp_path, ITEM, *others)) if isinstance(record, PairRecord)]
    assert pairs[0].cluster == pairs[1].cluster != pairs[2].cluster


@pytest.mark.parametrize("value", [3, "good", -1])
def test_label_outside_the_three_is_refused(tmp_path: Path, value: object) -> None:
    with pytest.raises(InputFileError) as caught:
        list(read_labels(write(tmp_path, ITEM, ITEM | {"idx": 1, "annotator2": value})))
    assert [(problem.row, problem.field) for problem in caught.value.problems] == [(2, "annotator2")]


def test_idx_used_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="row 1"):
        list(read_pairs(write(tmp_path, ITEM, ITEM)))


@pytest.mark.shared
def test_published_set_has_the_counts_of_its_source() -> None:
    path = shared_path("data/pandalm/raw/testset-v1.json")
    records = list(read_pairs(path))
    counts = Counter(record.code if isinstance(record, Oddity) else type(record).__name__ for record in records)
    expected = {"PairRecord": 999, "boolean_text": 6, "empty_candidate": 54, "duplicate_text": 99, "both_orders": 37}
    assert counts == expected
    labels = Counter(record.label for record in read_labels(path) if isinstance(record, LabelRecord))
    assert labels == {"second": 1416, "first": 1255, "Tie": 326}
