"""Planning: simulated power against exact sums, and the search for a size."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from analysis.stats.agreement import Ratings, point
from analysis.stats.planning import (
    _rating_patterns,
    power_ac1,
    power_paired_drop,
    power_tie_rate,
    sample_size,
)


def test_power_of_a_paired_drop_equals_the_exact_sum() -> None:
    n, before, after = 60, 0.25, 0.08
    rejecting = [
        (larger, smaller)
        for larger, smaller in product(range(n + 1), repeat=2)
        if smaller <= larger and 0 < larger + smaller <= n and stats.binomtest(larger, larger + smaller).pvalue <= 0.05
    ]
    cells = np.array([[b, c, n - b - c] for one in rejecting for b, c in {one, one[::-1]}])
    exact = float(stats.multinomial.pmf(cells, n, [before, after, 1 - before - after]).sum())
    power = power_paired_drop(n, only_before=before, only_after=after, simulations=40_000)
    assert power.value == pytest.approx(exact, abs=0.01)
    assert power.low < exact < power.high


def test_power_of_a_tie_rate_equals_the_exact_sum() -> None:
    found = [
        count
        for count in range(81)
        if not (ci := stats.binomtest(count, 80).proportion_ci(method="wilson")).low <= 0.3 <= ci.high
    ]
    exact = float(stats.binom.pmf(found, 80, 0.45).sum())
    assert power_tie_rate(80, expected=0.45, reference=0.3, simulations=40_000).value == pytest.approx(exact, abs=0.01)


def test_simulated_items_have_the_expected_ac1_and_shares() -> None:
    shares = np.array([0.7, 0.2, 0.1, 0.0])
    for n_raters in (2, 3):
        patterns, probabilities = _rating_patterns(shares, n_raters, 0.75)
        times = np.round(probabilities * 1e9)
        ratings = Ratings(patterns, times, None, ("a", "b", "c", "d"), declared=True, kind="counts")
        assert point(ratings, "ac1").value == pytest.approx(0.75, abs=1e-6)
        assert times @ patterns / (times.sum() * n_raters) == pytest.approx(shares, abs=1e-6)


def test_power_for_ac1_at_the_threshold_itself_is_about_the_tail_probability() -> None:
    power = power_ac1(300, expected=0.7, threshold=0.7, shares=[0.5, 0.3, 0.2], simulations=1_000)
    assert power.value == pytest.approx(0.025, abs=0.02)


def test_power_grows_with_the_sample_and_with_raters() -> None:
    options = {"expected": 0.85, "threshold": 0.75, "shares": [0.6, 0.3, 0.1], "simulations": 400}
    assert power_ac1(60, **options).value < power_ac1(240, **options).value
    assert power_ac1(60, **options).value < power_ac1(60, n_raters=4, **options).value


def test_sample_size_is_the_least_that_reaches_the_target() -> None:
    found = sample_size(lambda n: power_paired_drop(n, only_before=0.3, only_after=0.1), target=0.8)
    assert found.power.value >= 0.8
    # The exact test's power is a saw-tooth, so the claim is about the size just below and well below.
    assert power_paired_drop(found.n - 1, only_before=0.3, only_after=0.1).value < 0.8
    assert power_paired_drop(found.n // 2, only_before=0.3, only_after=0.1).value < 0.6


def test_target_out_of_reach_is_none_with_the_power_that_was_reached() -> None:
    found = sample_size(lambda n: power_tie_rate(n, expected=0.31, reference=0.3), largest=200)
    assert found.n is None
    assert found.power.value < 0.2


def test_same_seed_same_power() -> None:
    first = power_paired_drop(50, only_before=0.3, only_after=0.1, seed=5)
    assert first == power_paired_drop(50, only_before=0.3, only_after=0.1, seed=5)
    assert first.seed == 5


def test_impossible_plans_are_refused() -> None:
    with pytest.raises(ValueError, match="add up to at most 1"):
        power_paired_drop(50, only_before=0.8, only_after=0.3)
    with pytest.raises(ValueError, match="add up to 1"):
        power_ac1(50, expected=0.8, threshold=0.7, shares=[0.5, 0.2])
    with pytest.raises(ValueError, match="AC1 lies between"):
        power_ac1(50, expected=-0.5, threshold=0.7, shares=[0.9, 0.1])
    with pytest.raises(ValueError, match="two raters"):
        power_ac1(50, expected=0.8, threshold=0.7, shares=[0.9, 0.1], n_raters=1)
    with pytest.raises(ValueError, match="target"):
        sample_size(lambda n: power_tie_rate(n, expected=0.5, reference=0.3), target=80)
