"""manage.py agreement: files in, numbers out, status 2 with file, row and field on bad input."""

from __future__ import annotations

import csv
import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from analysis.stats.agreement import REPORTED, agreement_report
from tests.shared import shared_path

CONTRACT = {"value", "low", "high", "level", "se", "n", "unit", "method"}

ROWS = """pair_id,annotator,label
p1,ann,first
p1,bob,first
p1,cas,first
p2,ann,Tie
p2,bob,second
p3,ann,second
p3,bob,second
p3,cas,second
"""


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


def run(*args: Any, **options: Any) -> str:
    out = StringIO()
    call_command("agreement", *[str(arg) for arg in args], stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def refused(*args: Any) -> str:
    with pytest.raises(CommandError) as caught:
        run(*args)
    assert caught.value.returncode == 2
    return str(caught.value)


def test_json_follows_the_public_contract(labels: Path) -> None:
    body = json.loads(run(labels, "--categories", "first,Tie,second", "--json"))
    assert (body["n_items"], body["n_raters"], body["categories"]) == (3, 3, ["first", "Tie", "second"])
    assert list(body["coefficients"]) == list(REPORTED)
    matrix = [["first", "Tie", "second"], ["first", "second", "second"], ["first", None, "second"]]
    expected = agreement_report(matrix, categories=["first", "Tie", "second"], unit="pair")
    for name, found in body["coefficients"].items():
        assert found == expected[name].as_json()
        assert found["value"] is None or set(found) >= CONTRACT
    assert body["coefficients"]["cohen_kappa"]["value"] is None
    assert [one["raters"] for one in body["pairwise"]] == [["ann", "bob"], ["ann", "cas"], ["bob", "cas"]]


def test_json_without_categories_says_why_ac1_is_undefined(labels: Path) -> None:
    text = run(labels, "--json")
    body = json.loads(text)
    assert body["coefficients"]["ac1"]["value"] is None
    assert "none are declared" in body["coefficients"]["ac1"]["undefined"]
    assert not body["categories_declared"]
    assert not re.search(r"\bNaN\b|\bInfinity\b", text)


def test_plain_table_has_one_line_per_coefficient(labels: Path) -> None:
    lines = run(labels, "--categories", "first,Tie,second").splitlines()
    assert lines[0].startswith("Agreement: 3 pairs (3 with two labels or more), 3 annotators")
    names = [line.split()[0] for line in lines[3:] if line and not line.startswith("Note")]
    assert names == [*REPORTED, *["cohen_kappa"] * 3]
    assert any(line.startswith("cohen_kappa  ") and "there are 3" in line for line in lines)
    assert lines[-1].startswith("Note: 3 items")


def test_out_writes_csv_json_and_latex(labels: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "out"
    run(labels, "--categories", "first,Tie,second", "--out", folder)
    body = json.loads((folder / "agreement.json").read_text(encoding="utf-8"))
    with (folder / "agreement.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["coefficient"] for row in rows] == [*REPORTED, *["cohen_kappa"] * 3]
    for row in rows[: len(REPORTED)]:
        found = body["coefficients"][row["coefficient"]]
        assert (float(row["value"]) if row["value"] else None) == found["value"]
        assert bool(row["undefined"]) == (found["value"] is None)
    latex = (folder / "agreement.tex").read_text(encoding="utf-8")
    assert latex.count(r"\\") == 1 + len(rows)
    assert r"\toprule" in latex
    assert r"fleiss\_kappa" in latex


def test_scheme_supplies_the_categories(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    rows = [
        {"pair_id": "p1", "annotator": "ann", "label": "A", "shown_as_a": "plain"},
        {"pair_id": "p1", "annotator": "bob", "label": "B", "shown_as_a": "cited"},
        {"pair_id": "p2", "annotator": "ann", "label": "Tie", "shown_as_a": "plain"},
        {"pair_id": "p2", "annotator": "bob", "label": "Tie", "shown_as_a": "plain"},
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    body = json.loads(run(path, "--scheme", "graded", "--roles", "plain,cited", "--json"))
    assert body["categories"] == ["plain", "cited", "Tie", "Unclear"]
    assert body["coefficients"]["raw"]["value"] == 1


def test_bootstrap_seed_and_level_are_taken(labels: Path) -> None:
    arguments = [labels, "--categories", "first,Tie,second", "--interval", "percentile", "--resamples", "99", "--json"]
    body = json.loads(run(*arguments, "--seed", "5", "--level", "0.9"))
    found = body["coefficients"]["raw"]
    assert (found["seed"], found["level"]) == (5, 0.9)
    assert "99 resamples" in found["method"]


def test_bad_rows_end_with_status_2_naming_file_row_and_field(labels: Path) -> None:
    told = refused(labels, "--categories", "first,Tie")
    assert "labels.csv, row 6, label: 'second' is no declared category. Declared are first, Tie." in told


def test_several_questions_end_with_status_2_listing_them(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("pair_id,annotator,question,label\np,a,better,x\np,a,fluent,y\n", encoding="utf-8")
    assert "none chosen: better, fluent" in refused(path)
    assert json.loads(run(path, "--question", "better", "--json"))["question"] == "better"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--categories", "a,b,a"], "named twice"),
        (["--categories", " , "], "name the categories"),
        (["--level", "95"], "between 0 and 1"),
        (["--resamples", "0"], "at least 1"),
        (["--seed", "-1"], "zero or more"),
        (["--roles", "plain"], "two roles"),
    ],
)
def test_unusable_options_end_with_status_2(labels: Path, options: list[str], complaint: str) -> None:
    assert complaint in refused(labels, *options)


def test_ratio_weights_on_negative_scores_end_with_status_2(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("pair_id,annotator,label\np,a,-1\np,b,1\n", encoding="utf-8")
    assert "zero or more" in refused(path, "--categories=-1,1", "--weights", "ratio")


def test_missing_file_ends_with_status_2(tmp_path: Path) -> None:
    assert "nowhere.csv" in refused(tmp_path / "nowhere.csv")


def test_no_database_is_touched(labels: Path) -> None:
    # No django_db mark: a query would fail this test.
    assert run(labels, "--categories", "first,Tie,second", "--json")


@pytest.mark.shared
def test_pandalm_file_gives_the_published_agreement() -> None:
    path = shared_path("data/pandalm/raw/testset-v1.json")
    body = json.loads(run(path, "--categories", "first,Tie,second", "--json"))
    assert body["n_items"] == 999
    assert round(body["coefficients"]["raw"]["value"], 4) == 0.9199
    assert round(body["coefficients"]["alpha_nominal"]["value"], 4) == 0.8642
    assert [round(one["value"], 2) for one in body["pairwise"]] == [0.85, 0.88, 0.86]


@pytest.mark.parametrize("word", ["NaN", "nan", "<NA>", "#N/A"])
@pytest.mark.parametrize("declared", [(), ("--categories", "first,Tie,second")])
def test_a_mark_for_a_missing_value_is_no_category(labels: Path, word: str, declared: tuple[str, ...]) -> None:
    labels.write_text(ROWS + f"p4,ann,{word}\n", encoding="utf-8")
    message = refused(labels, *declared)
    assert message.startswith("labels.csv, row 10, label: marks a missing value")
    assert "nan" not in message.lower()


def test_a_file_with_a_byte_order_mark_is_read_alike(labels: Path) -> None:
    plain = run(labels, "--json")
    labels.write_text(ROWS, encoding="utf-8-sig")
    assert run(labels, "--json") == plain


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "labels.csv, file:"),
        ("pair_id,label\np1,first\n", "labels.csv, row 2, annotator:"),
        ("pair_id,annotator,label\np1,ann,\n", "labels.csv, row 2, label:"),
        ("pair_id,annotator,label\np1,ann,first,more\n", "labels.csv, row 2, record:"),
        ("pair_id,annotator,label\np1,ann,first\np1,ann,second\n", "labels.csv, row 3, annotator:"),
        ("pair_id,annotator,label\n", "labels.csv, "),
    ],
)
def test_hostile_files_end_with_status_2_naming_the_place(labels: Path, text: str, where: str) -> None:
    labels.write_text(text, encoding="utf-8")
    assert refused(labels).startswith(where)


def test_bytes_of_another_encoding_end_with_status_2(labels: Path) -> None:
    labels.write_bytes("pair_id,annotator,label\np1,ann,café\n".encode("latin-1"))
    assert "labels.csv, row 2, label" in refused(labels)


def test_an_output_folder_that_cannot_be_made_ends_with_status_2(labels: Path) -> None:
    assert "Name a folder" in refused(labels, "--out", labels)


def test_one_item_and_one_annotator_give_nulls_with_reasons(labels: Path) -> None:
    labels.write_text("pair_id,annotator,label\np1,ann,first\n", encoding="utf-8")
    text = run(labels, "--categories", "first,second", "--json")
    assert not re.search(r"\bnan\b", text, re.IGNORECASE)
    assert {one["value"] for one in json.loads(text)["coefficients"].values()} == {None}
