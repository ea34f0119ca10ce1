"""FastChat's pairwise judgments: two games a row, turned to the pair's own order, each read by the extractor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from judging.formats.verdicts import detect
from tests.judging.formats.reading import refused, told, verdicts, written

ROW: dict[str, Any] = {
    "question_id": 81,
    "model_1": "vicuna",
    "model_2": "alpaca",
    "g1_winner": "model_1",
    "g2_winner": "model_1",
    "judge": ["gpt-4", "pair-v2"],
    "g1_user_prompt": "...",
    "g1_judgment": "Assistant A is clearer. [[A]]",
    "g2_user_prompt": "...",
    "g2_judgment": "Assistant B is clearer. [[B]]",
    "turn": 1,
    "tstamp": 1687222222.5,
}


def test_fastchat_yields_one_verdict_an_order_under_the_name_of_the_votes_pair(tmp_path: Path) -> None:
    path = written(tmp_path / "gpt-4_pair.jsonl", ROW)
    assert detect(path) == "fastchat"
    first, second = verdicts(path)
    # alpaca comes first in the alphabet, so vicuna, shown as A in the first game, is the second role
    assert first.pair_id == second.pair_id == "mtb-81-t1-alpaca-vs-vicuna"
    assert [(one.shown_as_a, one.winner) for one in (first, second)] == [("second", "A"), ("first", "B")]
    assert {(one.judge, one.paraphrase, one.outcome, one.source) for one in (first, second)} == {
        ("gpt-4", "pair-v2", "decided", "replay")
    }
    assert first.called_at.startswith("2023-06-20T")
    assert told(path) == {}


def test_fastchat_counts_c_as_tie_and_an_api_error_as_error(tmp_path: Path) -> None:
    row = ROW | {"g1_judgment": "[[C]]", "g1_winner": "tie", "g2_judgment": "$ERROR$", "g2_winner": "error"}
    assert [(one.outcome, one.winner) for one in verdicts(written(tmp_path / "x.jsonl", row))] == [
        ("decided", "Tie"),
        ("error", ""),
    ]


def test_fastchat_withholds_what_the_original_took_from_a_contradicting_reply(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", ROW | {"g1_judgment": "[[A]] ... no: [[B]]"})
    first, _ = verdicts(path)
    assert (first.outcome, first.winner, first.reason) == ("unparsed", "", "conflicting_verdicts")
    assert "the file records A" in told(path)["other_reading:withheld"]


def test_fastchat_takes_the_recorded_winner_where_no_reply_was_kept(tmp_path: Path) -> None:
    row = {key: value for key, value in ROW.items() if not key.endswith("judgment")} | {"g2_winner": "model_2"}
    path = written(tmp_path / "x.jsonl", row)
    assert [(one.shown_as_a, one.winner) for one in verdicts(path)] == [("second", "A"), ("first", "A")]
    assert set(told(path)) == {"recorded_verdict"}


def test_fastchat_compares_two_grades_as_a_verdict_without_order(tmp_path: Path) -> None:
    graded = ROW | {"m1_score": 6, "m2_score": 9}
    unread = ROW | {"question_id": 82, "m1_score": -1, "m2_score": 9}
    close = ROW | {"question_id": 83, "m1_score": 8.0, "m2_score": 8.1}
    one, two, three = verdicts(written(tmp_path / "x.jsonl", graded, unread, close))
    assert (one.shown_as_a, one.winner, one.n_calls) == ("", "A", 2)
    assert one.scores == {"first": {"overall": 9}, "second": {"overall": 6}}
    assert (two.outcome, two.reason) == ("unparsed", "no_verdict")
    assert three.winner == "Tie"


def test_fastchat_numbers_a_judgment_made_again(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", ROW, ROW)
    assert [one.repeat for one in verdicts(path)] == [0, 0, 1, 1]
    assert "So in 2 rows" in told(path)["judged_again"]


def test_fastchat_refuses_grades_of_single_answers_naming_the_file_to_give(tmp_path: Path) -> None:
    single = {"question_id": 81, "model": "vicuna", "judge": ["gpt-4", "single-v1"], "judgment": "[[8]]", "score": 8}
    assert refused(written(tmp_path / "gpt-4_single.jsonl", single)) == [(1, "model")]


def test_fastchat_refuses_by_row_and_field_and_yields_nothing_of_the_row(tmp_path: Path) -> None:
    rows = [
        ROW | {"model_2": "vicuna"},
        ROW | {"judge": ["gpt-4"]},
        ROW | {"g1_winner": "vicuna"},
        ROW | {"g1_judgment": None, "g1_winner": None, "g2_judgment": None, "g2_winner": None},
        ROW | {"tstamp": "yesterday"},
    ]
    assert refused(written(tmp_path / "x.jsonl", *rows)) == [
        (1, "model_2"), (2, "judge"), (3, "g1_winner"), (4, "g1_judgment"), (5, "tstamp")
    ]  # fmt: skip
