"""Preference agreement with people: conventions, an independent kappa, and public judge labels."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from analysis.stats.frontier_grid import ABSENT, FIRST, REFUSED, SECOND, TIE
from analysis.stats.plurality_agreement import human_agreement, pair_labels
from tests.shared import shared_path

answers = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=60)


@given(answers)
def test_kappa_equals_scikit_learn(rows: list[tuple[int, int]]) -> None:
    one, two = map(list, zip(*rows, strict=True))
    found = human_agreement(one, two)["cohen_kappa"]
    if len(set(one) | set(two)) == 1:
        assert found.value is None
    else:
        assert found.value == pytest.approx(cohen_kappa_score(one, two))


def test_conventions_differ_by_what_a_tie_is_worth() -> None:
    found = human_agreement([0, 0, 1, 2, 2], [0, 1, 2, 2, 0])
    assert found["exact"].value == 2 / 5
    assert (found["tie_dropped"].value, found["tie_dropped"].n) == (0.5, 2)
    assert found["tie_half"].value == pytest.approx((2 + 0.5 + 0.5) / 5)


def test_no_pair_in_common_is_undefined() -> None:
    assert all(estimate.value is None for estimate in human_agreement([], []).values())
    assert human_agreement([2], [0])["tie_dropped"].value is None


def test_pair_labels_count_differing_orders_as_a_tie() -> None:
    codes = np.array([[FIRST, FIRST, REFUSED, REFUSED, TIE], [FIRST, SECOND, SECOND, ABSENT, FIRST]], dtype=np.int8)
    assert pair_labels(codes).tolist() == [FIRST, TIE, SECOND, ABSENT, TIE]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("data", "judge", "exact", "kappa", "n"),
    [
        ("mtbench_human", "gpt-4 (both orders)", 0.713, 0.557, 1612),
        ("pandalm", "gpt-3.5-turbo", 0.716, 0.493, 974),
        ("pandalm", "pandalm-7b", 0.668, 0.435, 999),
    ],
)
def test_public_judges_agree_with_people_as_published(
    data: str, judge: str, exact: float, kappa: float, n: int
) -> None:
    def lines(name: str) -> list[dict[str, Any]]:
        path = shared_path(f"data/{data}/{name}.jsonl")
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    codes = {"A": 0, "B": 1, "Tie": 2}
    said = {row["id"]: Counter(row["labels"].values()).most_common() for row in lines("pairs")}
    pairs = [
        (codes[row["label"]], codes[said[row["id"]][0][0]])
        for row in lines("judge_labels")
        if row["judge"] == judge
        and row["label"] in codes
        # a plurality needs one answer more common than the others
        and (len(said[row["id"]]) == 1 or said[row["id"]][0][1] > said[row["id"]][1][1])
    ]
    found = human_agreement(*zip(*pairs, strict=True))
    assert found["exact"].n == n
    assert found["exact"].value == pytest.approx(exact, abs=0.0005)
    assert found["cohen_kappa"].value == pytest.approx(kappa, abs=0.0005)


def test_answers_that_are_no_answer_are_refused() -> None:
    with pytest.raises(ValueError, match="answers are 0"):
        human_agreement([0, 1, 6], [0, 1, 2])
