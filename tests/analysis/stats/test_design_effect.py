"""The effective number of rows."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.stats.bootstrap import ClusterSums, sum_by_cluster
from analysis.stats.design_effect import effective_n


def test_two_equal_orders_of_each_pair_are_worth_half_their_rows() -> None:
    answers = np.random.default_rng(0).random(2_000) < 0.3
    estimate = effective_n(sum_by_cluster(np.repeat(answers, 2).astype(float), np.repeat(np.arange(2_000), 2)))
    assert estimate.n == 4_000
    assert estimate.value == pytest.approx(2_000, rel=0.001)


def test_independent_rows_are_worth_about_themselves() -> None:
    generator = np.random.default_rng(4)
    rows = (generator.random(20_000) < 0.5).astype(float)
    estimate = effective_n(sum_by_cluster(rows, np.repeat(np.arange(5_000), 4)))
    assert estimate.value == pytest.approx(20_000, rel=0.05)


def test_no_variation_one_cluster_and_no_rows_are_undefined() -> None:
    assert "no variation" in effective_n(ClusterSums.of([2, 3], [2, 3])).undefined
    assert "no variation" in effective_n(ClusterSums.of([1, 2], [2, 4])).undefined
    assert "one cluster" in effective_n(ClusterSums.of([1, 0], [2, 0])).undefined
    assert "no row" in effective_n(ClusterSums.of([0], [0])).undefined


def test_a_mean_that_is_no_rate_is_refused() -> None:
    with pytest.raises(ValueError, match="rate between 0 and 1"):
        effective_n(ClusterSums.of([500, 900], [2, 3]))
