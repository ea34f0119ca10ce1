"""From draws to bounds: percentile and BCa. The arithmetic that every bootstrap of this package shares."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

FloatArray = NDArray[np.float64]
IntervalMethod = Literal["percentile", "bca"]


def percentile_bounds(draws: FloatArray, *, level: float) -> tuple[float, float]:
    """The equal-tailed quantiles of ``draws`` (resamples,), which must be sorted ascending."""
    check_level(level)
    tail = (1 - level) / 2
    return quantile_of_sorted(draws, tail), quantile_of_sorted(draws, 1 - tail)


def quantile_of_sorted(draws: FloatArray, share: float) -> float:
    """Hyndman and Fan's type 7 quantile (NumPy's default), without sorting again for every metric."""
    position = share * (len(draws) - 1)
    below = int(position)
    above = min(below + 1, len(draws) - 1)
    return float(draws[below] + (position - below) * (draws[above] - draws[below]))


def bca_bounds(
    value: float,
    draws: FloatArray,
    jackknife: FloatArray,
    *,
    level: float,
    multiplicity: FloatArray | None = None,
) -> tuple[float, float]:
    """Bias-corrected and accelerated bounds: Efron, JASA 82 (1987) 171-185.

    ``draws`` (resamples,) sorted ascending; ``jackknife`` (units,) holds leave-one-unit-out values, and
    ``multiplicity`` says how many units share each. Draws equal to the value count half on either side,
    which matters for rates over few units.
    """
    check_level(level)
    below = float(np.mean(draws < value) + np.mean(draws == value) / 2)
    if below in {0.0, 1.0}:
        return percentile_bounds(draws, level=level)
    bias = float(ndtri(below))
    acceleration = _acceleration(jackknife, multiplicity)
    tail = (1 - level) / 2
    z = bias + np.array([ndtri(tail), ndtri(1 - tail)])
    shares = np.sort(ndtr(bias + z / (1 - acceleration * z)))
    return quantile_of_sorted(draws, float(shares[0])), quantile_of_sorted(draws, float(shares[1]))


def check_level(level: float) -> None:
    """Refuse a coverage that is not strictly between 0 and 1 (95 instead of 0.95, say)."""
    if not 0 < level < 1:
        raise ValueError(f"level is a coverage between 0 and 1, such as 0.95; {level!r} is not")


def _acceleration(jackknife: FloatArray, multiplicity: FloatArray | None) -> float:
    known = ~np.isnan(jackknife)
    left_out = jackknife[known]
    times = np.ones(left_out.size) if multiplicity is None else multiplicity[known]
    if not times.sum():
        return 0.0
    deviation = np.average(left_out, weights=times) - left_out
    square = float(np.sum(times * deviation**2))
    return float(np.sum(times * deviation**3)) / (6 * square**1.5) if square > 0 else 0.0
