"""Where a coefficient is not defined it says why; where it is, it is neither 0 nor 1 by accident."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from analysis.stats.agreement import REPORTED, Ratings, agreement_report, coefficient, pairwise
from analysis.stats.agreement.inference import Interval
from analysis.stats.proportions import wilson_bounds

ALWAYS_ONE = ("raw", "pabak", "brennan_prediger", "ac1", "ac2")
UNDEFINED = ("cohen_kappa", "scott_pi", "fleiss_kappa", "conger_kappa", "alpha_nominal", "alpha_ordinal")


@pytest.mark.parametrize("n_raters", [2, 3])
def test_one_category_used_leaves_chance_corrected_coefficients_undefined(n_raters: int) -> None:
    report = agreement_report([["yes"] * 4] * n_raters, categories=["yes", "no"])
    for name in ALWAYS_ONE:
        assert report[name].value == pytest.approx(1.0), name
    for name in UNDEFINED[2:]:
        assert report[name].value is None, name
        assert "0/0" in report[name].undefined
    two = agreement_report([["yes"] * 4] * 2, categories=["yes", "no"])
    assert all("0/0" in two[name].undefined for name in UNDEFINED)


def test_one_item_has_values_but_no_standard_error_and_no_interval() -> None:
    report = agreement_report([["a"], ["b"]], categories=["a", "b", "c"])
    for name in ("raw", "pabak", "brennan_prediger", "ac1", "fleiss_kappa", "alpha_nominal"):
        estimate = report[name]
        assert estimate.value is not None
        assert estimate.se is None
        assert (estimate.low, estimate.high, estimate.p) == (None, None, None)
        assert "one item" in estimate.method


def test_no_item_with_two_ratings_leaves_everything_undefined() -> None:
    report = agreement_report([["a", None], [None, "b"]], categories=["a", "b"])
    assert set(report) == set(REPORTED)
    for name, estimate in report.items():
        assert estimate.value is None, name
        assert "two ratings" in estimate.undefined


def test_no_ratings_at_all_is_undefined_not_an_error() -> None:
    for matrix in ([[None, None], [None, None]], [[], []], np.empty((0, 0)), np.full((2, 3), np.nan)):
        for categories in (["a", "b"], None):
            report = agreement_report(matrix, categories=categories)
            assert all(estimate.value is None for estimate in report.values())


def test_items_without_any_rating_are_dropped_before_counting() -> None:
    filled = [["a", "b", "a", "b", "a"], ["a", "b", "b", "b", "a"]]
    padded = [[*row, None, None] for row in filled]
    with_rows = agreement_report(padded, categories=["a", "b", "c"])
    assert with_rows == agreement_report(filled, categories=["a", "b", "c"])
    assert with_rows["ac1"].n == 5
    counts = [[2, 0], [1, 1], [0, 0]]
    assert coefficient(Ratings.from_counts(counts), "ac1") == coefficient(Ratings.from_counts(counts[:2]), "ac1")


def test_a_rater_who_rated_nothing_is_dropped() -> None:
    filled = [["a", "b", "a", "b"], ["a", "b", "b", "b"]]
    assert agreement_report([*filled, [None] * 4], categories=["a", "b"]) == agreement_report(
        filled, categories=["a", "b"]
    )


def test_perfect_agreement_takes_its_interval_from_wilson_bounds_of_raw_agreement() -> None:
    matrix = [["a", "b", "a", "b", "a", "b"]] * 2
    low, high = wilson_bounds(6, 6)
    for name in ("raw", "ac1", "fleiss_kappa", "cohen_kappa", "alpha_nominal", "alpha_ordinal", "pabak"):
        estimate = agreement_report(matrix, categories=["a", "b"])[name]
        assert estimate.value == pytest.approx(1.0)
        assert estimate.se == 0
        assert estimate.p is None
        assert "Wilson bounds of raw agreement, because the standard error is zero" in estimate.method
        assert estimate.low < estimate.value == estimate.high == pytest.approx(high)
    assert coefficient(Ratings.from_matrix(matrix), "raw").low == pytest.approx(low)
    assert coefficient(Ratings.from_matrix(matrix), "pabak").low == pytest.approx(2 * low - 1)


def test_perfect_agreement_keeps_width_under_the_bootstrap_too() -> None:
    ratings = Ratings.from_matrix([["a", "b", "a", "b", "a", "b"]] * 2, categories=["a", "b"])
    estimate = coefficient(ratings, "raw", interval="percentile")
    assert (estimate.low, estimate.high) == pytest.approx(wilson_bounds(6, 6))
    assert "Wilson" in estimate.method


def test_same_disagreement_on_every_item_has_zero_standard_error_but_an_interval() -> None:
    estimate = coefficient(Ratings.from_counts([[2, 1]] * 9), "raw")
    assert estimate.value == pytest.approx(1 / 3)
    assert estimate.se == 0
    assert (estimate.low, estimate.high) == pytest.approx(wilson_bounds(3, 9))


def test_without_declared_categories_the_q_dependent_coefficients_are_undefined() -> None:
    report = agreement_report([["a", "b", "a"], ["a", "b", "b"]])
    for name in ("brennan_prediger", "ac1", "ac2"):
        assert "none are declared" in report[name].undefined
    for name in ("alpha_ordinal", "alpha_interval"):
        assert "order" in report[name].undefined
    for name in ("raw", "pabak", "cohen_kappa", "fleiss_kappa", "conger_kappa", "alpha_nominal"):
        assert report[name].value is not None, name


def test_without_declared_categories_numbers_still_have_their_order() -> None:
    matrix = [[1, 2, 3, 3], [1, 2, 2, 3]]
    undeclared = agreement_report(matrix)
    declared = agreement_report(matrix, categories=[1, 2, 3])
    assert undeclared["alpha_ordinal"].value == declared["alpha_ordinal"].value
    assert undeclared["ac2"].value is None


def test_one_declared_category_leaves_nothing_to_choose_from() -> None:
    report = agreement_report([["a", "a"], ["a", "a"]], categories=["a"])
    assert "nothing to choose" in report["ac1"].undefined
    assert "nothing to choose" in report["brennan_prediger"].undefined
    assert report["raw"].value == report["pabak"].value == 1


def test_three_raters_have_no_cohen_kappa_but_one_for_every_two() -> None:
    ratings = Ratings.from_matrix(
        [["a", "b", "a", "b", None], ["a", "b", "b", "b", "a"], ["a", "a", "b", None, "b"]], categories=["a", "b"]
    )
    assert "there are 3" in coefficient(ratings, "cohen_kappa").undefined
    pairs = pairwise(ratings)
    assert list(pairs) == [(0, 1), (0, 2), (1, 2)]
    assert pairs[0, 1].n == 4
    assert pairs[0, 2].n == 3
    assert pairs[0, 1].value == pytest.approx(0.5)


def test_pairwise_names_raters_by_their_places_in_the_input() -> None:
    ratings = Ratings.from_matrix([["a", "b"], [None, None], ["a", "a"], ["b", "b"]], categories=["a", "b"])
    assert ratings.raters == (0, 2, 3)
    assert list(pairwise(ratings, "raw")) == [(0, 2), (0, 3), (2, 3)]
    assert [estimate.value for estimate in pairwise(ratings, "raw").values()] == [0.5, 0.5, 0.0]


def test_anonymous_raters_have_no_coefficient_by_rater() -> None:
    ratings = Ratings.from_counts([[2, 0], [1, 1], [0, 2]])
    for name in ("cohen_kappa", "conger_kappa", "scott_pi"):
        assert "anonymous" in coefficient(ratings, name).undefined
    assert pairwise(ratings) == {}


def test_raters_who_share_no_item_leave_kappa_undefined_and_fleiss_too() -> None:
    ratings = Ratings.from_matrix([["a", None, "b"], [None, "a", None]], categories=["a", "b"])
    assert "two ratings" in coefficient(ratings, "cohen_kappa").undefined


def test_weights_that_make_any_two_answers_agree_leave_zero_over_zero() -> None:
    ratings = Ratings.from_matrix([["a", "b"], ["b", "b"]], categories=["a", "b"])
    estimate = coefficient(ratings, "brennan_prediger", weights=np.ones((2, 2)))
    assert "any two ratings agree" in estimate.undefined


def test_small_samples_carry_a_warning_and_large_ones_do_not() -> None:
    few = coefficient(Ratings.from_table([[50, 10], [5, 34]]), "ac1")
    many = coefficient(Ratings.from_table([[50, 10], [5, 35]]), "ac1")
    assert few.n == 99
    assert "99 items" in few.warning
    assert many.warning is None


def test_missing_cells_are_recognised_in_every_spelling() -> None:
    expected = coefficient(Ratings.from_matrix([["a", "b", None], ["a", "a", "b"]], categories=["a", "b"]), "ac1")
    for blank in (float("nan"), np.nan, pd.NA, pd.NaT, "", "   ", np.float32("nan")):
        ratings = Ratings.from_matrix([["a", "b", blank], ["a", "a", "b"]], categories=["a", "b"])
        assert coefficient(ratings, "ac1") == expected, repr(blank)


def test_undefined_estimates_never_carry_nan_in_their_json() -> None:
    for matrix in ([["a"], ["a"]], [["a", "b"], ["b", "a"]], [[None], ["a"]]):
        for interval in ("t", "normal", "percentile", "bca", "wilson", "exact"):
            report = agreement_report(matrix, categories=["a", "b"], interval=interval, resamples=50)
            text = str([estimate.as_json() for estimate in report.values()])
            assert not re.search(r"\bnan\b|\binf\b", text, re.IGNORECASE)


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_resamples_of_one_value_never_give_a_certainty(interval: Interval) -> None:
    """One item with two ratings among ten: every resample that has it agrees perfectly."""
    matrix = [["a"] * 10, ["a", *[None] * 9]]
    found = coefficient(Ratings.from_matrix(matrix, categories=["a", "b"]), "ac1", interval=interval)
    assert found.value == 1
    assert found.low is not None
    assert found.low < 0.5
    assert "Wilson" in found.method
