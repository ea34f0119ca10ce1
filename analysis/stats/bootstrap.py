"""Cluster bootstrap of ratio-of-sums metrics: one set of resamples for every metric and every difference.

A rate over rows is a ratio of two sums, so a resample of clusters needs only each cluster's two sums: rows
are added up once, and 2,000 resamples of any number of metrics are one matrix product. Source: Davison and
Hinkley, Bootstrap Methods and their Application (1997), 2.4, 3.8 and 5.3; Efron, JASA 82 (1987) for BCa.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from analysis.stats.cluster_weights import draw_clusters, single_precision, weighted_totals
from analysis.stats.estimate import Estimate
from analysis.stats.intervals import IntervalMethod, bca_bounds, percentile_bounds

FloatArray = NDArray[np.float64]

DEFAULT_RESAMPLES = 2_000
DEFAULT_SEED = 20_260
DEFAULT_LEVEL = 0.95

#: Resamples are drawn in blocks of about this many weights, each from its own child seed: memory stays
#: bounded and the draws do not depend on how many workers share the blocks.
_BLOCK_WEIGHTS = 4_000_000


@dataclass(frozen=True, slots=True)
class ClusterSums:
    """What each cluster adds to every metric.

    ``numerators`` has shape (clusters, metrics); ``denominators`` has the same shape, or (clusters, 1) where
    all metrics share one. A metric's value is the ratio of its two column sums.
    """

    numerators: FloatArray
    denominators: FloatArray

    def __post_init__(self) -> None:
        shape, below = self.numerators.shape, self.denominators.shape
        if len(shape) != 2 or len(below) != 2 or shape[0] != below[0] or below[1] not in {1, shape[1]}:
            raise ValueError(f"numerators {shape} and denominators {below} name different clusters or metrics")
        if not (np.isfinite(self.numerators).all() and np.isfinite(self.denominators).all()):
            raise ValueError("cluster sums must be finite; leave out what is undefined before adding up")

    @classmethod
    def of(cls, numerators: ArrayLike, denominators: ArrayLike) -> ClusterSums:
        """From plain sequences; one-dimensional input is one metric."""
        top, below = (_columns(np.asarray(part, dtype=np.float64)) for part in (numerators, denominators))
        return cls(top, below)

    @property
    def n_clusters(self) -> int:
        return int(self.numerators.shape[0])

    @property
    def n_metrics(self) -> int:
        return int(self.numerators.shape[1])

    def ratios(self) -> FloatArray:
        """The metrics' values, shape (metrics,); NaN marks a zero denominator."""
        return _ratio(self.numerators.sum(axis=0), self.denominators.sum(axis=0))


def sum_by_cluster(values: ArrayLike, clusters: ArrayLike, *, counted: ArrayLike | None = None) -> ClusterSums:
    """Add rows up by cluster. ``values`` (rows,) or (rows, metrics); ``clusters`` (rows,) of any labels.

    ``counted`` (same shape as ``values``, or (rows,)) says how much a row counts in the denominator, True
    or False as a rule; left out, a row counts where its value is not NaN. Clusters keep the order in which
    they first occur.
    """
    table = _columns(np.asarray(values, dtype=np.float64))
    codes, _ = pd.factorize(np.asarray(clusters))
    if len(codes) != len(table):
        raise ValueError(f"{len(table)} rows of values but {len(codes)} rows of clusters")
    if (codes < 0).any():
        raise ValueError("every row needs a cluster")
    if counted is None:
        known = ~np.isnan(table)
        table = table if known.all() else np.where(known, table, 0.0)
        weight = np.ones((len(table), 1)) if known.all() else known.astype(np.float64)
    else:
        weight = _columns(np.asarray(counted, dtype=np.float64))
        table = np.where(weight != 0, table * weight, 0.0)
    rows = np.arange(len(codes))
    adder = sparse.csr_array((np.ones(len(codes)), (codes, rows)), shape=(int(codes.max(initial=-1)) + 1, len(codes)))
    return ClusterSums(np.asarray(adder @ table), np.asarray(adder @ weight))


