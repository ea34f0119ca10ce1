"""What must hold for any ratings."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.stats.agreement import Ratings, agreement_report, coefficient, point
from analysis.stats.estimate import Estimate
from tests.analysis.stats.agreement.strategies import CATEGORIES, Matrix, matrices

UNWEIGHTED = (
    "raw", "pabak", "brennan_prediger", "cohen_kappa", "scott_pi", "fleiss_kappa", "conger_kappa", "ac1",
    "alpha_nominal",
)  # fmt: skip


def alike(first: dict[str, Estimate], second: dict[str, Estimate]) -> None:
    assert first.keys() == second.keys()
    for name, estimate in first.items():
        other = second[name]
        assert estimate.undefined == other.undefined, name
        assert estimate.value == pytest.approx(other.value, abs=1e-9), name
        assert estimate.se == pytest.approx(other.se, abs=1e-7), name


@given(matrices(), st.permutations(CATEGORIES))
def test_renaming_categories_changes_no_unweighted_coefficient(matrix: Matrix, renamed: list[str]) -> None:
    new = dict(zip(CATEGORIES, renamed, strict=True)) | {None: None}
    relabelled = [[new[label] for label in row] for row in matrix]
    alike(
        agreement_report(matrix, categories=CATEGORIES, names=UNWEIGHTED),
        agreement_report(relabelled, categories=CATEGORIES, names=UNWEIGHTED),
    )


@given(matrices())
def test_turning_the_scale_round_changes_nothing(matrix: Matrix) -> None:
    alike(agreement_report(matrix, categories=CATEGORIES), agreement_report(matrix, categories=CATEGORIES[::-1]))


@given(matrices(), st.randoms(use_true_random=False))
def test_order_of_raters_and_items_changes_nothing(matrix: Matrix, shuffler: random.Random) -> None:
    items = list(range(len(matrix[0])))
    shuffler.shuffle(items)
    rows = [[row[item] for item in items] for row in matrix]
    shuffler.shuffle(rows)
    alike(agreement_report(matrix, categories=CATEGORIES), agreement_report(rows, categories=CATEGORIES))


@given(matrices())
def test_unused_declared_category_changes_ac1_and_brennan_prediger_as_their_formulas_say(matrix: Matrix) -> None:
    four = Ratings.from_matrix(matrix, categories=CATEGORIES)
    five = Ratings.from_matrix(matrix, categories=[*CATEGORIES, "never"])
    raw = point(four, "raw")
    if raw is None:
        return
    wide, narrow = point(five, "brennan_prediger"), point(four, "brennan_prediger")
    assert narrow.value == pytest.approx((4 * raw.value - 1) / 3)
    assert wide.value == pytest.approx((5 * raw.value - 1) / 4)
    assert point(five, "ac1").pe == pytest.approx(point(four, "ac1").pe * 3 / 4)
    for name in ("fleiss_kappa", "conger_kappa", "cohen_kappa", "alpha_nominal", "alpha_ordinal", "pabak"):
        first, second = coefficient(four, name), coefficient(five, name)
        assert first.value == pytest.approx(second.value, abs=1e-9), name


@given(matrices(), st.sampled_from(["t", "normal", "percentile", "bca", "wilson", "exact"]))
@settings(max_examples=150)
def test_intervals_contain_the_value_and_stay_in_range(matrix: Matrix, interval: str) -> None:
    report = agreement_report(
        matrix, categories=CATEGORIES, names=(*UNWEIGHTED, "alpha_ordinal"), interval=interval, resamples=60
    )
    for name, estimate in report.items():
        if estimate.value is None:
            assert estimate.undefined
            continue
        assert estimate.value <= 1 + 1e-12, name
        if estimate.low is None:
            continue
        assert estimate.low <= estimate.value <= estimate.high + 1e-12, name
        assert estimate.high <= 1 + 1e-12, name
        if name == "raw":
            assert estimate.low >= 0
            assert 0 <= estimate.value <= 1


@given(matrices(), st.integers(0, 2**32))
@settings(max_examples=40)
def test_same_seed_gives_the_same_resamples(matrix: Matrix, seed: int) -> None:
    options = {"categories": CATEGORIES, "interval": "percentile", "resamples": 40, "seed": seed}
    first = agreement_report(matrix, **options)
    assert first == agreement_report(matrix, **options)
    assert all(estimate.seed == seed for estimate in first.values() if estimate.value is not None)


@given(matrices(max_raters=2, missing=False))
def test_two_complete_raters_make_cohen_conger_and_scott_fleiss_one(matrix: Matrix) -> None:
    report = agreement_report(matrix, categories=CATEGORIES)
    alike({"kappa": report["cohen_kappa"]}, {"kappa": _unnamed(report["conger_kappa"], report["cohen_kappa"])})
    alike({"kappa": report["scott_pi"]}, {"kappa": _unnamed(report["fleiss_kappa"], report["scott_pi"])})


@given(matrices(), st.integers(2, 5))
def test_repeating_every_item_keeps_the_values_and_narrows_the_error(matrix: Matrix, times: int) -> None:
    once = agreement_report(matrix, categories=CATEGORIES, names=UNWEIGHTED[:-1])
    often = agreement_report([row * times for row in matrix], categories=CATEGORIES, names=UNWEIGHTED[:-1])
    for name, estimate in once.items():
        assert often[name].value == pytest.approx(estimate.value, abs=1e-9), name
        if estimate.se:
            n = estimate.n
            expected = estimate.se * ((n - 1) / (n * times - 1)) ** 0.5
            assert often[name].se == pytest.approx(expected, rel=1e-6), name


def _unnamed(estimate: Estimate, like: Estimate) -> Estimate:
    """The estimate, so that only value and standard error are compared."""
    assert (estimate.value is None) == (like.value is None)
    return estimate
