"""FinQA's nested and flattened shapes, programs that do not fit, and malformed rows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotation.construction.items import FinqaItem
from annotation.errors import InputFileError
from annotation.formats import detect, finqa
from annotation.records import Excluded
from tests.annotation.construction.material import DATA
from tests.shared import shared_path

SOUND: dict[str, Any] = {
    "id": "one",
    "pre_text": ["."],
    "post_text": [],
    "table": [["", "2019"], ["sales", "$ 6"]],
    "qa": {
        "question": "what?",
        "answer": "3",
        "program": "divide(6, 2)",
        "exe_ans": 3.0,
        "gold_inds": {"table_1": "x", "table_9": "y"},
    },
}


def read(path: Path) -> tuple[list[FinqaItem], list[Excluded]]:
    found = list(finqa.read_items(path))
    return [one for one in found if isinstance(one, FinqaItem)], [one for one in found if isinstance(one, Excluded)]


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "items.json"
    path.write_text(json.dumps(list(rows)), encoding="utf-8")
    return path


def test_flattened_items_are_the_nested_ones_without_print_and_gold() -> None:
    nested, _ = read(DATA / "finqa.json")
    flattened, _ = read(DATA / "finqa_flattened.json")
    assert [replace(item, printed_answer="", gold_rows=(), gold_texts=()) for item in nested[:8]] == flattened


def test_results_come_from_the_program_and_are_checked_against_the_file() -> None:
    items, excluded = read(DATA / "finqa.json")
    assert {item.item_id.rsplit("-", 1)[1]: item.result for item in items}["3"] == "yes"
    reasons = {one.item_id.rsplit(".pdf-", 1)[1]: one.reason for one in excluded}
    assert reasons["wrong-result"] == "its program yields 216.0, the file records 5.0"
    assert reasons["broken"].startswith("its program cannot be used: a bracket is not closed")


def test_gold_rows_outside_the_table_are_dropped(tmp_path: Path) -> None:
    assert read(written(tmp_path, SOUND))[0][0].gold_rows == (1,)


def test_an_id_that_repeats_is_excluded(tmp_path: Path) -> None:
    items, excluded = read(written(tmp_path, SOUND, SOUND))
    assert len(items) == 1
    assert excluded == [Excluded("one", "an earlier row of the file has the same id", 2)]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"table": "none"}, "table"),
        ({"pre_text": [1]}, "pre_text"),
        ({"qa": SOUND["qa"] | {"exe_ans": True}}, "exe_ans"),
        ({"qa": SOUND["qa"] | {"exe_ans": None}}, "exe_ans"),
        ({"qa": {key: value for key, value in SOUND["qa"].items() if key != "program"}}, "program"),
    ],
)
def test_malformed_rows_are_refused_by_row_and_field(tmp_path: Path, change: dict[str, Any], field: str) -> None:
    with pytest.raises(InputFileError) as refused:
        read(written(tmp_path, SOUND, SOUND | {"id": "two"} | change))
    assert (2, field) in [(problem.row, problem.field) for problem in refused.value.problems]


def test_the_format_is_recognised() -> None:
    assert detect(DATA / "finqa.json") == detect(DATA / "finqa_flattened.json") == "finqa"


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "kept"), [("raw/finqa_original_format_100.json", 100), ("finqa_flattened_150.json", 150)]
)
def test_every_program_of_the_real_files_yields_what_they_record(file: str, kept: int) -> None:
    items, excluded = read(shared_path(f"data/finqa/{file}"))
    assert (len(items), excluded) == (kept, [])
