"""Equivalence and non-inferiority of two protocols against a margin declared beforehand.

"Retained" and "suppressed" are claims of no difference; a large p-value does not show them, an interval inside the
margin does. Source: two one-sided tests (Schuirmann 1987), read off the interval of coverage 1 - 2 alpha.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from numpy.typing import ArrayLike

from analysis.stats.bootstrap import DEFAULT_RESAMPLES, DEFAULT_SEED
from analysis.stats.estimate import Estimate
from analysis.stats.paired import compare_paired


@dataclass(frozen=True, slots=True, kw_only=True)
class MarginResult:
    """``shown`` says whether the claim holds at ``alpha``; ``interval`` (coverage 1 - 2 alpha) is why.

    ``claim`` is "equivalent" (the whole interval within +- margin) or "non-inferior" (its lower end above - margin).
    """

    claim: str
    shown: bool
    margin: float
    alpha: float
    interval: Estimate


def equivalence(
    first: ArrayLike, second: ArrayLike, *, margin: float, alpha: float = 0.05,
    clusters: ArrayLike | None = None, unit: str = "pair", resamples: int = DEFAULT_RESAMPLES, seed: int = DEFAULT_SEED,
) -> MarginResult | None:  # fmt: skip
    """Whether the two arms' rates differ by less than ``margin`` (0..1) either way; None where there is no row."""
    interval = _interval(first, second, margin, alpha, clusters, unit, resamples, seed)
    return None if interval is None else equivalent_within(interval, margin=margin, alpha=alpha)


def non_inferiority(
    first: ArrayLike, second: ArrayLike, *, margin: float, alpha: float = 0.05,
    clusters: ArrayLike | None = None, unit: str = "pair", resamples: int = DEFAULT_RESAMPLES, seed: int = DEFAULT_SEED,
) -> MarginResult | None:  # fmt: skip
    """Whether the second arm's rate is below the first's by less than ``margin``; None where there is no row."""
    interval = _interval(second, first, margin, alpha, clusters, unit, resamples, seed)
    return None if interval is None else non_inferior_within(interval, margin=margin, alpha=alpha)


def equivalent_within(interval: Estimate, *, margin: float, alpha: float = 0.05) -> MarginResult:
    """The claim read off a finished interval of coverage 1 - 2 alpha."""
    low, high = _bounds(interval, margin, alpha)
    shown = -margin < low and high < margin
    return MarginResult(claim="equivalent", shown=shown, margin=margin, alpha=alpha, interval=interval)


def non_inferior_within(interval: Estimate, *, margin: float, alpha: float = 0.05) -> MarginResult:
    """The claim read off a finished interval (coverage 1 - 2 alpha) of new minus old."""
    low, _ = _bounds(interval, margin, alpha)
    return MarginResult(claim="non-inferior", shown=low > -margin, margin=margin, alpha=alpha, interval=interval)


def widened(difference: Estimate, *, alpha: float = 0.05) -> Estimate:
    """The interval itself, or, where no unit changed and it has no width, the exact bound for 0 changes in n units.

    With no change among n units the share of units that change is below 1 - alpha^(1/n) at one-sided alpha.
    """
    if difference.low is not None and (difference.low, difference.high) != (0.0, 0.0):
        return difference
    if difference.value != 0.0 or difference.n < 1:
        return difference
    bound = 1 - alpha ** (1 / difference.n)
    method = f"exact bound for no change among {difference.n} units"
    return replace(difference, low=-bound, high=bound, level=1 - 2 * alpha, method=method, seed=None, warning=None)


def _bounds(interval: Estimate, margin: float, alpha: float) -> tuple[float, float]:
    if margin <= 0:
        raise ValueError("a margin is a positive difference of rates, such as 0.05")
    if not 0 < alpha < 0.5:
        raise ValueError("alpha lies between 0 and 0.5")
    if abs(interval.level - (1 - 2 * alpha)) > 1e-9:
        raise ValueError(f"an interval of coverage {1 - 2 * alpha} is needed, not {interval.level}")
    if interval.low is None or interval.high is None:
        return float("-inf"), float("inf")
    return interval.low, interval.high


def _interval(
    first: ArrayLike, second: ArrayLike, margin: float, alpha: float, clusters: ArrayLike | None, unit: str,
    resamples: int, seed: int,
) -> Estimate | None:  # fmt: skip
    if margin <= 0 or not 0 < alpha < 0.5:
        raise ValueError("a positive margin and an alpha between 0 and 0.5 are needed")
    compared = compare_paired(
        first, second, clusters=clusters, unit=unit, resamples=resamples, seed=seed, level=1 - 2 * alpha
    )
    return None if compared is None else widened(compared.difference, alpha=alpha)
