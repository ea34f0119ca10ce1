"""doccano's exports: one file a user, packed labels in CSV, the old shape."""

from __future__ import annotations

from pathlib import Path

from annotation.formats import detect, read_labels
from tests.annotation.formats.reading import codes, excluded, labels, problems, votes, write_lines

ROW = {"id": 3, "text": "x", "label": ["Tie"], "Comments": ["hard"], "pair_id": "p1"}


def test_file_is_its_users(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "ann.jsonl", ROW, ROW | {"pair_id": "p2", "label": ["clear", "short"]})
    assert detect(path) == "doccano"
    assert votes(path) == [("p1", "ann", "", "Tie"), ("p2", "ann", "", ("clear", "short"))]
    assert labels(path)[0].comment == "hard"
    assert codes(read_labels(path)) == ["annotator_from_file_name"]


def test_rows_without_a_category_are_excluded(tmp_path: Path) -> None:
    empty, span = ROW | {"pair_id": "p2", "label": []}, ROW | {"pair_id": "p3", "label": [[0, 1, "X"]]}
    path = write_lines(tmp_path / "ann.jsonl", ROW, empty, span)
    assert [name for name, _ in excluded(read_labels(path))] == ["p2", "p3"]


def test_labels_packed_into_a_cell_are_split(tmp_path: Path) -> None:
    path = tmp_path / "ann.csv"
    path.write_text("id,text,label\n1,x,clear#short\n2,y,Tie\n3,z,\n", encoding="utf-8")
    assert votes(path) == [("1", "ann", "", ("clear", "short")), ("2", "ann", "", "Tie")]
    assert codes(read_labels(path)) == ["tool_ids", "annotator_from_file_name"]


def test_old_shape_names_its_users(tmp_path: Path) -> None:
    annotations = [{"label": 1, "user": 5}, {"label": 2, "user": 6}, {"label": 3, "user": 6}]
    path = write_lines(tmp_path / "all.jsonl", {"id": 9, "text": "x", "annotations": annotations})
    assert votes(path) == [("9", "5", "", "1"), ("9", "6", "", ("2", "3"))]


def test_file_of_all_users_is_told(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "all.jsonl", ROW)
    assert any("several people" in getattr(record, "message", "") for record in read_labels(path))


def test_item_twice_is_refused(tmp_path: Path) -> None:
    assert "row 1" in problems(write_lines(tmp_path / "ann.jsonl", ROW, ROW), "labels")[0].message
