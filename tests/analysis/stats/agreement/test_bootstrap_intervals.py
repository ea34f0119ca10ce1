"""The item bootstrap of coefficients: what it resamples, and what it converges to."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy.stats import multinomial

from analysis.stats.agreement import Ratings, agreement_report, coefficient, point
from analysis.stats.agreement.coefficients import build, find
from analysis.stats.agreement.resampling import item_draws, leave_one_out

MATRIX = [["a", "b", "a", "b", None], ["a", "b", "b", "b", "a"], ["a", "a", "b", None, "b"]]


def test_item_bootstrap_converges_to_every_equally_likely_resample() -> None:
    ratings = Ratings.from_matrix(MATRIX, categories=["a", "b", "c"])
    formula, _ = build(find("ac1"), ratings, None)
    draws = item_draws(ratings, [formula], resamples=40_000, seed=1)[0]
    exact, weights = [], []
    for picks in combinations_with_replacement(range(5), 5):
        resampled = [[row[item] for item in picks] for row in MATRIX]
        found = point(Ratings.from_matrix(resampled, categories=["a", "b", "c"]), "ac1")
        exact.append(np.nan if found is None else found.value)
        weights.append(multinomial.pmf(np.bincount(picks, minlength=5), 5, [0.2] * 5))
    exact, weights = np.array(exact), np.array(weights)
    defined = ~np.isnan(exact)
    mean = np.average(exact[defined], weights=weights[defined])
    spread = np.sqrt(np.average((exact[defined] - mean) ** 2, weights=weights[defined]))
    known = draws[~np.isnan(draws)]
    assert np.isnan(draws).mean() == pytest.approx(weights[~defined].sum(), abs=0.005)
    assert known.mean() == pytest.approx(mean, abs=0.005)
    assert known.std() == pytest.approx(spread, abs=0.005)


@pytest.mark.parametrize("name", ["raw", "ac1", "fleiss_kappa", "conger_kappa", "alpha_nominal", "alpha_ordinal"])
def test_leaving_out_one_item_is_exact(name: str) -> None:
    ratings = Ratings.from_matrix(MATRIX, categories=["a", "b", "c"])
    formula, _ = build(find(name), ratings, None)
    values = leave_one_out(ratings, formula)
    expected = []
    for item in range(5):
        rest = [[label for place, label in enumerate(row) if place != item] for row in MATRIX]
        # Conger's kappa keeps a rater; no rater loses all ratings here.
        expected.append(point(Ratings.from_matrix(rest, categories=["a", "b", "c"]), name).value)
    assert sorted(np.repeat(values, ratings.times.astype(int))) == pytest.approx(sorted(expected))


def test_coefficients_share_their_resamples() -> None:
    ratings = Ratings.from_matrix(MATRIX * 2, categories=["a", "b", "c"])
    formulas = [build(find(name), ratings, None)[0] for name in ("raw", "pabak", "brennan_prediger")]
    raw, pabak, brennan_prediger = item_draws(ratings, formulas, resamples=500, seed=4)
    assert pabak == pytest.approx(2 * raw - 1, nan_ok=True)
    assert brennan_prediger == pytest.approx((3 * raw - 1) / 2, nan_ok=True)


def test_one_by_one_and_together_give_the_same_interval() -> None:
    ratings = Ratings.from_matrix(MATRIX, categories=["a", "b", "c"])
    for interval in ("percentile", "bca"):
        report = agreement_report(ratings, interval=interval, resamples=200)
        for name in ("raw", "ac1", "alpha_nominal", "alpha_ordinal"):
            assert coefficient(ratings, name, interval=interval, resamples=200) == report[name]


def test_resamples_without_the_coefficient_are_counted_not_replaced() -> None:
    ratings = Ratings.from_matrix([["a", "a", "b"], ["a", "a", "a"]], categories=["a", "b"])
    estimate = coefficient(ratings, "fleiss_kappa", interval="percentile", resamples=400)
    assert estimate.value is not None
    assert "resamples in which the coefficient is 0/0 were left out" in estimate.warning


def test_bca_and_percentile_agree_with_the_t_interval_in_large_samples() -> None:
    generator = np.random.default_rng(0)
    truth = generator.integers(0, 3, size=3_000)
    matrix = np.where(generator.random((3, 3_000)) < 0.8, truth, generator.integers(0, 3, size=(3, 3_000)))
    ratings = Ratings.from_matrix(matrix, categories=[0, 1, 2])
    for name in ("ac1", "fleiss_kappa", "alpha_ordinal"):
        analytic = coefficient(ratings, name)
        for interval in ("percentile", "bca"):
            resampled = coefficient(ratings, name, interval=interval)
            assert resampled.low == pytest.approx(analytic.low, abs=0.004)
            assert resampled.high == pytest.approx(analytic.high, abs=0.004)
            assert resampled.seed == 20_260


def test_levels_outside_zero_and_one_and_unknown_intervals_are_refused() -> None:
    ratings = Ratings.from_matrix(MATRIX, categories=["a", "b", "c"])
    with pytest.raises(ValueError, match="coverage between 0 and 1"):
        coefficient(ratings, "ac1", level=95)
    with pytest.raises(ValueError, match="unknown interval"):
        agreement_report(ratings, interval="bayes")
    with pytest.raises(ValueError, match="one resample"):
        coefficient(ratings, "ac1", interval="percentile", resamples=0)
