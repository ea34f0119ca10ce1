"""Tie calibration on flags."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_score, recall_score

from analysis.stats.frontier_ties import tie_calibration


@pytest.mark.parametrize(("judged", "precision"), [(42, 0.119), (33, 0.152)])
def test_precision_is_the_papers(judged: int, precision: float) -> None:
    judge, human = np.arange(100) < judged, (np.arange(100) < 5) | (np.arange(100) >= 96)
    found = tie_calibration(judge, human)
    assert found.precision.value == pytest.approx(precision, abs=0.0005)
    assert (found.judge_any, found.human_any, found.both) == (judged, 9, 5)
    assert found.precision.low < found.precision.value < found.precision.high


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=50))
def test_precision_and_recall_equal_scikit_learn(flags: list[tuple[bool, bool]]) -> None:
    judge, human = map(list, zip(*flags, strict=True))
    found = tie_calibration(judge, human)
    if any(judge):
        assert found.precision.value == pytest.approx(precision_score(human, judge))
    else:
        assert found.precision.undefined == "the judge never ties"
    if any(human):
        assert found.recall.value == pytest.approx(recall_score(human, judge))
    else:
        assert found.recall.undefined == "no annotator says Tie"
    assert found.agreement.value == sum(a == b for a, b in flags) / len(flags)


def test_unaligned_flags_are_refused() -> None:
    with pytest.raises(ValueError, match="aligned"):
        tie_calibration([True], [True, False])
