"""FeedbackQA: passages of one question meet in pairs, ratings become preferences."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from annotation.formats import detect, read_labels, read_pairs
from tests.annotation.formats.reading import codes, excluded, labels, pairs, problems, write_json


def row(question: str, number: int, *ratings: str) -> dict[str, Any]:
    reference = {"page_title": "Page", "section_headers": [f"Header {number}"], "section_content": f"Text {number}."}
    return {
        "question": question,
        "passage": {"passage_id": number, "source": "WHO", "reference": reference},
        "rating": list(ratings),
        "feedback": [f"note {number}{letter}" for letter in "ab"],
    }


def test_passages_of_one_question_make_pairs_and_ratings_make_labels(tmp_path: Path) -> None:
    rows = [
        row("Q1", 1, "Acceptable", "Bad"),
        row("Q1", 2, "Excellent", "Bad"),
        row("Q1", 3, "Could be Improved", "Acceptable"),
        row("Q2", 4, "Bad", "Bad"),
    ]
    path = write_json(tmp_path / "feedback.json", rows)
    assert detect(path) == "feedbackqa"
    found = pairs(path)
    assert [pair.pair_id for pair in found] == ["feedbackqa-1-2", "feedbackqa-1-3", "feedbackqa-2-3"]
    assert found[0].candidates == ("Page\nHeader 1\nText 1.", "Page\nHeader 2\nText 2.")
    assert {pair.cluster for pair in found} == {"feedbackqa-question-1"}
    assert [(one.annotator, one.label) for one in labels(path)] == [
        ("rater-1", "second"),
        ("rater-2", "Tie"),
        ("rater-1", "first"),
        ("rater-2", "second"),
        ("rater-1", "first"),
        ("rater-2", "second"),
    ]
    assert labels(path)[0].comment == "note 1a\n\nnote 2a"
    assert excluded(read_pairs(path)) == [("feedbackqa-question-4", "the question has one rated passage only")]
    assert codes(read_labels(path)) == ["annotators_by_position"]


def test_ratings_packed_into_one_cell_are_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    passage = '{"passage_id": 1, "reference": {"section_content": "Text."}}'
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(["question", "passage", "rating", "feedback"])
        writer.writerow(["Q", passage, "['Bad', 'Excellent']", "['no', 'yes']"])
        writer.writerow(["Q", passage, '["Excellent", "Excellent"]', ""])
    assert [one.label for one in labels(path)] == ["second", "Tie"]


@pytest.mark.parametrize("rating", [["Good"], [], None, [3]])
def test_other_ratings_are_refused(tmp_path: Path, rating: object) -> None:
    rows = [row("Q", 1, "Bad", "Bad"), row("Q", 2, "Bad", "Bad") | {"rating": rating}]
    found = problems(write_json(tmp_path / "a.json", rows), "pairs")
    assert [(problem.row, problem.field) for problem in found] == [(2, "rating")]
