"""Two protocols on the same rows: McNemar, the cluster sign-flip test, Holm, and the paired bootstrap difference.

Everything here takes the two arms as aligned arrays: element i of both is the same pair in the same order.
Equivalence and non-inferiority against a margin live in ``margins``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, chdtrc

from analysis.stats.bootstrap import (
    DEFAULT_LEVEL,
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    ClusterSums,
    cluster_bootstrap,
)
from analysis.stats.estimate import Estimate
from analysis.stats.intervals import percentile_bounds
from analysis.stats.signflip import fair_binomial, sign_flip_p

#: The unit of the paper's own tests (TRACE E.5): every row its own unit, the two orders of a pair taken as independent.
ROW_UNIT = "pair x order"


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """Tests on the discordant counts ``b`` (yes under the first arm only) and ``c`` (under the second only).

    ``exact`` is the two-sided binomial test, ``midp`` its mid-p form; the chi-squared forms are None where there
    is no discordant row. Source: Fagerland, Lydersen and Laake, BMC Med Res Methodol 13:91 (2013).
    """

    b: int
    c: int
    exact: float
    midp: float
    chi2: float | None
    p_chi2: float | None
    chi2_corrected: float | None
    p_corrected: float | None
    note: str | None = None


def mcnemar(b: int, c: int) -> McNemar:
    """McNemar's test from its two discordant counts; none discordant gives p = 1 and says so.

    Raises ValueError for negative counts.
    """
    if b < 0 or c < 0:
        raise ValueError("discordant counts are at least 0")
    n, fewer = b + c, min(b, c)
    if n == 0:
        return McNemar(
            b=b, c=c, exact=1.0, midp=1.0, chi2=None, p_chi2=None, chi2_corrected=None, p_corrected=None,
            note="no discordant pairs",
        )  # fmt: skip
    tail = 2 * float(bdtr(fewer, n, 0.5))
    chi2 = (b - c) ** 2 / n
    corrected = max(0, abs(b - c) - 1) ** 2 / n
    return McNemar(
        b=b,
        c=c,
        exact=min(1.0, tail),
        midp=min(1.0, tail - float(fair_binomial(n, np.array([fewer]))[0])),
        chi2=chi2,
        p_chi2=float(chdtrc(1, chi2)),
        chi2_corrected=corrected,
        p_corrected=float(chdtrc(1, corrected)),
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values of one family, in the order given (Holm, Scand J Statist 6 (1979)).

    Raises ValueError for what is no p-value: a family with a test missing has another size, and that is for the caller
    to say.
    """
    p = np.asarray(p_values, dtype=np.float64)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("p-values lie between 0 and 1; leave out tests that were not made")
    if p.size == 0:
        return []
    order = np.argsort(p, kind="stable")
    steps = p[order] * np.arange(p.size, 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return [float(value) for value in adjusted]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedComparison:
    """First arm against second on ``n`` shared rows.

    ``b`` rows say yes under the first arm only, ``c`` under the second only; ``difference`` is the first arm's
    rate minus the second's; ``p`` belongs to ``test`` and to the unit named in ``unit``.
    """

    n: int
    n_clusters: int
    b: int
    c: int
    difference: Estimate
    p: float
    test: str
    unit: str


def compare_paired(
    first: ArrayLike,
    second: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    unit: str = "pair",
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    level: float = DEFAULT_LEVEL,
) -> PairedComparison | None:
    """Compare two aligned arrays of 0/1 outcomes, shape (rows,); None where there is no row.

    With ``clusters`` (rows,) the interval resamples clusters and the test flips the sign of whole clusters;
    without, every row is its own unit (the paper's convention, TRACE E.5) and the test is exact McNemar. Raises
    ValueError for arms that are not aligned, for an outcome that is neither 0 nor 1 (leave undecided rows out of both
    arms) and for a row without a cluster.
    """
    one, two = (np.asarray(arm, dtype=np.float64) for arm in (first, second))
    if one.shape != two.shape or one.ndim != 1:
        raise ValueError(f"two aligned arrays of rows are needed, not {one.shape} and {two.shape}")
    if not (np.isin(one, (0, 1)) & np.isin(two, (0, 1))).all():
        raise ValueError("outcomes are 0 or 1; leave rows that are undecided in either arm out of both")
    if one.size == 0:
        return None
    change = one - two
    b, c = int((change > 0).sum()), int((change < 0).sum())
    if clusters is None:
        return compare_rows(one.size, b, c, resamples=resamples, seed=seed, level=level)
    sums = _sum_changes(change, clusters)
    p, test = sign_flip_p(sums.numerators[:, 0], resamples=resamples, seed=seed)
    (difference,) = cluster_bootstrap(sums, resamples=resamples, seed=seed, level=level, unit=unit)
    return PairedComparison(
        n=one.size, n_clusters=sums.n_clusters, b=b, c=c, difference=difference, p=p, test=test, unit=unit
    )


def compare_rows(
    n: int,
    b: int,
    c: int,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    level: float = DEFAULT_LEVEL,
) -> PairedComparison:
    """The paper's convention (TRACE E.5) from its counts: ``n`` rows, ``b`` and ``c`` of them discordant.

    Rows drawn with replacement and counted by kind are multinomial, so the resamples are drawn as counts: the same
    distribution as resampling the rows one by one, whatever their order.
    """
    if not 0 <= b + c <= n or n < 1:
        raise ValueError(f"{b} + {c} discordant rows of {n}")
    generator = np.random.default_rng(seed)
    kinds = generator.multinomial(n, [b / n, c / n, (n - b - c) / n], size=resamples)
    draws = np.sort((kinds[:, 0] - kinds[:, 1]) / n)
    value = (b - c) / n
    low, high = percentile_bounds(draws, level=level)
    difference = Estimate(
        value=value, low=min(low, value), high=max(high, value), level=level, n=n, unit=ROW_UNIT, seed=seed,
        method=f"{ROW_UNIT} bootstrap, percentile, {resamples} resamples", se=float(draws.std(ddof=1)),
        warning=None if draws[0] != draws[-1] else "no row differs: the bootstrap interval has no width",
    )  # fmt: skip
    return PairedComparison(
        n=n, n_clusters=n, b=b, c=c, difference=difference, p=mcnemar(b, c).exact, test="exact McNemar", unit=ROW_UNIT
    )


def _sum_changes(change: NDArray[np.float64], clusters: ArrayLike) -> ClusterSums:
    """Clusters in the order of their labels, so that the order of the rows changes no resample."""
    codes, names = pd.factorize(np.asarray(clusters), sort=True)
    if len(codes) != change.size:
        raise ValueError(f"{change.size} rows but {len(codes)} clusters")
    if (codes < 0).any():
        raise ValueError("every row needs a cluster")
    size = len(names)
    return ClusterSums.of(np.bincount(codes, weights=change, minlength=size), np.bincount(codes, minlength=size))
