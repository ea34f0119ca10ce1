"""Intervals for one proportion: Wilson and exact (Clopper-Pearson).

They treat the n trials as independent. Two orders of one pair are not: over such rows use the cluster bootstrap,
or name the interval as the paper's convention.
"""

from __future__ import annotations

import math
from typing import Literal

from scipy.special import betaincinv, ndtri

from analysis.stats.estimate import Estimate
from analysis.stats.intervals import check_level

ProportionMethod = Literal["wilson", "exact"]


def wilson_bounds(successes: float, n: float, *, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval: Wilson (1927); Newcombe, Stat Med 17 (1998), method 3. Needs n > 0.

    ``successes`` may be fractional (a mean agreement times n).
    """
    _check_counts(successes, n)
    check_level(level)
    z = float(ndtri((1 + level) / 2))
    share = successes / n
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return low, high


def exact_bounds(successes: float, n: float, *, level: float = 0.95) -> tuple[float, float]:
    """Clopper and Pearson's interval, Biometrika 26 (1934), by quantiles of the beta distribution. Needs n > 0."""
    _check_counts(successes, n)
    check_level(level)
    tail = (1 - level) / 2
    low = float(betaincinv(successes, n - successes + 1, tail)) if successes > 0 else 0.0
    high = float(betaincinv(successes + 1, n - successes, 1 - tail)) if successes < n else 1.0
    return low, high


def proportion(
    successes: int,
    n: int,
    *,
    level: float = 0.95,
    method: ProportionMethod = "wilson",
    unit: str = "",
) -> Estimate:
    """The share ``successes / n`` with its interval; undefined, not an error, where n is 0."""
    if method not in _BOUNDS:
        raise ValueError(f"unknown interval {method!r}; there are {', '.join(_BOUNDS)}")
    check_level(level)
    if n == 0:
        return Estimate.undefined_because("no trial: 0 of 0", unit=unit, method=_WORDS[method])
    low, high = _BOUNDS[method](successes, n, level=level)
    share = successes / n
    return Estimate(
        value=share,
        low=min(low, share),
        high=max(high, share),
        level=level,
        n=n,
        unit=unit,
        method=_WORDS[method],
        se=math.sqrt(share * (1 - share) / n),
    )


_BOUNDS = {"wilson": wilson_bounds, "exact": exact_bounds}
_WORDS = {"wilson": "Wilson", "exact": "exact (Clopper-Pearson)"}


def _check_counts(successes: float, n: float) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n} trials")
    if n == 0:
        raise ValueError("an interval needs at least one trial")
