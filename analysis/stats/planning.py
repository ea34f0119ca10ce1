"""How many pairs are enough: power by simulation, seeded, with its own Monte Carlo interval.

Every power is the share of simulated studies that reach the stated conclusion with the very test this package
would run on the finished study, so that small-sample behaviour is included and no formula is approximated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from analysis.stats.agreement import Ratings, coefficient
from analysis.stats.bootstrap import DEFAULT_SEED
from analysis.stats.estimate import Estimate
from analysis.stats.proportions import proportion, wilson_bounds

FloatArray = NDArray[np.float64]

DEFAULT_SIMULATIONS = 2_000
DEFAULT_ALPHA = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSize:
    """The least size whose simulated power reaches ``target``; ``n`` is None where even ``largest`` does not."""

    n: int | None
    power: Estimate
    target: float
    largest: int


def power_paired_drop(
    n: int,
    *,
    only_before: float,
    only_after: float,
    alpha: float = DEFAULT_ALPHA,
    simulations: int = DEFAULT_SIMULATIONS,
    seed: int = DEFAULT_SEED,
) -> Estimate:
    """Power of the two-sided exact McNemar test over ``n`` pairs judged under two protocols.

    ``only_before`` and ``only_after`` are the shares of pairs with the outcome under one protocol only; their
    difference is the drop.
    """
    _check_shares(only_before, only_after)
    generator = np.random.default_rng(seed)
    same = max(0.0, 1 - only_before - only_after)
    cells = generator.multinomial(n, [only_before, only_after, same], size=simulations)
    discordant = cells[:, 0] + cells[:, 1]
    tail = stats.binom.cdf(np.minimum(cells[:, 0], cells[:, 1]), discordant, 0.5)
    p = np.minimum(1.0, 2 * tail)
    return _power(p <= alpha, "exact McNemar test", seed)


def power_tie_rate(
    n: int,
    *,
    expected: float,
    reference: float,
    level: float = 0.95,
    simulations: int = DEFAULT_SIMULATIONS,
    seed: int = DEFAULT_SEED,
) -> Estimate:
    """Power to tell a tie rate from ``reference``: its Wilson interval over ``n`` pairs leaves the reference out."""
    _check_shares(expected)
    _check_shares(reference)
    ties = np.random.default_rng(seed).binomial(n, expected, size=simulations)
    outside = {int(count): _excludes(int(count), n, reference, level) for count in np.unique(ties)}
    found = np.array([outside[int(count)] for count in ties])
    return _power(found, f"Wilson interval excludes {reference:g}", seed)


def power_ac1(
    n: int,
    *,
    expected: float,
    threshold: float,
    shares: Sequence[float],
    n_raters: int = 2,
    level: float = 0.95,
    simulations: int = DEFAULT_SIMULATIONS,
    seed: int = DEFAULT_SEED,
) -> Estimate:
    """Power to show that AC1 exceeds ``threshold``: the lower bound of its interval over ``n`` items lies above.

    ``shares`` (q,) are the expected shares of all declared categories. Items are a mixture: on some all raters
    agree, on the others they choose independently; the mixture is set so that AC1 is ``expected``.
    """
    patterns, probabilities = _rating_patterns(np.asarray(shares, dtype=np.float64), n_raters, expected)
    drawn = np.random.default_rng(seed).multinomial(n, probabilities, size=simulations)
    distinct, copies = np.unique(drawn, axis=0, return_counts=True)
    found = [_exceeds(patterns, times.astype(np.float64), threshold, level) for times in distinct]
    return _power(np.repeat(np.array(found), copies), f"AC1 interval above {threshold:g}", seed)


def sample_size(
    power_at: Callable[[int], Estimate], *, target: float = 0.8, smallest: int = 2, largest: int = 5_000
) -> SampleSize:
    """The least size between ``smallest`` and ``largest`` with power ``target``, by bisection.

    ``power_at`` maps a size to its power, such as ``lambda n: power_paired_drop(n, only_before=.2, ...)``; one
    seed for all sizes keeps the search steady.
    """
    if not 0 < target < 1 or not 1 <= smallest <= largest:
        raise ValueError("target lies between 0 and 1, and smallest is at least 1 and at most largest")
    power = power_at(largest)
    if _value(power) < target:
        return SampleSize(n=None, power=power, target=target, largest=largest)
    low, high = smallest, largest
    while low < high:
        middle = (low + high) // 2
        at_middle = power_at(middle)
        if _value(at_middle) >= target:
            high, power = middle, at_middle
        else:
            low = middle + 1
    return SampleSize(n=high, power=power, target=target, largest=largest)


def _power(found: NDArray[np.bool_], conclusion: str, seed: int) -> Estimate:
    at = proportion(int(found.sum()), len(found), unit="simulated study")
    return Estimate(
        value=at.value,
        low=at.low,
        high=at.high,
        n=at.n,
        unit=at.unit,
        method=f"simulated power: {conclusion}; Wilson interval of the simulation",
        se=at.se,
        seed=seed,
    )


def _excludes(count: int, n: int, reference: float, level: float) -> bool:
    low, high = wilson_bounds(count, n, level=level)
    return not low <= reference <= high


def _exceeds(patterns: FloatArray, times: FloatArray, threshold: float, level: float) -> bool:
    drawn = times > 0
    categories = tuple(range(patterns.shape[1]))
    ratings = Ratings(patterns[drawn], times[drawn], None, categories, declared=True, kind="counts")
    low = coefficient(ratings, "ac1", level=level).low
    return low is not None and low > threshold


def _rating_patterns(shares: FloatArray, n_raters: int, ac1: float) -> tuple[FloatArray, FloatArray]:
    """Every way ``n_raters`` can spread over the categories (patterns, q), with its probability."""
    if shares.size < 2 or (shares < 0).any() or not np.isclose(shares.sum(), 1):
        raise ValueError("shares are those of two or more declared categories and add up to 1")
    if n_raters < 2:
        raise ValueError("agreement needs two raters")
    shares = shares / shares.sum()
    chance = float((shares * (1 - shares)).sum()) / (shares.size - 1)
    independent = float((shares**2).sum())
    least = (independent - chance) / (1 - chance)
    if not least <= ac1 <= 1:
        raise ValueError(f"with these shares AC1 lies between {least:.3f} (independent raters) and 1")
    agreed = 1.0 if independent == 1 else (ac1 * (1 - chance) + chance - independent) / (1 - independent)
    chosen = list(combinations_with_replacement(range(shares.size), n_raters))
    patterns = np.array([np.bincount(choice, minlength=shares.size) for choice in chosen], dtype=np.float64)
    spread = stats.multinomial.pmf(patterns, n_raters, shares)
    unanimous = (patterns.max(axis=1) == n_raters) * (patterns @ shares) / n_raters
    probabilities = np.clip(agreed * unanimous + (1 - agreed) * spread, 0.0, 1.0)
    return patterns, probabilities / probabilities.sum()


def _check_shares(*shares: float) -> None:
    if min(shares) < 0 or sum(shares) > 1 + 1e-12:
        raise ValueError(f"shares lie between 0 and 1 and add up to at most 1: {shares}")


def _value(power: Estimate) -> float:
    return 0.0 if power.value is None else power.value
