"""Parquet files, where pyarrow is installed (requirements-parquet.txt): the same pairs as JSON Lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.formats import detect
from tests.annotation.formats.reading import labels, pairs, problems, write_lines

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow (requirements-parquet.txt) is not installed")
parquet = pytest.importorskip("pyarrow.parquet")

PAIR = {
    "pair_id": "007",
    "task": "t",
    "roles": ["plain", "cited"],
    "candidates": {"plain": None, "cited": ""},
    "source": {"dataset": "d"},
    "meta": '{"n": 1}',
}


def test_nested_columns_say_the_same_as_json(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(pyarrow.Table.from_pylist([PAIR]), path)
    assert detect(path) == "pairs"
    assert pairs(path) == pairs(write_lines(tmp_path / "a.jsonl", PAIR))
    assert pairs(path)[0].candidates == (None, "")


def test_labels_are_read_from_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    rows = [{"pair_id": 7, "annotator": "a", "label": ["x", "y"]}, {"pair_id": 8, "annotator": "a", "label": ["x"]}]
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    assert [(one.pair_id, one.label) for one in labels(path)] == [("7", ("x", "y")), ("8", ("x",))]


def test_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(pyarrow.Table.from_pylist([PAIR]), path)
    path.write_bytes(path.read_bytes()[:-20])
    assert "Parquet" in problems(path, "pairs")[0].message
