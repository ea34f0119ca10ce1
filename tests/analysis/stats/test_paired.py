"""McNemar, Holm and the paired bootstrap: published values, statsmodels and scipy, and properties."""

from __future__ import annotations

import gc
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from analysis.stats.paired import ROW_UNIT, compare_paired, compare_rows, holm, mcnemar
from tests.analysis.rebuild import figures

CASES = figures("paired_and_ranking.json")["mcnemar"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['b']}-{case['c']}")
def test_mcnemar_gives_the_published_values(case: dict[str, Any]) -> None:
    found = mcnemar(case["b"], case["c"])
    assert found.exact == pytest.approx(case["exact"], abs=1e-9, rel=1e-9)
    for name, key in (("midp", "midp"), ("chi2", "chi2"), ("p_chi2", "p_chi2")):
        if key in case:
            assert getattr(found, name) == pytest.approx(case[key], abs=1e-9)
    if "chi2_cc" in case:
        assert found.chi2_corrected == pytest.approx(case["chi2_cc"], abs=1e-9)
        assert found.p_corrected == pytest.approx(case["p_cc"], abs=1e-9)


def test_mcnemar_without_discordant_rows_is_p_1_and_says_so() -> None:
    found = mcnemar(0, 0)
    assert (found.exact, found.midp, found.chi2) == (1.0, 1.0, None)
    assert found.note == "no discordant pairs"


@given(st.integers(0, 400), st.integers(0, 400))
def test_mcnemar_equals_scipy_and_statsmodels(b: int, c: int) -> None:
    found = mcnemar(b, c)
    if b + c:
        assert found.exact == pytest.approx(stats.binomtest(b, b + c).pvalue, rel=1e-9)
        other = statsmodels_mcnemar([[0, b], [c, 0]], exact=False, correction=False)
        assert found.p_chi2 == pytest.approx(other.pvalue, rel=1e-9)
    assert found.midp <= found.exact
    assert mcnemar(c, b).exact == found.exact


def test_mcnemar_refuses_negative_counts() -> None:
    with pytest.raises(ValueError, match="at least 0"):
        mcnemar(-1, 2)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_holm_equals_statsmodels(p_values: list[float]) -> None:
    with patch.object(gc, "collect"):  # statsmodels sweeps the whole memory on every call
        expected = multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(list(expected))


def test_holm_of_an_empty_family_is_empty() -> None:
    assert holm([]) == []


@pytest.mark.parametrize(("wins", "low", "high"), [(178, 0.845, 0.93), (196, 0.96, 0.995)])
def test_row_bootstrap_meets_the_exact_binomial_quantiles_in_the_limit(wins: int, low: float, high: float) -> None:
    exact = stats.binom.ppf([0.025, 0.975], 200, wins / 200) / 200
    assert list(exact) == [low, high]
    many = compare_rows(200, wins, 0, resamples=400_000).difference
    assert (many.low, many.high) == (pytest.approx(low), pytest.approx(high))
    usual = compare_rows(200, wins, 0).difference
    assert abs(usual.low - low) <= 0.005 + 1e-12
    assert abs(usual.high - high) <= 0.005 + 1e-12
    assert (usual.n, usual.unit) == (200, ROW_UNIT)


def test_compare_without_clusters_counts_rows_and_tests_by_mcnemar() -> None:
    first, second = np.array([1, 1, 1, 0, 0, 1]), np.array([0, 0, 1, 1, 0, 0])
    found = compare_paired(first, second)
    assert found is not None
    assert (found.n, found.b, found.c, found.unit) == (6, 3, 1, ROW_UNIT)
    assert found.difference.value == pytest.approx(2 / 6)
    assert found.p == mcnemar(3, 1).exact


def test_compare_by_cluster_with_one_row_each_is_mcnemars_exact_test() -> None:
    """One row a cluster: flipping the sign of a changed row is tossing a fair coin."""
    rng = np.random.default_rng(3)
    first, second = rng.integers(0, 2, 60), rng.integers(0, 2, 60)
    by_cluster = compare_paired(first, second, clusters=np.arange(60))
    assert by_cluster is not None
    assert by_cluster.p == pytest.approx(mcnemar(by_cluster.b, by_cluster.c).exact)
    assert by_cluster.unit == "pair"


def test_compare_of_doubled_rows_is_no_surer_by_cluster_but_is_by_row() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.integers(0, 2, 40), np.zeros(40, dtype=int)
    doubled, zeros = np.repeat(first, 2), np.repeat(second, 2)
    clusters = np.repeat(np.arange(40), 2)
    one = compare_paired(first, second, clusters=np.arange(40))
    two = compare_paired(doubled, zeros, clusters=clusters)
    rows = compare_paired(doubled, zeros)
    assert one is not None
    assert two is not None
    assert rows is not None
    assert two.p == pytest.approx(one.p)
    assert (two.difference.low, two.difference.high) == (one.difference.low, one.difference.high)
    assert rows.p < two.p


def test_compare_is_the_same_whatever_the_order_of_rows() -> None:
    rng = np.random.default_rng(5)
    first, second, clusters = rng.integers(0, 2, 90), rng.integers(0, 2, 90), rng.integers(0, 20, 90)
    order = rng.permutation(90)
    one = compare_paired(first, second, clusters=clusters)
    assert one == compare_paired(first[order], second[order], clusters=clusters[order])


def test_compare_of_nothing_is_none_and_of_unaligned_arrays_an_error() -> None:
    assert compare_paired([], []) is None
    with pytest.raises(ValueError, match="aligned"):
        compare_paired([1, 0], [1])
    with pytest.raises(ValueError, match="clusters"):
        compare_paired([1, 0], [1, 1], clusters=[1])


@pytest.mark.parametrize("p_values", [[0.2, float("nan")], [1.2], [-0.1]])
def test_holm_refuses_what_is_no_p_value(p_values: list[float]) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm(p_values)


@pytest.mark.parametrize("clusters", [None, ["a", "b"]])
def test_an_undecided_row_is_refused_and_never_taken_for_an_unchanged_one(clusters: list[str] | None) -> None:
    with pytest.raises(ValueError, match="outcomes are 0 or 1"):
        compare_paired([1, float("nan")], [0, 1], clusters=clusters)
    with pytest.raises(ValueError, match="outcomes are 0 or 1"):
        compare_paired([2, 0], [0, 1], clusters=clusters)


def test_a_row_without_a_cluster_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a cluster"):
        compare_paired([1, 0], [0, 0], clusters=[None, "a"])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
@settings(max_examples=60, deadline=None)
def test_holm_keeps_the_order_of_p_values_and_never_lowers_one(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    ranked = [adjusted[place] for place in np.argsort(p_values, kind="stable")]
    assert ranked == sorted(ranked)
    assert all(p <= q <= 1 for p, q in zip(p_values, adjusted, strict=True))
    assert min(adjusted) == min(1, len(p_values) * min(p_values))
