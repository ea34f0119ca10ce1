"""HelpSteer3, chosen / rejected rows and UltraFeedback: prompts in several shapes, people without names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.formats import detect, read_labels, read_pairs
from tests.annotation.formats.reading import codes, excluded, labels, pairs, problems, votes, write_lines

TALK = [
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": "Hello"},
    {"role": "user", "content": "Bye?"},
]
HELPSTEER: dict[str, Any] = {
    "domain": "general",
    "language": "english",
    "context": TALK,
    "response1": "Bye.",
    "response2": "[1] is how some texts begin.",
    "overall_preference": -2,
    "individual_preference": [{"score": -2, "reasoning": "shorter"}, {"score": 0}, {"score": 1}],
}


def test_helpsteer_conversation_is_split_into_task_and_context(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", HELPSTEER)
    assert detect(path) == "helpsteer3"
    (pair,) = pairs(path)
    assert (pair.task, pair.context) == ("Bye?", "[user]\nHi\n\n[assistant]\nHello")
    assert pair.candidates == ("Bye.", "[1] is how some texts begin.")
    assert (pair.target, pair.meta["overall_preference"]) == (None, -2)


def test_helpsteer_scores_become_labels_by_sign(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", HELPSTEER)
    assert [label for *_, label in votes(path)] == ["first", "Tie", "second"]
    assert labels(path)[0].comment == "shorter"
    assert codes(read_labels(path)) == ["annotators_by_position"]


@pytest.mark.parametrize("score", [4, None, "good", True])
def test_helpsteer_score_out_of_range_is_refused(tmp_path: Path, score: object) -> None:
    row = HELPSTEER | {"individual_preference": [{"score": score}]}
    found = problems(write_lines(tmp_path / "a.jsonl", HELPSTEER, row), "labels")
    assert [(problem.row, problem.field) for problem in found] == [(2, "individual_preference")]


def test_helpsteer_row_without_individual_scores_is_excluded(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", HELPSTEER, HELPSTEER | {"individual_preference": []})
    assert [name for name, _ in excluded(read_labels(path))] == ["helpsteer3-1"]


@pytest.mark.parametrize(
    "row",
    [
        {"prompt": "Bye?", "chosen": "Bye.", "rejected": "No."},
        {"instruction": "Bye?", "chosen_response": "Bye.", "rejected_response": "No."},
        {"prompt": TALK[2:], "chosen": "Bye.", "rejected": "No."},
        {
            "prompt": "Bye?",
            "chosen": [*TALK, {"role": "assistant", "content": "Bye."}],
            "rejected": [*TALK, {"role": "assistant", "content": "No."}],
        },
        {
            "chosen": [{"from": "human", "value": "Bye?"}, {"from": "gpt", "value": "Bye."}],
            "rejected": [{"from": "human", "value": "Bye?"}, {"from": "gpt", "value": "No."}],
        },
    ],
)
def test_chosen_and_rejected_are_read_from_texts_and_messages(tmp_path: Path, row: dict[str, Any]) -> None:
    path = write_lines(tmp_path / "a.jsonl", row)
    assert detect(path) == "preference"
    (pair,) = pairs(path)
    assert (pair.task, pair.candidates, pair.target) == ("Bye?", ("Bye.", "No."), "chosen")


def test_chosen_text_that_begins_with_a_bracket_stays_text(tmp_path: Path) -> None:
    (pair,) = pairs(write_lines(tmp_path / "a.jsonl", {"prompt": "[x", "chosen": "[1] a", "rejected": "{b"}))
    assert (pair.task, pair.candidates) == ("[x", ("[1] a", "{b"))


def test_repeated_prompt_id_is_numbered_on_and_told(tmp_path: Path) -> None:
    rows = [{"prompt_id": "p", "prompt": "Q", "chosen": text, "rejected": "no"} for text in ("a", "b", "c")]
    path = write_lines(tmp_path / "a.jsonl", *rows)
    assert [(pair.pair_id, pair.cluster) for pair in pairs(path)] == [("p", "p"), ("p#2", "p"), ("p#3", "p")]
    assert codes(read_pairs(path)) == ["repeated_id", "repeated_id"]


@pytest.mark.parametrize("change", [{"prompt": 3.5, "chosen": []}, {"rejected": [{"role": "user"}]}, {"prompt": []}])
def test_preference_row_of_another_shape_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    row = {"prompt": "Q", "chosen": "a", "rejected": "b"}
    found = problems(write_lines(tmp_path / "a.jsonl", row, row | change), "pairs")
    assert {problem.row for problem in found} == {2}


def test_ultrafeedback_makes_every_two_completions_one_pair(tmp_path: Path) -> None:
    completions = [{"model": name, "response": name * 2, "overall_score": n} for n, name in enumerate("abcd")]
    row = {"source": "s", "instruction": "Q", "completions": completions}
    path = write_lines(tmp_path / "a.jsonl", row, row | {"completions": completions[:1]})
    found = pairs(path)
    assert len(found) == 6
    assert {pair.cluster for pair in found} == {"ultrafeedback-0"}
    assert (found[0].candidates, found[0].meta["overall_scores"]) == (("aa", "bb"), [0, 1])
    assert [name for name, _ in excluded(read_pairs(path))] == ["ultrafeedback-1"]
