"""The cluster permutation test of a paired difference: under no effect a cluster's change may have either sign.

Exact whenever the clusters' changes are whole numbers, which counts of verdicts always are: the sum of n signs of
one size is a binomial, and the sizes' distributions convolve. Otherwise seeded random sign flips.
Source: Good, Permutation, Parametric and Bootstrap Tests of Hypotheses (2005), section 3.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import signal, stats

FloatArray = NDArray[np.float64]

#: Longest support of the exact distribution; beyond it random flips serve.
LONGEST_SUPPORT = 4_000_000
#: Products beyond which a direct convolution is slower than one by FFT.
DIRECT_PRODUCTS = 20_000_000
#: Room for rounding when a random sum is compared with the observed one.
_CLOSE = 1e-9


def sign_flip_p(changes: ArrayLike, *, resamples: int = 10_000, seed: int = 0) -> tuple[float, str]:
    """(two-sided p, name of the test) for the clusters' summed changes, shape (clusters,).

    ``resamples`` and ``seed`` matter only where a change is not a whole number. No change at all gives p = 1.
    """
    sizes = np.abs(np.asarray(changes, dtype=np.float64))
    observed = abs(float(np.sum(changes)))
    moved = sizes[sizes > 0]
    if moved.size == 0:
        return 1.0, "cluster sign-flip, no cluster changed"
    if np.array_equal(moved, np.rint(moved)) and 2 * moved.sum() < LONGEST_SUPPORT:
        return _exact_p(moved.astype(np.int64), int(observed)), "cluster sign-flip, exact"
    return _random_p(moved, observed, resamples, seed), f"cluster sign-flip, {resamples} random flips"


def _exact_p(sizes: NDArray[np.int64], observed: int) -> float:
    """P(|sum of signs x sizes| >= observed). The support runs from -sum(sizes) in steps of 1."""
    distribution = np.ones(1)
    for size, clusters in zip(*np.unique(sizes, return_counts=True), strict=True):
        signs = np.zeros(2 * size * clusters + 1)
        signs[:: 2 * size] = stats.binom.pmf(np.arange(clusters + 1), clusters, 0.5)
        distribution = _convolve(distribution, signs)
    centre = distribution.size // 2
    if observed == 0:
        return 1.0
    return min(1.0, 2 * float(distribution[centre + observed :].sum()))


def _convolve(one: FloatArray, two: FloatArray) -> FloatArray:
    if one.size * two.size <= DIRECT_PRODUCTS:
        return np.convolve(one, two)
    return np.maximum(signal.fftconvolve(one, two), 0.0)


def _random_p(sizes: FloatArray, observed: float, resamples: int, seed: int) -> float:
    generator = np.random.default_rng(seed)
    reached = 0
    for start in range(0, resamples, 256):
        rows = min(256, resamples - start)
        signs = generator.integers(0, 2, size=(rows, sizes.size)) * 2 - 1
        reached += int((np.abs(signs @ sizes) >= observed * (1 - _CLOSE)).sum())
    return (reached + 1) / (resamples + 1)