@dataclass(frozen=True)
class Bootstrap:
    """The shared resamples of a set of metrics, ready to give estimates.

    ``point`` (metrics,), ``draws`` (metrics, resamples); NaN marks a resample with an empty denominator.
    Whatever is computed from these metrics (a difference, an index) keeps the same resamples by ``derived``.
    """

    sums: ClusterSums
    point: FloatArray
    draws: FloatArray
    seed: int
    unit: str = "cluster"

    @cached_property
    def jackknife(self) -> FloatArray:
        """Leave-one-cluster-out values, shape (metrics, clusters)."""
        top, below = self.sums.numerators, self.sums.denominators
        return _ratio(top.sum(axis=0) - top, below.sum(axis=0) - below).T

    def estimate(
        self, metric: int = 0, *, level: float = DEFAULT_LEVEL, method: IntervalMethod = "percentile"
    ) -> Estimate:
        """One metric with its interval."""
        return self.derived(lambda values: values[metric], level=level, method=method)

    def difference(
        self, first: int, second: int, *, level: float = DEFAULT_LEVEL, method: IntervalMethod = "percentile"
    ) -> Estimate:
        """``first`` minus ``second`` over the same resamples of the same clusters."""
        return self.derived(lambda values: values[first] - values[second], level=level, method=method)

    def derived(
        self,
        function: Callable[[FloatArray], FloatArray],
        *,
        level: float = DEFAULT_LEVEL,
        method: IntervalMethod = "percentile",
    ) -> Estimate:
        """The interval of any function of the metrics.

        ``function`` receives an array whose first axis is the metric (trailing axes: none, resamples or
        left-out clusters) and must work elementwise over the trailing axes.
        """
        value = float(function(self.point))
        n = self.sums.n_clusters
        if np.isnan(value):
            return Estimate.undefined_because("nothing to divide by: no row counts", n=n, unit=self.unit)
        draws = np.sort(np.asarray(function(self.draws), dtype=np.float64))
        known = draws[: draws.size - int(np.isnan(draws).sum())]
        if not known.size:
            why = f"one {self.unit} only: its spread cannot be estimated" if n < 2 else "no resample was defined"
            return Estimate(value=value, level=level, n=n, unit=self.unit, method="no interval", warning=why)
        if method == "bca":
            low, high = bca_bounds(value, known, function(self.jackknife), level=level)
        else:
            low, high = percentile_bounds(known, level=level)
        return Estimate(
            value=value,
            low=min(low, value),
            high=max(high, value),
            level=level,
            n=n,
            unit=self.unit,
            method=f"{self.unit} bootstrap, {_METHOD_WORDS[method]}, {draws.size} resamples",
            se=float(known.std(ddof=1)) if known.size > 1 else None,
            seed=self.seed,
            warning=_draws_warning(known, lost=draws.size - known.size, unit=self.unit),
        )


def bootstrap_sums(
    sums: ClusterSums,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    unit: str = "cluster",
    workers: int = 1,
) -> Bootstrap:
    """Resample clusters with replacement. ``workers`` threads share the work; the result does not change."""
    if resamples < 1:
        raise ValueError("at least one resample is needed")
    point = sums.ratios()
    if sums.n_clusters < 2:
        return Bootstrap(sums, point, np.empty((sums.n_metrics, 0)), seed, unit)
    statistics, shift = single_precision(sums.numerators, sums.denominators, point)
    size = max(1, _BLOCK_WEIGHTS // sums.n_clusters)
    blocks = [(number, min(size, resamples - start)) for number, start in enumerate(range(0, resamples, size))]

    def one_block(block: tuple[int, int]) -> FloatArray:
        picks = draw_clusters(sums.n_clusters, resamples=block[1], seed=seed, block=block[0])
        totals = weighted_totals(picks, statistics, n_clusters=sums.n_clusters)
        return _ratio(totals[:, : sums.n_metrics], totals[:, sums.n_metrics :]).T + shift[:, None]

    if workers > 1 and len(blocks) > 1:
        with ThreadPoolExecutor(max_workers=workers) as pool:
            parts = list(pool.map(one_block, blocks))
    else:
        parts = [one_block(block) for block in blocks]
    return Bootstrap(sums, point, np.concatenate(parts, axis=1), seed, unit)


def cluster_bootstrap(
    sums: ClusterSums,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    level: float = DEFAULT_LEVEL,
    method: IntervalMethod = "percentile",
    unit: str = "cluster",
    differences: Sequence[tuple[int, int]] = (),
    workers: int = 1,
) -> tuple[Estimate, ...]:
    """Estimates of every metric, then of every difference ``(first, second)``, over one set of resamples."""
    drawn = bootstrap_sums(sums, resamples=resamples, seed=seed, unit=unit, workers=workers)
    metrics = [drawn.estimate(metric, level=level, method=method) for metric in range(sums.n_metrics)]
    contrasts = [drawn.difference(first, second, level=level, method=method) for first, second in differences]
    return (*metrics, *contrasts)


_METHOD_WORDS: dict[str, str] = {
    "percentile": "percentile",
    "bca": "BCa with a leave-one-cluster-out jackknife",
}


def _columns(values: FloatArray) -> FloatArray:
    return values[:, None] if values.ndim == 1 else values


def _ratio(top: FloatArray, below: FloatArray) -> FloatArray:
    below = np.broadcast_to(below, top.shape)
    empty = below == 0
    return np.where(empty, np.nan, top / np.where(empty, 1.0, below))


def _draws_warning(known: FloatArray, *, lost: int, unit: str) -> str | None:
    if lost:
        return f"{lost} resamples without any counted row were left out"
    if known[0] == known[-1]:
        return f"every {unit} gives the same value: the bootstrap interval has no width"
    return None
