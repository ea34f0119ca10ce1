"""The same numbers from independent programs: krippendorff, scikit-learn, statsmodels, and a plain jackknife."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from analysis.stats.agreement import Ratings, coefficient, point
from tests.analysis.stats.agreement.strategies import CATEGORIES, Matrix, matrices

LEVELS = {"nominal": "identity", "ordinal": "krippendorff_ordinal", "interval": "quadratic", "ratio": "ratio"}


def numbers(matrix: Matrix) -> np.ndarray:
    place = {label: float(score) for score, label in enumerate(CATEGORIES, start=1)} | {None: np.nan}
    return np.array([[place[label] for label in row] for row in matrix])


@given(matrices(), st.sampled_from(list(LEVELS)))
def test_alpha_equals_krippendorff(matrix: Matrix, level: str) -> None:
    scores = numbers(matrix)
    ours = point(Ratings.from_matrix(scores, categories=[1, 2, 3, 4]), "krippendorff_alpha", weights=LEVELS[level])
    if ours is None:
        return
    theirs = krippendorff.alpha(scores, level_of_measurement=level, value_domain=[1, 2, 3, 4])
    assert ours.value == pytest.approx(theirs, abs=1e-9)


@given(matrices(min_raters=2, max_raters=2), st.sampled_from([None, "linear", "quadratic"]))
def test_cohen_kappa_equals_scikit_learn_on_items_both_rated(matrix: Matrix, weights: str | None) -> None:
    scores = numbers(matrix)
    ours = point(Ratings.from_matrix(scores, categories=[1, 2, 3, 4]), "cohen_kappa", weights=weights)
    if ours is None:
        return
    first, second = scores[:, ~np.isnan(scores).any(axis=0)]
    theirs = cohen_kappa_score(first, second, labels=[1, 2, 3, 4], weights=weights)
    assert ours.value == pytest.approx(theirs, abs=1e-9)


@given(matrices(missing=False))
def test_fleiss_kappa_equals_statsmodels(matrix: Matrix) -> None:
    ratings = Ratings.from_matrix(matrix, categories=CATEGORIES)
    ours = point(ratings, "fleiss_kappa")
    if ours is None:
        return
    per_item = np.repeat(ratings.counts, ratings.times.astype(int), axis=0)
    assert ours.value == pytest.approx(inter_rater.fleiss_kappa(per_item), abs=1e-9)
    # Randolph's free-marginal kappa is Brennan and Prediger's coefficient under another name.
    randolph = inter_rater.fleiss_kappa(per_item, method="randolph")
    assert point(ratings, "brennan_prediger").value == pytest.approx(randolph, abs=1e-9)


@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic"])
def test_cohen_kappa_standard_error_equals_statsmodels(weights: str) -> None:
    table = np.array([[31, 5, 2, 0], [4, 22, 6, 1], [0, 3, 17, 4], [1, 0, 2, 12]])
    ours = coefficient(Ratings.from_table(table), "cohen_kappa", weights=weights, interval="normal")
    scheme = None if weights == "identity" else weights
    theirs = inter_rater.cohens_kappa(table, wt=scheme)
    assert ours.value == pytest.approx(theirs.kappa, abs=1e-12)
    assert ours.se == pytest.approx(theirs.std_kappa, abs=1e-12)
    assert (ours.low, ours.high) == pytest.approx((theirs.kappa_low, theirs.kappa_upp), abs=1e-12)
    assert ours.p == pytest.approx(2 * stats.norm.sf(ours.value / ours.se), rel=1e-9)


@pytest.mark.parametrize(
    "name",
    ["raw", "brennan_prediger", "ac1", "ac2", "fleiss_kappa", "conger_kappa", "alpha_nominal", "alpha_ordinal"],
)
def test_linearised_standard_error_agrees_with_leaving_out_one_item(name: str) -> None:
    generator = np.random.default_rng(3)
    truth = generator.integers(0, 4, size=400)
    noise = generator.integers(0, 4, size=(3, 400))
    matrix = np.where(generator.random((3, 400)) < 0.7, truth, noise).astype(float)
    ratings = Ratings.from_matrix(matrix, categories=[0, 1, 2, 3])
    left_out = [
        point(Ratings.from_matrix(np.delete(matrix, item, axis=1), categories=[0, 1, 2, 3]), name).value
        for item in range(400)
    ]
    jackknife = np.sqrt(399 / 400 * np.sum((np.array(left_out) - np.mean(left_out)) ** 2))
    assert coefficient(ratings, name).se == pytest.approx(jackknife, rel=0.01)
