"""Every foreign verdict format beside strange values in each of its fields: a row is read or refused, never a crash."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.errors import InputFileError, Problem
from judging.formats.verdicts import FORMATS, read_verdicts
from judging.records import OUTCOMES, WINNERS, VerdictRecord
from tests.judging.formats import test_arena_hard, test_fastchat, test_llmbar_results, test_reviews_and_completions
from tests.judging.formats.reading import written

RESULTS = {"swap = False": test_llmbar_results.SAYS_A, "swap = True": test_llmbar_results.SAYS_B}
ROWS: dict[str, dict[str, Any]] = {
    "fastchat": test_fastchat.ROW | {"m1_score": 4, "m2_score": 5},
    "arena_hard": test_arena_hard.OLD | {"baseline": "b", "tstamp": 1},
    "llmbar_results": test_llmbar_results.item(["metrics", "stop"], RESULTS),
    "vicuna_reviews": test_reviews_and_completions.REVIEW,
    "completions": test_reviews_and_completions.COMPLETION,
    "judge_labels": test_reviews_and_completions.LABEL | {"reason": "r"},
    "mtbench_votes": test_reviews_and_completions.VOTE,
}
STRANGE = [
    None, "", " ", True, False, -1, 0, 1.5, 10**30, 1e300, [], {}, [None], [[]], {"a": None}, ["a", 1], [1, 2, 3],
    [True, None], [[1, 2], [3]], [{"judgment": {"answer": None}}], [{"swap = False": {}, "swap = True": {}}],
    [{"swap = False": {"completion": [1, 2]}, "swap = True": None}], "x" * 300, "\u2028", "[1", "{", "\\N", "a\x00b",
    "\ud800", "[[A]]", "nan", "inf", "NaN", "1e400", ["\ud800"], {"\ud800": 1}, "none",
]  # fmt: skip


def test_every_foreign_format_is_tried() -> None:
    assert set(ROWS) == {name for name, known in FORMATS.items() if known.foreign}


@pytest.mark.parametrize("name", list(ROWS))
def test_a_strange_value_is_read_or_refused_by_row_and_field(name: str, tmp_path: Path) -> None:
    sound = ROWS[name]
    for field in sound:
        for at, value in enumerate(STRANGE):
            path = written(tmp_path / f"{field}-{at}.jsonl", sound, sound | {field: value})
            records, problems = _read(path, name)
            assert {problem.row for problem in problems} <= {2}, (field, value)
            for one in records:
                assert one.outcome in OUTCOMES
                assert (one.winner in WINNERS) == (one.outcome == "decided"), (field, value)


def _read(path: Path, name: str) -> tuple[list[VerdictRecord], list[Problem]]:
    records: list[VerdictRecord] = []
    try:
        records.extend(one for one in read_verdicts(path, format=name) if isinstance(one, VerdictRecord))
    except InputFileError as error:
        return records, error.problems
    return records, []
