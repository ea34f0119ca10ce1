"""HotpotQA's two shapes, its damaged copies, and malformed rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.construction.items import Fact, HotpotItem
from annotation.errors import InputFileError
from annotation.formats import detect, hotpotqa
from annotation.records import Excluded, Oddity
from tests.annotation.construction.material import DATA
from tests.shared import shared_path

SOUND: dict[str, Any] = {
    "_id": "one",
    "question": "Where?",
    "answer": "There",
    "type": "bridge",
    "level": "hard",
    "supporting_facts": [["A", 0]],
    "context": [["A", ["There it is."]]],
}


def read(path: Path) -> tuple[list[HotpotItem], list[Excluded], list[Oddity]]:
    found = list(hotpotqa.read_items(path))
    kinds = (HotpotItem, Excluded, Oddity)
    items, excluded, odd = ([one for one in found if isinstance(one, kind)] for kind in kinds)
    return items, excluded, odd  # type: ignore[return-value]


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "items.json"
    path.write_text(json.dumps(list(rows)), encoding="utf-8")
    return path


def test_both_shapes_give_the_same_items() -> None:
    original, _, _ = read(DATA / "hotpotqa.json")
    hugging_face, _, _ = read(DATA / "hotpotqa_huggingface.json")
    assert original[: len(hugging_face)] == hugging_face
    assert len(hugging_face) == 8


def test_items_keep_facts_and_paragraphs_in_order() -> None:
    item = read(DATA / "hotpotqa.json")[0][0]
    assert item.titles == ("Analytical Engine", "Charles Babbage")
    assert item.facts[1:] == (Fact("Charles Babbage", 0), Fact("Charles Babbage", 1))
    assert item.paragraph("Charles Babbage").sentences[1].strip() == "He was born in London, England."


def test_damaged_items_are_excluded_by_name_and_the_rest_kept() -> None:
    items, excluded, _ = read(DATA / "hotpotqa.json")
    reasons = {one.item_id: one.reason for one in excluded}
    assert reasons["own-damaged"] == "supporting titles are missing from its context: Rhenus"
    assert "sentence 7 of 'Eiger' is missing" in reasons["own-no-sentence"]
    assert reasons["own-no-answer"] == "the answer is empty"
    assert reasons["own-polar"] == "an earlier row of the file has the same id"
    assert len(items) == 9


def test_a_lone_quotation_mark_leaves_the_answer_and_is_told(tmp_path: Path) -> None:
    items, _, odd = read(written(tmp_path, SOUND | {"answer": 'There" it'}))
    assert items[0].answer == "There it"
    assert [one.code for one in odd] == ["lone_quotation_mark"]
    assert read(written(tmp_path, SOUND | {"answer": '"There" it'}))[0][0].answer == '"There" it'


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"context": [["A", "There it is."]]}, "context"),
        ({"context": {"title": ["A"], "sentences": []}}, "context"),
        ({"context": 7}, "context"),
        ({"supporting_facts": [["A", "0"]]}, "supporting_facts"),
        ({"supporting_facts": [["A", True]]}, "supporting_facts"),
        ({"supporting_facts": ["A"]}, "supporting_facts"),
        ({"supporting_facts": None}, "supporting_facts"),
        ({"_id": ""}, "_id"),
        ({"question": ["Where?"]}, "question"),
    ],
)
def test_malformed_rows_are_refused_by_row_and_field(tmp_path: Path, change: dict[str, Any], field: str) -> None:
    with pytest.raises(InputFileError) as refused:
        read(written(tmp_path, SOUND, SOUND | {"_id": "two"} | change))
    assert [(problem.row, problem.field) for problem in refused.value.problems] == [(2, field)]


def test_json_lines_are_taken_too(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(json.dumps(SOUND | {"_id": name}) for name in ("007", "two")), encoding="utf-8")
    assert [item.item_id for item in read(path)[0]] == ["007", "two"]
    assert detect(path) == "hotpotqa"


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "kept", "excluded"),
    [
        ("hotpot_hard_100.json", 100, 0),
        ("hotpot_medium_60.json", 60, 0),
        ("hotpot_easy_60.json", 60, 0),
        ("hotpot_hard_15_huggingface_shape.json", 15, 0),
        ("raw/original_dev_30.json", 6, 24),
    ],
)
def test_the_counts_of_the_real_files(file: str, kept: int, excluded: int) -> None:
    items, left_out, _ = read(shared_path(f"data/hotpotqa/{file}"))
    assert (len(items), len(left_out)) == (kept, excluded)
    assert all(one.reason.startswith("supporting titles are missing") for one in left_out)


@pytest.mark.shared
def test_the_real_shapes_agree() -> None:
    original, _, _ = read(shared_path("data/hotpotqa/hotpot_hard_100.json"))
    hugging_face, _, _ = read(shared_path("data/hotpotqa/hotpot_hard_15_huggingface_shape.json"))
    assert original[:15] == hugging_face
