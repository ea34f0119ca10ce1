"""Arena-Hard judgments of both versions."""

from __future__ import annotations

from pathlib import Path

from judging.formats.verdicts import detect
from tests.judging.formats.reading import refused, told, verdicts, written

OLD = {
    "question_id": "ab12", "model": "m", "judge": "gpt-4-1106-preview",
    "games": [
        {"user_prompt": "...", "judgment": "My final verdict is: [[A>>B]]", "score": "A>>B"},
        {"user_prompt": "...", "judgment": "My final verdict is tie: [[A=B]]", "score": "A=B"},
    ],
}  # fmt: skip
NEW = {
    "uid": "u-1", "category": "hard_prompt", "judge": "gpt-4.1", "model": "m", "baseline": "o3-mini",
    "games": [{"score": "B>A", "judgment": {"answer": "[[B>A]]"}, "prompt": []}, None],
}  # fmt: skip


def test_arena_hard_shows_the_baseline_as_a_in_the_first_game(tmp_path: Path) -> None:
    path = written(tmp_path / "m.jsonl", OLD)
    assert detect(path) == "arena_hard"
    first, second = verdicts(path)
    assert first.pair_id == "arena-ab12-baseline-vs-m"
    assert [(one.shown_as_a, one.winner) for one in (first, second)] == [("first", "A"), ("second", "Tie")]


def test_arena_hard_reads_version_2_and_counts_a_missing_game_as_an_error(tmp_path: Path) -> None:
    first, second = verdicts(written(tmp_path / "m.jsonl", NEW))
    assert (first.pair_id, first.winner) == ("arena-u-1-o3-mini-vs-m", "B")
    assert (second.shown_as_a, second.outcome, second.reason) == ("second", "error", "no_reply")


def test_arena_hard_tells_where_the_recorded_score_differs_and_keeps_its_own_reading(tmp_path: Path) -> None:
    wrong = OLD | {"games": [OLD["games"][0] | {"score": "B>A"}]}  # type: ignore[index,operator]
    path = written(tmp_path / "m.jsonl", wrong)
    assert [one.winner for one in verdicts(path)] == ["A"]
    assert set(told(path)) == {"other_reading:differs", "one_game"}


def test_arena_hard_refuses_games_that_are_no_games(tmp_path: Path) -> None:
    rows = [OLD | {"games": []}, OLD | {"games": ["[[A>B]]"]}, OLD | {"games": [{"judgment": 3}]}, OLD | {"judge": ""}]
    assert refused(written(tmp_path / "m.jsonl", *rows)) == [(1, "games"), (2, "games"), (3, "games"), (4, "judge")]
