"""Ratings of summaries and of anything else: SummEval, Newsroom, lists of scores, matrices, objects of annotators."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from annotation.construction.items import OutputItem
from annotation.errors import InputFileError
from annotation.formats import detect, read_items, read_labels
from annotation.formats.ratings import packed_list, packed_scores
from annotation.records import LabelRecord
from tests.annotation.formats.reading import codes, excluded, labels, problems, votes, write_json, write_lines
from tests.shared import shared_path

SUMMARY: dict[str, Any] = {
    "id": "doc",
    "model_id": "M1",
    "decoded": "Short.",
    "text": "Long.",
    "expert_annotations": [{"coherence": 4, "fluency": 5.0}, {"coherence": 3, "fluency": None}],
    "turker_annotations": [{"coherence": 2}],
}


def test_summeval_keeps_experts_and_turkers_apart(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", SUMMARY)
    assert detect(path) == "summeval"
    assert votes(path) == [
        ("doc-M1", "expert-1", "coherence", "4"),
        ("doc-M1", "expert-2", "coherence", "3"),
        ("doc-M1", "expert-1", "fluency", "5"),
        ("doc-M1", "turker-1", "coherence", "2"),
    ]


def test_summeval_items_hold_every_model_and_need_the_text(tmp_path: Path) -> None:
    other = SUMMARY | {"id": "other", "text": None}
    path = write_lines(tmp_path / "a.jsonl", SUMMARY, SUMMARY | {"model_id": "M2", "decoded": "Shorter."}, other)
    records = list(read_items(path))
    (item,) = [record for record in records if isinstance(record, OutputItem)]
    assert (item.context, item.outputs) == ("Long.", {"M1": "Short.", "M2": "Shorter."})
    assert [name for name, _ in excluded(records)] == ["other"]


def test_summeval_model_twice_for_a_document_is_refused(tmp_path: Path) -> None:
    assert "row 1" in problems(write_lines(tmp_path / "a.jsonl", SUMMARY, SUMMARY), "labels")[0].message


def test_newsroom_rows_of_one_summary_are_its_raters(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(
        "ArticleID,System,ArticleText,SystemSummary,ArticleTitle,CoherenceRating,FluencyRating\n"
        '7,lede3,"Long, <br>text","Short",T,4,3\n7,lede3,"Long, <br>text","Short",T,5,\n',
        encoding="utf-8",
    )
    assert detect(path) == "newsroom"
    assert votes(path) == [
        ("7-lede3", "rater-1", "Coherence", "4"),
        ("7-lede3", "rater-1", "Fluency", "3"),
        ("7-lede3", "rater-2", "Coherence", "5"),
    ]
    (item,) = read_items(path)
    assert isinstance(item, OutputItem)
    assert (item.item_id, item.context, item.outputs) == ("7", "Long, <br>text", {"lede3": "Short"})


@pytest.mark.parametrize(
    "scores", [[4, 3, 1], "[4, 3, 1]", "4,3,1", "4 | 3 | 1", {"individual_human_scores": [4, 3, 1]}]
)
def test_lists_of_scores_are_read_however_packed(tmp_path: Path, scores: object) -> None:
    path = write_lines(tmp_path / "a.jsonl", {"id": "n-1", "annotations": {"Fluency": scores}})
    assert detect(path) == "rating_lists"
    assert [(one.annotator, one.label) for one in labels(path)] == [
        ("rater-1", "4"),
        ("rater-2", "3"),
        ("rater-3", "1"),
    ]
    assert codes(read_labels(path)) == ["annotators_by_position"]


def test_instances_of_one_object_are_rows(tmp_path: Path) -> None:
    instances = [{"id": n, "annotations": {"q": {"individual_human_scores": ["yes", None]}}} for n in (1, 2)]
    path = write_json(tmp_path / "a.json", {"dataset": "d", "instances": instances})
    assert votes(path) == [("1", "rater-1", "q", "yes"), ("2", "rater-1", "q", "yes")]


def test_packed_text_that_writes_no_list_is_none() -> None:
    assert packed_list("[sic]") is packed_list("a, b") is None
    assert packed_list("['a', 'b']") == ["a", "b"]
    assert packed_scores(None) is packed_scores(4) is packed_scores(" ") is None


def test_summaries_repackaged_by_document_give_items_and_gold_means(tmp_path: Path) -> None:
    systems = [{"system": "M1", "summary": "Short.", "mean_scores": {"fluency": 4.5}}]
    row = {"doc_id": "d", "source_text": "Long.", "references": [], "systems": systems}
    path = write_lines(tmp_path / "a.jsonl", row)
    assert detect(path) == "summaries"
    (item,) = read_items(path)
    assert isinstance(item, OutputItem)
    assert (item.outputs, item.context) == ({"M1": "Short."}, "Long.")
    assert [(one.kind, one.label, one.question) for one in labels(path)] == [("gold", "4.5", "fluency")]
    found = problems(write_lines(tmp_path / "b.jsonl", row, row | {"doc_id": "e", "systems": systems * 2}), "items")
    assert [(problem.row, problem.field) for problem in found] == [(2, "systems")]


def test_matrix_of_raters_is_read_with_its_blanks(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Units,Rater1,Rater2\n007,a,\n8,  ,b\n,,\n", encoding="utf-8")
    assert detect(path) == "rating_matrix"
    assert votes(path) == [("007", "Rater1", "", "a"), ("8", "Rater2", "", "b")]


def test_matrix_passes_over_a_majority_column_of_formulas(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for record in (["item", "rater 1", "rater 2", "majority"], ["i1", 1, 2, "=MODE(B2:C2)"], [None] * 4):
        book.active.append(record)
    book.save(tmp_path / "a.xlsx")
    assert [label for *_, label in votes(tmp_path / "a.xlsx")] == ["1", "2"]
    assert codes(read_labels(tmp_path / "a.xlsx")) == ["columns_passed_over"]


def test_matrix_with_a_formula_for_a_rating_is_refused(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for record in (["item", "rater 1", "rater 2"], ["i1", 1, "=B2"]):
        book.active.append(record)
    book.save(tmp_path / "a.xlsx")
    (problem,) = problems(tmp_path / "a.xlsx", "labels")
    assert (problem.row, problem.field) == (2, "rater 2")
    assert "formula" in problem.message


def test_matrix_under_other_names_has_to_be_stated(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Group,Units,Ben,Gerry\nG1,1,a,b\n", encoding="utf-8")
    assert "no format" in problems(path, "labels")[0].message
    assert votes(path, format="rating_matrix") == [("1", "Ben", "", "a"), ("1", "Gerry", "", "b")]


def test_object_of_annotators_is_read(tmp_path: Path) -> None:
    path = write_json(tmp_path / "a.json", {"ann": {"i1": 3, "i2": "Yes"}, "bo": {"i1": 4.0}})
    assert detect(path) == "annotator_map"
    assert votes(path) == [("i1", "ann", "", "3"), ("i2", "ann", "", "Yes"), ("i1", "bo", "", "4")]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "items"), [("summeval_40docs_16systems", (40, 16)), ("newsroom_60docs_7systems", (60, 7))]
)
def test_published_summaries_have_the_counts_of_their_source(name: str, items: tuple[int, int]) -> None:
    path = shared_path(f"data/summarisation/{name}.jsonl")
    found = [record for record in read_items(path) if isinstance(record, OutputItem)]
    assert (len(found), {len(item.outputs) for item in found}) == (items[0], {items[1]})


@pytest.mark.shared
def test_published_ratings_have_the_counts_of_their_source() -> None:
    found = labels(shared_path("data/summarisation/newsroom_3raters_ratings.jsonl"))
    assert Counter(one.question for one in found) == dict.fromkeys(
        ("Informativeness", "Relevance", "Fluency", "Coherence"), 1260
    )
    assert len({one.pair_id for one in found}) == 420


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "annotators"),
    [("10k_prompts/human", 13), ("10k_prompts/llm", 6), ("lgbteen/human", 4), ("lgbteen/llm", 6)],
)
def test_published_annotator_objects_are_read(name: str, annotators: int) -> None:
    found = labels(shared_path(f"data/alttest/{name}_annotations.json"))
    assert len({one.annotator for one in found}) == annotators


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "cells"),
    [("anxiety", 60), ("diagnoses", 180), ("video", 80), ("cac.raw4raters", 41), ("cac.raw5obser", 58)],
)
def test_published_matrices_are_read(name: str, cells: int) -> None:
    assert len(labels(shared_path(f"data/r_agreement_datasets/{name}.csv"))) == cells


def test_counts_become_labels_of_raters_told_apart_by_place(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("Group,Subject,yes,no\nA,s1,2,1\nA,s2,,3\n", encoding="utf-8")
    found = [one for one in read_labels(path, format="rating_counts") if isinstance(one, LabelRecord)]
    assert [(one.pair_id, one.annotator, one.label) for one in found[:3]] == [
        ("s1", "rater-1", "yes"), ("s1", "rater-2", "yes"), ("s1", "rater-3", "no")
    ]  # fmt: skip
    assert [one.label for one in found[3:]] == ["no", "no", "no"]


def test_counts_that_are_none_are_refused_by_row_and_column(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("item,yes,no\n1,2,-1\n2,0,0\n1,1,1\n3,x,1\n", encoding="utf-8")
    with pytest.raises(InputFileError) as caught:
        list(read_labels(path, format="rating_counts"))
    assert [(one.row, one.field) for one in caught.value.problems] == [(2, "no"), (3, "row"), (4, "item"), (5, "yes")]


def test_a_contingency_table_becomes_two_labels_an_item(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("Diagnosis,yes,no\nyes,2,1\nno,0,4\n", encoding="utf-8")
    found = [one for one in read_labels(path, format="contingency") if isinstance(one, LabelRecord)]
    both: dict[str, list[str]] = {}
    for one in found:
        both.setdefault(one.pair_id, []).append(str(one.label))
    assert Counter(map(tuple, both.values())) == {("yes", "yes"): 2, ("yes", "no"): 1, ("no", "no"): 4}


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "stated", "expected"),
    [
        ("distrib.6raters", "rating_counts", 90),
        ("raw/distrib.6raters", "rating_counts", 90),
        ("raw/cac.dist4cat", "rating_counts", 60),
        ("raw/cac.dist.g1g2", "rating_counts", 49),
        ("raw/cont3x3abstractors", "contingency", 200),
        ("raw/cont4x4diagnosis", "contingency", 446),
        ("raw/cac.ben.gerry", "rating_matrix", 23),
    ],
)
def test_published_tables_are_read_where_stated(name: str, stated: str, expected: int) -> None:
    path = shared_path(f"data/r_agreement_datasets/{name}.csv")
    found = [one for one in read_labels(path, format=stated) if isinstance(one, LabelRecord)]
    assert len(found) == expected
