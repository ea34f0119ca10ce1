"""Wilson and exact intervals, from published values and two libraries."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.stats.proportions import exact_bounds, proportion, wilson_bounds
from tests.shared import shared_path

#: Newcombe, Statistics in Medicine 17 (1998) 857-872, Table I, method 3: x, n, low, high as printed.
NEWCOMBE = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)]


@pytest.mark.parametrize(("x", "n", "low", "high"), NEWCOMBE)
def test_wilson_equals_newcombe_table(x: int, n: int, low: float, high: float) -> None:
    assert [round(bound, 4) for bound in wilson_bounds(x, n)] == [low, high]


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.9, 0.95]))
def test_bounds_equal_scipy_and_statsmodels(cell: tuple[int, int], level: float) -> None:
    x, n = cell
    for ours, theirs, other in ((wilson_bounds, "wilson", "wilson"), (exact_bounds, "exact", "beta")):
        low, high = ours(x, n, level=level)
        interval = stats.binomtest(x, n).proportion_ci(confidence_level=level, method=theirs)
        assert (low, high) == pytest.approx((interval.low, interval.high), abs=1e-9)
        assert (low, high) == pytest.approx(proportion_confint(x, n, alpha=1 - level, method=other), abs=1e-9)
        assert 0 <= low <= x / n <= high <= 1


def test_no_and_all_successes_reach_the_ends_exactly() -> None:
    for bounds in (wilson_bounds, exact_bounds):
        assert bounds(0, 20)[0] == 0
        assert bounds(20, 20)[1] == 1


def test_zero_trials_are_undefined_not_an_error() -> None:
    for method in ("wilson", "exact"):
        estimate = proportion(0, 0, method=method)
        assert estimate.value is None
        assert "0 of 0" in estimate.undefined


def test_proportion_names_its_method_and_counts() -> None:
    estimate = proportion(15, 148, unit="pair x order")
    assert (estimate.n, estimate.unit, estimate.method) == (148, "pair x order", "Wilson")
    assert proportion(15, 148, method="exact").method == "exact (Clopper-Pearson)"


def test_impossible_counts_and_levels_are_refused() -> None:
    with pytest.raises(ValueError, match="3 successes of 2"):
        proportion(3, 2)
    with pytest.raises(ValueError, match="-1 successes"):
        wilson_bounds(-1, 2)
    with pytest.raises(ValueError, match="coverage"):
        proportion(1, 2, level=95)
    with pytest.raises(ValueError, match="at least one trial"):
        wilson_bounds(0, 0)
    with pytest.raises(ValueError, match="unknown interval"):
        proportion(1, 2, method="wald")


@pytest.mark.shared
def test_wilson_equals_reference() -> None:
    reference = json.loads(shared_path("reference/agreement_golden.json").read_text(encoding="utf-8"))
    for case in reference["wilson_95"]["cases"]:
        estimate = proportion(case["x"], case["n"])
        if case["n"] == 0:
            assert estimate.value is None
        else:
            assert (estimate.low, estimate.high) == pytest.approx((case["low"], case["high"]), abs=1e-9)
