"""The cluster bootstrap: against full enumeration, against SciPy, and by its promises."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analysis.stats import bootstrap as engine
from analysis.stats.bootstrap import (
    ClusterSums,
    bootstrap_sums,
    cluster_bootstrap,
    sum_by_cluster,
)
from analysis.stats.cluster_weights import resample_weights, single_precision, weighted_totals
from analysis.stats.intervals import bca_bounds

#: Four clusters of a rate (sum, rows); all 256 equally likely resamples can be listed.
FOUR = ClusterSums.of([1, 2, 0, 3], [2, 3, 1, 3])


def enumerated() -> np.ndarray:
    cells = list(zip(FOUR.numerators[:, 0], FOUR.denominators[:, 0], strict=True))
    return np.array([sum(c[0] for c in pick) / sum(c[1] for c in pick) for pick in product(cells, repeat=4)])


def test_cluster_bootstrap_converges_to_the_full_enumeration() -> None:
    exact = enumerated()
    assert exact.mean() == pytest.approx(0.642957476551, abs=1e-12)
    assert exact.std() == pytest.approx(0.154228062154, abs=1e-12)
    drawn = bootstrap_sums(FOUR, resamples=100_000, seed=7)
    assert drawn.draws.mean() == pytest.approx(exact.mean(), abs=0.002)
    assert drawn.draws.std() == pytest.approx(exact.std(), abs=0.002)
    estimate = drawn.estimate()
    assert estimate.value == pytest.approx(2 / 3)
    assert (estimate.low, estimate.high) == pytest.approx((0.333333333333, 0.909090909091), abs=1e-9)


def test_default_resamples_and_seed_are_stored() -> None:
    (estimate,) = cluster_bootstrap(FOUR)
    assert estimate.seed == engine.DEFAULT_SEED
    assert estimate.method == "cluster bootstrap, percentile, 2000 resamples"
    assert (estimate.n, estimate.unit) == (4, "cluster")


def test_every_resample_draws_as_many_clusters_as_there_are() -> None:
    weights = resample_weights(13, resamples=21, seed=3)
    assert weights.dtype == np.float32
    assert (weights.sum(axis=1) == 13).all()
    assert (weights == np.rint(weights)).all()
    assert weights.min() == 0


def test_rows_are_added_up_by_cluster_in_order_of_first_occurrence() -> None:
    sums = sum_by_cluster([1, 0, 1, 1], ["y", "x", "y", "x"])
    assert sums.numerators.tolist() == [[2], [1]]
    assert sums.denominators.tolist() == [[2], [2]]


def test_missing_values_and_uncounted_rows_stay_out_of_both_sums() -> None:
    values = [[1, np.nan], [0, 1], [1, 1]]
    sums = sum_by_cluster(values, [0, 0, 1])
    assert sums.numerators.tolist() == [[1, 1], [1, 1]]
    assert sums.denominators.tolist() == [[2, 1], [1, 1]]
    masked = sum_by_cluster([1, 0, np.nan], [0, 0, 1], counted=[True, False, False])
    assert masked.numerators.tolist() == [[1], [0]]
    assert masked.denominators.tolist() == [[1], [0]]


def test_metrics_share_resamples_so_that_a_difference_with_itself_is_nothing() -> None:
    generator = np.random.default_rng(2)
    values = generator.random((300, 1)) < 0.4
    sums = sum_by_cluster(np.hstack([values, values]).astype(float), generator.integers(0, 40, 300))
    first, second, difference = cluster_bootstrap(sums, differences=[(0, 1)])
    assert first == second
    assert (difference.value, difference.low, difference.high, difference.se) == (0, 0, 0, 0)


def test_paired_difference_is_narrower_than_two_separate_intervals() -> None:
    generator = np.random.default_rng(1)
    clusters = np.repeat(np.arange(60), 5)
    level = generator.normal(size=60)[clusters]
    before = (level + generator.normal(size=300) * 0.3 > 0).astype(float)
    after = (level + generator.normal(size=300) * 0.3 > 0.3).astype(float)
    first, second, difference = cluster_bootstrap(
        sum_by_cluster(np.column_stack([before, after]), clusters), differences=[(0, 1)]
    )
    assert difference.value == pytest.approx(first.value - second.value)
    assert difference.se < np.hypot(first.se, second.se) * 0.7


def test_derived_index_uses_the_same_resamples() -> None:
    drawn = bootstrap_sums(ClusterSums.of([[1, 2], [2, 1], [0, 3]], [[3], [3], [3]]))
    total = drawn.derived(lambda rates: rates[0] + rates[1])
    assert total.value == pytest.approx(1)
    assert total.low == pytest.approx(1)
    assert total.high == pytest.approx(1)


def test_bca_equals_scipy_on_one_row_per_cluster() -> None:
    sample = np.random.default_rng(8).exponential(size=60)
    (ours,) = cluster_bootstrap(sum_by_cluster(sample, np.arange(60)), method="bca", resamples=40_000)
    theirs = stats.bootstrap(
        (sample,), np.mean, method="BCa", n_resamples=40_000, rng=np.random.default_rng(1)
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.01)
    assert "BCa with a leave-one-cluster-out jackknife" in ours.method


def test_bca_jackknife_leaves_out_whole_clusters() -> None:
    drawn = bootstrap_sums(FOUR)
    assert drawn.jackknife[0] == pytest.approx([5 / 7, 4 / 6, 6 / 8, 3 / 6])
    draws = np.sort(drawn.draws[0])
    estimate = drawn.estimate(method="bca")
    assert (estimate.low, estimate.high) == pytest.approx(
        bca_bounds(2 / 3, draws, np.array([5 / 7, 4 / 6, 6 / 8, 3 / 6]), level=0.95)
    )


def test_single_precision_weights_deviate_by_less_than_a_millionth() -> None:
    generator = np.random.default_rng(0)
    clusters = generator.integers(0, 700, 9_000)
    sums = sum_by_cluster(generator.lognormal(6, 2, size=(9_000, 6)), clusters)
    drawn = bootstrap_sums(sums, resamples=200, seed=5)
    weights = resample_weights(sums.n_clusters, resamples=200, seed=5).astype(np.float64)
    exact = (weights @ sums.numerators) / (weights @ sums.denominators)
    assert np.abs(drawn.draws.T / exact - 1).max() < 1e-6


def test_counts_are_exact_in_single_precision() -> None:
    generator = np.random.default_rng(0)
    sums = sum_by_cluster((generator.random((24_000, 4)) < 0.3).astype(float), generator.integers(0, 1_500, 24_000))
    drawn = bootstrap_sums(sums, resamples=100, seed=5)
    weights = resample_weights(1_500, resamples=100, seed=5).astype(np.float64)
    assert np.array_equal(drawn.draws.T, (weights @ sums.numerators) / (weights @ sums.denominators))


def test_many_statistics_are_multiplied_in_larger_pieces_with_the_same_result() -> None:
    generator = np.random.default_rng(6)
    picks = generator.integers(0, 700, size=(30, 700), dtype=np.uint16)
    wide = generator.integers(0, 9, size=(700, 400)).astype(np.float32)
    weights = np.array([np.bincount(row, minlength=700) for row in picks])
    assert np.array_equal(weighted_totals(picks, wide, n_clusters=700), weights @ wide)
    assert np.array_equal(weighted_totals(picks, wide[:, :5], n_clusters=700), weights @ wide[:, :5])


def test_counts_go_in_as_they_are_and_amounts_as_residuals() -> None:
    whole, shift = single_precision(np.array([[1.0], [2.0]]), np.array([[2.0], [2.0]]), np.array([0.75]))
    assert (whole.tolist(), shift.tolist()) == ([[1, 2], [2, 2]], [0])
    residuals, shift = single_precision(np.array([[1.5], [2.5]]), np.array([[2.0], [2.0]]), np.array([1.0]))
    assert (residuals.tolist(), shift.tolist()) == ([[-0.5, 2], [0.5, 2]], [1])


def test_worker_count_and_block_order_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_BLOCK_WEIGHTS", 40)
    alone = cluster_bootstrap(FOUR, resamples=95, seed=11)
    assert alone == cluster_bootstrap(FOUR, resamples=95, seed=11, workers=3)


def test_one_cluster_has_a_value_and_no_interval() -> None:
    (estimate,) = cluster_bootstrap(ClusterSums.of([3], [4]), unit="query")
    assert (estimate.value, estimate.low, estimate.high) == (0.75, None, None)
    assert estimate.warning == "one query only: its spread cannot be estimated"


def test_nothing_counted_is_undefined() -> None:
    (estimate,) = cluster_bootstrap(ClusterSums.of([0, 0], [0, 0]))
    assert estimate.value is None
    assert "no row counts" in estimate.undefined


def test_resamples_without_a_counted_row_are_left_out_and_told() -> None:
    (estimate,) = cluster_bootstrap(ClusterSums.of([1, 0, 0], [2, 0, 0]), resamples=1_000)
    assert estimate.value == 0.5
    # (2/3)^3 of the resamples miss the only cluster that counts.
    lost = int(estimate.warning.split()[0])
    assert lost / 1_000 == pytest.approx(8 / 27, abs=0.05)


def test_interval_without_width_is_told() -> None:
    (estimate,) = cluster_bootstrap(ClusterSums.of([2, 3], [2, 3]))
    assert (estimate.value, estimate.low, estimate.high) == (1, 1, 1)
    assert "no width" in estimate.warning


def test_sums_that_do_not_fit_or_are_not_finite_are_refused() -> None:
    with pytest.raises(ValueError, match="different clusters"):
        ClusterSums.of([1, 2], [1])
    with pytest.raises(ValueError, match="finite"):
        ClusterSums.of([np.nan], [1])
    with pytest.raises(ValueError, match="rows of clusters"):
        sum_by_cluster([1, 2], [0])
    with pytest.raises(ValueError, match="needs a cluster"):
        sum_by_cluster([1.0, 2.0], [0, np.nan])
    with pytest.raises(ValueError, match="one resample"):
        bootstrap_sums(FOUR, resamples=0)
    with pytest.raises(ValueError, match="coverage"):
        cluster_bootstrap(FOUR, level=95)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12),
    st.integers(0, 2**32),
    st.sampled_from(["percentile", "bca"]),
)
@settings(max_examples=80)
def test_intervals_contain_the_value_stay_in_range_and_reproduce(
    cells: list[tuple[int, int]], seed: int, method: str
) -> None:
    sums = ClusterSums.of([wins for wins, _ in cells], [wins + losses for wins, losses in cells])
    (estimate,) = cluster_bootstrap(sums, seed=seed, method=method, resamples=60)
    assert (estimate,) == cluster_bootstrap(sums, seed=seed, method=method, resamples=60)
    if estimate.low is not None:
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1


@given(st.permutations(range(6)))
def test_order_of_rows_within_clusters_changes_nothing(order: list[int]) -> None:
    values, clusters = np.array([1.0, 0, 1, 1, 0, 1]), np.array([0, 0, 0, 0, 0, 0])
    assert sum_by_cluster(values[order], clusters).ratios() == sum_by_cluster(values, clusters).ratios()
