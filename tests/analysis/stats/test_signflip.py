"""The cluster sign-flip test against full enumeration, the binomial and its own other method."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analysis.stats import signflip
from analysis.stats.signflip import sign_flip_p


def enumerated(changes: list[int]) -> float:
    """All sign patterns, counted one by one."""
    observed = abs(sum(changes))
    patterns = list(product((-1, 1), repeat=len(changes)))
    sums = [abs(sum(s * abs(c) for s, c in zip(signs, changes, strict=True))) for signs in patterns]
    return sum(total >= observed for total in sums) / len(patterns)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=10))
def test_exact_p_equals_enumeration(changes: list[int]) -> None:
    assert sign_flip_p(changes)[0] == pytest.approx(enumerated(changes))


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=10))
def test_tilted_p_equals_enumeration(changes: list[int]) -> None:
    before = signflip._CONVOLVED
    signflip._CONVOLVED = 0
    try:
        assert sign_flip_p(changes)[0] == pytest.approx(enumerated(changes))
    finally:
        signflip._CONVOLVED = before


@pytest.mark.parametrize("wins", [1010, 1100, 1300, 1600, 1990, 2000])
def test_long_tails_keep_their_digits(wins: int) -> None:
    """2,000 single changes are tosses of a coin, whose tail is known to the last digit, however small."""
    changes = [1] * wins + [-1] * (2000 - wins)
    expected = 2 * stats.binom.sf(wins - 1, 2000, 0.5)
    assert sign_flip_p(changes)[0] == pytest.approx(expected, rel=1e-8)


def test_no_change_and_balanced_changes_give_p_1() -> None:
    assert sign_flip_p([0, 0])[0] == 1.0
    assert sign_flip_p([2, -2, 0])[0] == 1.0


def test_fractional_changes_are_flipped_at_random_from_a_seed() -> None:
    changes = np.array([0.5, 0.25, 0.75, 0.5, -0.25])
    p, name = sign_flip_p(changes, resamples=20_000, seed=1)
    assert "20000 random flips" in name
    assert p == sign_flip_p(changes, resamples=20_000, seed=1)[0]
    assert p == pytest.approx(enumerated([2, 1, 3, 2, -1]), abs=0.02)


@pytest.mark.parametrize("change", [float("nan"), float("inf")])
def test_a_change_that_is_no_number_is_refused(change: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        sign_flip_p([1, change])
