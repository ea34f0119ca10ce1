"""The cluster permutation test of a paired difference: under no effect a cluster's change may have either sign.

Exact whenever the clusters' changes are whole numbers, which counts of verdicts always are: short distributions are
convolved, long ones are read off an exponentially tilted characteristic function, which keeps tiny p-values right to
their last digits. Otherwise seeded random sign flips. Sources: Good, Permutation, Parametric and Bootstrap Tests of
Hypotheses (2005), section 3; tilting as in Butler, Saddlepoint Approximations with Applications (2007), section 1.1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import fft
from scipy.special import binom, gammaln

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

#: Sums of sizes up to which the distribution is convolved term by term.
_CONVOLVED = 1_000
#: The window of the tilted distribution, in standard deviations to either side: beyond it lies less than 1e-80.
_WINDOW = 20
#: Up to here the binomial coefficient itself stays within a float.
_DIRECT_BINOMIAL = 1_000
#: Room for rounding when a random sum is compared with the observed one.
_CLOSE = 1e-9


def sign_flip_p(changes: ArrayLike, *, resamples: int = 10_000, seed: int = 0) -> tuple[float, str]:
    """(two-sided p, name of the test) for the clusters' summed changes, shape (clusters,).

    ``resamples`` and ``seed`` matter only where a change is not a whole number. No change at all gives p = 1. Raises
    ValueError for a change that is no finite number.
    """
    sizes = np.abs(np.asarray(changes, dtype=np.float64))
    if not np.isfinite(sizes).all():
        raise ValueError("changes are finite numbers; leave clusters without one out")
    observed = abs(float(np.sum(changes)))
    moved = sizes[sizes > 0]
    if moved.size == 0:
        return 1.0, "cluster sign-flip, no cluster changed"
    if np.array_equal(moved, np.rint(moved)):
        return _exact_p(moved.astype(np.int64), round(observed)), "cluster sign-flip, exact"
    return _random_p(moved, observed, resamples, seed), f"cluster sign-flip, {resamples} random flips"


def _exact_p(moved: IntArray, observed: int) -> float:
    """P(|sum of signs x sizes| >= observed)."""
    if observed == 0:
        return 1.0
    most = int(moved.sum())
    if observed == most:
        return float(2.0 ** (1 - moved.size))
    sizes, clusters = np.unique(moved, return_counts=True)
    tail = _convolved_tail if most <= _CONVOLVED else _tilted_tail
    return min(1.0, 2 * tail(sizes, clusters, observed))


def _convolved_tail(sizes: IntArray, clusters: IntArray, observed: int) -> float:
    """P(sum >= observed): the sum of n signs of one size is a binomial, and the sizes' distributions convolve."""
    distribution = np.ones(1)
    for size, n in zip(sizes.tolist(), clusters.tolist(), strict=True):
        signs = np.zeros(2 * size * n + 1)
        signs[:: 2 * size] = fair_binomial(n, np.arange(n + 1))
        distribution = np.convolve(distribution, signs)
    return float(distribution[distribution.size // 2 + observed :].sum())


def _tilted_tail(sizes: IntArray, clusters: IntArray, observed: int) -> float:
    """P(sum >= observed) as M(theta) e^(-theta observed) sum over x >= 0 of e^(-theta x) P_theta(sum = observed + x),
    with theta such that the tilted sum is observed on average: there the inverse transform loses no digits."""
    theta = _tilt(sizes, clusters, observed)
    lean = np.tanh(sizes * theta)
    spread = 1 - lean**2
    deviation = float(np.sqrt(np.sum(clusters * sizes**2 * spread)))
    # sums that can occur differ by 2: a lattice of that step needs half the frequencies
    length = fft.next_fast_len(max(64, int(_WINDOW * deviation) + 2), real=True)
    angle = np.pi * np.arange(length // 2 + 1) / length
    sine, cosine = np.sin(np.outer(sizes, angle)), np.cos(np.outer(sizes, angle))
    with np.errstate(divide="ignore"):
        log_length = clusters @ np.log1p(-spread[:, None] * sine**2) / 2
    turn = clusters @ np.arctan2(lean[:, None] * sine, cosine) - angle * observed
    mass = fft.irfft(np.exp(log_length - 1j * turn), length)[: (length + 1) // 2]
    log_moment = float(np.sum(clusters * (np.logaddexp(sizes * theta, -sizes * theta) - np.log(2))))
    beyond = np.sum(np.exp(-2 * theta * np.arange(mass.size)) * mass)
    return float(np.exp(log_moment - theta * observed) * beyond)


def _tilt(sizes: IntArray, clusters: IntArray, observed: int) -> float:
    """The theta at which the tilted mean, the sum of n size tanh(size theta), comes near the observed sum.

    The mean is concave in theta, so Newton's steps from below never overshoot; any theta gives the same tail, and one
    near the root merely keeps its digits.
    """
    theta = observed / float(np.sum(clusters * sizes**2))
    for _ in range(40):
        lean = np.tanh(sizes * theta)
        missing = observed - float(np.sum(clusters * sizes * lean))
        if missing <= 1e-3 * observed:
            break
        theta += missing / float(np.sum(clusters * sizes**2 * (1 - lean**2)))
    return theta


def fair_binomial(n: int, k: NDArray[np.integer]) -> FloatArray:
    """P(k heads in n fair tosses)."""
    if n <= _DIRECT_BINOMIAL:
        return np.asarray(binom(n, k) * 0.5**n)
    return np.asarray(np.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) - n * np.log(2)))


def _random_p(sizes: FloatArray, observed: float, resamples: int, seed: int) -> float:
    generator = np.random.default_rng(seed)
    reached = 0
    for start in range(0, resamples, 256):
        rows = min(256, resamples - start)
        signs = generator.integers(0, 2, size=(rows, sizes.size)) * 2 - 1
        reached += int((np.abs(signs @ sizes) >= observed * (1 - _CLOSE)).sum())
    return (reached + 1) / (resamples + 1)
