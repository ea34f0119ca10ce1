"""Vicuna reviews, raw completions with their order, published labels and votes, as verdicts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from judging.formats.verdicts import detect
from tests.judging.formats.reading import refused, told, verdicts, written
from tests.shared import shared_path

REVIEW = {
    "review_id": "r", "question_id": 7, "answer1_id": "x", "answer2_id": "y", "reviewer_id": 1, "metadata": {},
    "text": "8 9.5\nAssistant 2 goes further.", "score": [8.0, 9.5],
}  # fmt: skip
COMPLETION = {
    "id": "c1", "pair_id": "p1", "raw_text": "Therefore, Output (b) is better.", "finish_reason": "stop",
    "extracted_presented": "B", "order": "swapped", "judge": "j", "format": "Output (a)/(b); CoT",
}  # fmt: skip
LABEL = {"id": "p1", "judge": "j", "order": "both", "label": "B", "value_verbatim": "model_b"}
VOTE = {"question_id": 81, "model_a": "zeta", "model_b": "alpha", "turn": 2, "judge": "gpt4", "winner": "model_a"}


def test_vicuna_reviews_are_named_by_question_and_models_and_keep_the_scores(tmp_path: Path) -> None:
    path = written(tmp_path / "review_llama_alpaca.jsonl", REVIEW, REVIEW | {"question_id": 8, "reviewer_id": "gpt-4"})
    assert detect(path) == "vicuna_reviews"
    one, two = verdicts(path)
    assert (one.pair_id, one.judge, one.winner, one.shown_as_a) == ("vicuna-7-llama_alpaca", "reviewer-1", "B", "first")
    assert one.scores == {"first": {"overall": 8}, "second": {"overall": 9.5}}
    assert two.judge == "gpt-4"


def test_vicuna_reviews_take_scores_at_the_end_and_leave_prose_unparsed(tmp_path: Path) -> None:
    mathematics = REVIEW | {"text": "The first is right.\n\nAssistant 1: 10\nAssistant 2: 1", "score": [10, 1]}
    prose = REVIEW | {"question_id": 8, "text": "Both are fine, I like the second.", "score": [-1, -1]}
    path = written(tmp_path / "review_a_b.jsonl", mathematics, prose)
    assert [(one.outcome, one.winner) for one in verdicts(path)] == [("decided", "A"), ("unparsed", "")]
    assert told(path) == {}


def test_completions_are_read_in_the_style_their_format_names(tmp_path: Path) -> None:
    scores = COMPLETION | {
        "id": "c2",
        "pair_id": "p2",
        "format": "score-pair-first-line",
        "raw_text": "3 3",
        "order": "",
    }
    brackets = COMPLETION | {"id": "c3", "pair_id": None, "format": "brackets; v2", "raw_text": "[[A]]"}
    path = written(tmp_path / "raw.jsonl", COMPLETION, scores, brackets)
    assert detect(path) == "completions"
    assert [(one.pair_id, one.protocol, one.shown_as_a, one.winner) for one in verdicts(path)] == [
        ("p1", "CoT", "second", "B"), ("p2", "score-pair-first-line", "first", "Tie"), ("c3", "v2", "second", "A")
    ]  # fmt: skip
    assert set(told(path)) == {"other_reading:differs"}


def test_completions_refuse_an_unknown_format_and_order(tmp_path: Path) -> None:
    rows = [COMPLETION | {"format": "free text"}, COMPLETION | {"order": "random"}, COMPLETION | {"judge": None}]
    assert refused(written(tmp_path / "raw.jsonl", *rows)) == [(1, "format"), (2, "order"), (3, "judge")]


def test_judge_labels_name_candidates_and_become_sides_of_the_order_shown(tmp_path: Path) -> None:
    rows = [
        LABEL,
        LABEL | {"id": "p2", "order": "original"},
        LABEL | {"id": "p3", "order": "swapped"},
        LABEL | {"id": "p4", "label": "Tie", "value_verbatim": "tie (inconsistent)"},
        LABEL | {"id": "p5", "label": None, "value_verbatim": "garbage"},
        LABEL | {"id": "p6", "label": "garbage", "value_verbatim": "garbage"},
    ]
    path = written(tmp_path / "judge_labels.jsonl", *rows)
    assert detect(path) == "judge_labels"
    assert [(one.shown_as_a, one.outcome, one.winner) for one in verdicts(path)] == [
        ("", "decided", "B"), ("first", "decided", "B"), ("second", "decided", "A"), ("", "decided", "Tie"),
        ("", "unparsed", ""), ("", "unparsed", ""),
    ]  # fmt: skip
    assert "it counts as Tie" in told(path)["inconsistent_tie"]
    assert "So in 2 rows" in told(path)["no_label"]


def test_judge_labels_refuse_a_fifth_label(tmp_path: Path) -> None:
    assert refused(written(tmp_path / "x.jsonl", LABEL, LABEL | {"id": "p2", "label": "C"})) == [(2, "label")]


def test_mtbench_votes_of_a_judge_are_turned_to_the_pair(tmp_path: Path) -> None:
    path = written(tmp_path / "gpt4_pair.jsonl", VOTE)
    assert detect(path) == "mtbench_votes"
    (one,) = verdicts(path)
    assert (one.pair_id, one.shown_as_a, one.winner) == ("mtb-81-t2-alpha-vs-zeta", "", "B")


def test_read_verdicts_takes_the_format_stated_over_the_one_recognised(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", LABEL)
    assert (1, "pair_id") in refused(path, format="verdicts")
    assert refused(path, format="nonsense") == [(None, "format")]


def test_read_verdicts_refuses_a_file_in_no_known_format_listing_those_that_are(tmp_path: Path) -> None:
    assert refused(written(tmp_path / "x.jsonl", {"a": 1})) == [(None, "format")]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "known", "outcomes"),
    [
        ("llmbar/raw_judgments.jsonl", "completions", {"decided": 2615, "unparsed": 279}),
        ("vicuna_blog/raw_judgments.jsonl", "completions", {"decided": 1032, "unparsed": 8}),
        ("vicuna_blog/raw/others__review_llama_alpaca-13b.jsonl", "vicuna_reviews", {"decided": 78, "unparsed": 2}),
        ("pandalm/judge_labels.jsonl", "judge_labels", {"decided": 1973, "unparsed": 25}),
        ("mtbench_human/judge_labels.jsonl", "judge_labels", {"decided": 1814}),
        ("mtbench_human/raw/gpt4_pair.jsonl", "mtbench_votes", {"decided": 2400}),
    ],
)
def test_read_verdicts_takes_every_published_file_whole(file: str, known: str, outcomes: dict[str, int]) -> None:
    path = shared_path(f"data/{file}")
    assert detect(path) == known
    assert Counter(one.outcome for one in verdicts(path)) == outcomes


@pytest.mark.shared
def test_completions_differ_from_the_original_readings_where_the_list_of_differences_says() -> None:
    notes = told(shared_path("data/llmbar/raw_judgments.jsonl"))
    assert "So in 245 rows" in notes["other_reading:withheld"]
    assert "So in 5 rows" in notes["other_reading:differs"]
