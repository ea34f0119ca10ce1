"""MT-Bench votes: both model orders meet in one pair; null text, inconsistent ties and double votes are kept."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from annotation.formats import detect, read_labels, read_pairs
from tests.annotation.formats.reading import codes, counts, labels, pairs, problems, votes, write_lines
from tests.shared import shared_path

VOTE: dict[str, Any] = {
    "judge": "expert_1",
    "model_a": "big",
    "model_b": "small",
    "question_id": 81,
    "turn": 1,
    "winner": "model_a",
}
TURNED = VOTE | {"judge": "expert_2", "model_a": "small", "model_b": "big", "winner": "model_a"}


def said(*texts: str) -> list[dict[str, str]]:
    return [{"role": "user" if at % 2 == 0 else "assistant", "content": text} for at, text in enumerate(texts)]


def test_votes_in_both_orders_meet_in_one_pair(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "human.jsonl", VOTE, TURNED, VOTE | {"judge": "expert_3", "winner": "tie"})
    assert detect(path) == "mtbench"
    assert [pair.pair_id for pair in pairs(path)] == ["mtb-81-t1-big-vs-small"]
    assert [label for *_, label in votes(path)] == ["first", "second", "Tie"]


def test_copy_without_conversations_gives_null_text_and_is_told(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "human.jsonl", VOTE)
    records = list(read_pairs(path))
    assert codes(records) == ["task_not_in_file", "null_candidate"]
    assert pairs(path)[0].candidates == (None, None)


def test_questions_beside_the_votes_become_the_task(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "human.jsonl", VOTE, VOTE | {"turn": 2})
    write_lines(tmp_path / "question.jsonl", {"question_id": 81, "category": "writing", "turns": ["Write.", "Again."]})
    first, second = pairs(path)
    assert (first.task, first.domain, first.cluster) == ("Write.", "writing", "mtb-81")
    assert second.task == "Write.\n\n[turn 2] Again."


def test_answers_follow_their_models_into_alphabetical_order(tmp_path: Path) -> None:
    talk = {
        "conversation_a": said("Q1", "small 1", "Q2", "small 2"),
        "conversation_b": said("Q1", "big 1", "Q2", "big 2"),
    }
    (pair,) = pairs(write_lines(tmp_path / "human.jsonl", TURNED | talk | {"turn": 2}))
    assert pair.candidates == ("big 2", "small 2")
    assert pair.task == "Q1\n\n[turn 2] Q2"
    assert pair.meta["models"] == ["big", "small"]


def test_judge_voting_twice_is_kept_under_a_second_name(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "human.jsonl", VOTE, TURNED | {"judge": "expert_1"})
    assert [annotator for _, annotator, *_ in votes(path)] == ["expert_1", "expert_1#2"]
    assert codes(read_labels(path)) == ["voted_twice"]


def test_inconsistent_tie_counts_as_tie_and_is_told(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "gpt4.jsonl", VOTE | {"winner": "tie (inconsistent)"})
    assert [label for *_, label in votes(path)] == ["Tie"]
    assert codes(read_labels(path)) == ["inconsistent_tie"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"winner": "both"}, "winner"),
        ({"winner": None}, "winner"),
        ({"model_b": "big"}, "model_b"),
        ({"turn": "first"}, "turn"),
        ({"judge": ""}, "judge"),
    ],
)
def test_bad_vote_is_refused_by_row_and_field(tmp_path: Path, change: dict[str, Any], field: str) -> None:
    found = problems(write_lines(tmp_path / "human.jsonl", VOTE, VOTE | {"judge": "expert_2"} | change), "labels")
    assert [(problem.row, problem.field) for problem in found] == [(2, field)]


@pytest.mark.shared
def test_published_votes_have_the_counts_of_their_source(tmp_path: Path) -> None:
    path = shared_path("data/mtbench_human/raw/human.jsonl")
    assert counts(read_pairs(path)) == {"PairRecord": 1814, "null_candidate": 1814}
    found = labels(path)
    assert Counter(label.label for label in found) == {"first": 1342, "second": 1233, "Tie": 780}
    assert len({label.annotator for label in found}) == 66
    alone = shutil.copy(path, tmp_path / "human.jsonl")
    assert counts(read_pairs(alone))["task_not_in_file"] == 1
    verdicts = counts(read_labels(shared_path("data/mtbench_human/raw/gpt4_pair.jsonl")))
    assert verdicts == {"LabelRecord": 2400, "inconsistent_tie": 380}
