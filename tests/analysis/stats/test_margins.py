"""Equivalence and non-inferiority: what an interval inside a margin shows, and what it does not."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.stats.estimate import Estimate
from analysis.stats.margins import equivalence, equivalent_within, non_inferior_within, non_inferiority, widened


def interval(low: float, high: float, level: float = 0.9) -> Estimate:
    return Estimate(value=(low + high) / 2, low=low, high=high, level=level, n=100, unit="pair")


def test_equivalence_needs_both_ends_inside_the_margin() -> None:
    assert equivalent_within(interval(-0.04, 0.04), margin=0.05).shown
    assert not equivalent_within(interval(-0.04, 0.06), margin=0.05).shown
    assert not equivalent_within(interval(-0.05, 0.01), margin=0.05).shown


def test_non_inferiority_looks_at_the_lower_end_alone() -> None:
    assert non_inferior_within(interval(-0.04, 0.5), margin=0.05).shown
    assert not non_inferior_within(interval(-0.06, 0.01), margin=0.05).shown


def test_an_interval_of_another_coverage_is_refused() -> None:
    with pytest.raises(ValueError, match=r"coverage 0\.9"):
        equivalent_within(interval(-0.01, 0.01, level=0.95), margin=0.05)


def test_no_change_among_few_pairs_shows_little() -> None:
    """Nothing changed among 10 pairs: up to 26% may change and give that with 5% chance, so 0.05 is not shown."""
    ten = equivalence(np.ones(10), np.ones(10), margin=0.05, clusters=np.arange(10))
    hundred = equivalence(np.ones(100), np.ones(100), margin=0.05, clusters=np.arange(100))
    assert ten is not None
    assert hundred is not None
    assert not ten.shown
    assert ten.interval.high == pytest.approx(1 - 0.05 ** (1 / 10))
    assert hundred.shown


def test_widening_leaves_other_intervals_alone() -> None:
    assert widened(interval(-0.1, 0.2)) == interval(-0.1, 0.2)


def test_non_inferiority_asks_whether_the_second_arm_is_worse() -> None:
    first = np.r_[np.ones(50), np.zeros(50)]
    second = np.ones(100)
    better = non_inferiority(first, second, margin=0.05, clusters=np.arange(100))
    worse = non_inferiority(second, first, margin=0.05, clusters=np.arange(100))
    assert better is not None
    assert worse is not None
    assert better.shown
    assert not worse.shown


@pytest.mark.parametrize(("margin", "alpha"), [(0, 0.05), (-0.1, 0.05), (0.1, 0.5), (0.1, 0)])
def test_senseless_margins_and_levels_are_refused(margin: float, alpha: float) -> None:
    with pytest.raises(ValueError, match="margin"):
        equivalence([1.0], [1.0], margin=margin, alpha=alpha)


def test_no_rows_give_no_claim() -> None:
    assert equivalence([], [], margin=0.1) is None
    assert non_inferiority([], [], margin=0.1) is None
