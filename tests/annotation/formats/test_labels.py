"""The public labels format: categories, multi-select, kinds, repeats and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.errors import InputFileError, Problem
from annotation.formats import detect, read_labels
from annotation.records import LabelRecord, Oddity

LABEL: dict[str, Any] = {"pair_id": "p1", "annotator": "ann", "label": "Tie"}


def write(path: Path, *items: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return path


def labels(path: Path, **options: str) -> list[LabelRecord]:
    return [record for record in read_labels(path, **options) if isinstance(record, LabelRecord)]


def problems(path: Path, **options: str) -> list[Problem]:
    with pytest.raises(InputFileError) as caught:
        list(read_labels(path, **options))
    return caught.value.problems


def test_csv_row_carries_every_field(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(
        "item_id,annotator,question,label,kind,shown_as_a,seconds,comment,round,revision\n"
        '007,ann,preference,A,third,cited,12.5,"well, ""yes""",r1,2\n',
        encoding="utf-8",
    )
    assert detect(path) == "labels"
    assert labels(path) == [
        LabelRecord(
            pair_id="007",
            annotator="ann",
            label="A",
            question="preference",
            kind="third",
            shown_as_a="cited",
            seconds=12.5,
            comment='well, "yes"',
            round="r1",
            revision=2,
            row=2,
        )
    ]


def test_defaults_are_the_contracts(tmp_path: Path) -> None:
    (label,) = labels(write(tmp_path / "a.jsonl", LABEL))
    assert (label.kind, label.question, label.shown_as_a, label.seconds, label.revision) == (
        "label",
        "",
        "",
        None,
        None,
    )


@pytest.mark.parametrize("word", ["NA", "None", "null", "nan"])
def test_category_that_looks_like_nothing_stays_text(tmp_path: Path, word: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"pair_id,annotator,label\n1,{word},{word}\n", encoding="utf-8")
    assert [(label.annotator, label.label) for label in labels(path)] == [(word, word)]


def test_multi_select_is_a_json_array_in_json_and_in_a_cell(tmp_path: Path) -> None:
    in_json = write(tmp_path / "a.jsonl", LABEL | {"label": ["clear", "short"]})
    in_cell = tmp_path / "a.csv"
    in_cell.write_text('pair_id,annotator,label\np1,ann,"[""clear"", ""short""]"\n', encoding="utf-8")
    assert labels(in_json)[0].label == labels(in_cell)[0].label == ("clear", "short")
    assert labels(write(tmp_path / "b.jsonl", LABEL | {"label": []}))[0].label == ()


def test_bracketed_text_that_is_not_json_is_a_category(tmp_path: Path) -> None:
    assert labels(write(tmp_path / "a.jsonl", LABEL | {"label": "[sic]"}))[0].label == "[sic]"


def test_numbers_become_text(tmp_path: Path) -> None:
    (label,) = labels(write(tmp_path / "a.jsonl", LABEL | {"label": 4, "pair_id": 12, "annotator": 3}))
    assert (label.label, label.pair_id, label.annotator) == ("4", "12", "3")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"pair_id": None}, "pair_id"),
        ({"annotator": " "}, "annotator"),
        ({"label": ""}, "label"),
        ({"label": None}, "label"),
        ({"label": {"a": 1}}, "label"),
        ({"label": ["a", "a"]}, "label"),
        ({"label": ["a", ""]}, "label"),
        ({"label": "a\x00"}, "label"),
        ({"kind": "vote"}, "kind"),
        ({"seconds": "soon"}, "seconds"),
        ({"seconds": -1}, "seconds"),
        ({"seconds": "inf"}, "seconds"),
        ({"revision": "1.5"}, "revision"),
        ({"revision": 0}, "revision"),
        ({"comment": "\x00"}, "comment"),
    ],
)
def test_bad_field_is_refused_by_row_and_name(tmp_path: Path, change: dict[str, Any], field: str) -> None:
    found = problems(write(tmp_path / "a.jsonl", LABEL | {"pair_id": "fine"}, LABEL | change))
    assert [(problem.row, problem.field) for problem in found] == [(2, field)]


def test_annotator_labelling_a_pair_twice_is_refused_with_both_rows(tmp_path: Path) -> None:
    (problem,) = problems(write(tmp_path / "a.jsonl", LABEL, LABEL | {"pair_id": "p2"}, LABEL | {"label": "cited"}))
    assert problem.row == 3
    assert "row 1" in problem.message


@pytest.mark.parametrize(
    "change", [{"revision": 2}, {"question": "evidence"}, {"kind": "repeat"}, {"annotator": "bo"}, {"round": "r2"}]
)
def test_second_label_that_differs_in_its_key_is_kept(tmp_path: Path, change: dict[str, Any]) -> None:
    assert len(labels(write(tmp_path / "a.jsonl", LABEL, LABEL | change))) == 2


def test_one_question_is_chosen_and_an_unknown_one_lists_them(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", LABEL | {"question": "preference"}, LABEL | {"question": "evidence"})
    assert [label.question for label in labels(path, question="evidence")] == ["evidence"]
    assert "evidence, preference" in str(problems(path, question="style")[0])


def test_unknown_columns_are_told(tmp_path: Path) -> None:
    records = list(read_labels(write(tmp_path / "a.jsonl", LABEL | {"second": 3})))
    (oddity,) = [record for record in records if isinstance(record, Oddity)]
    assert "second (meant: seconds?)" in oddity.message
