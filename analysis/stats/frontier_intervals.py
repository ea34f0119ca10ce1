"""Intervals for many tallies at once: tallies over the same clusters share one set of resamples.

The resamples themselves are ``bootstrap``'s; this module gathers what can share a draw, drops columns that repeat, and
turns resampled totals into estimates.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from analysis.stats.bootstrap import (
    DEFAULT_LEVEL,
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    ClusterSums,
    bootstrap_sums,
)
from analysis.stats.estimate import Estimate
from analysis.stats.frontier import METRICS, PROPORTIONS, View, ratios, values, why_undefined
from analysis.stats.frontier_counts import Tally
from analysis.stats.paired import ROW_UNIT
from analysis.stats.proportions import wilson_bounds

FloatArray = NDArray[np.float64]
IntervalKind = Literal["cluster", "wilson_rows"]

#: Columns resampled in one matrix product; more would only cost memory.
COLUMNS_AT_ONCE = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalSettings:
    """``kind`` "cluster" resamples clusters; "wilson_rows" is the paper's Wilson interval over pair x order rows for
    shares (differences are still resampled)."""

    resamples: int = DEFAULT_RESAMPLES
    seed: int = DEFAULT_SEED
    level: float = DEFAULT_LEVEL
    kind: IntervalKind = "cluster"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One tally (last axis: the clusters present, in the order of their labels) and the views wanted of it.

    ``key`` names the result; ``reasons`` gives, by metric, why the pairs themselves leave it undefined.
    """

    key: Hashable
    tally: Tally
    clusters: NDArray[np.int64]
    views: tuple[View, ...]
    unit: str
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Bundle:
    """Tasks over one set of clusters, waiting for their resamples."""

    tasks: list[tuple[Task, NDArray[np.int64]]] = field(default_factory=list)
    columns: list[FloatArray] = field(default_factory=list)
    known: dict[bytes, int] = field(default_factory=dict)

    def add(self, task: Task) -> None:
        places = []
        for column in task.tally.columns():
            digest = hashlib.blake2b(column.tobytes(), digest_size=16).digest()
            if digest not in self.known:
                self.known[digest] = len(self.columns)
                self.columns.append(column)
            places.append(self.known[digest])
        self.tasks.append((task, np.array(places)))


class Estimator:
    """Takes tasks one by one and keeps memory bounded; ``results`` holds, by key, one dict of estimates per view."""

    def __init__(self, settings: IntervalSettings) -> None:
        self.settings = settings
        self.results: dict[Hashable, tuple[dict[str, Estimate], ...]] = {}
        self._bundles: dict[bytes, _Bundle] = {}

    def add(self, task: Task) -> None:
        name = hashlib.blake2b(task.clusters.tobytes(), digest_size=16).digest()
        bundle = self._bundles.setdefault(name, _Bundle())
        bundle.add(task)
        if len(bundle.columns) >= COLUMNS_AT_ONCE:
            self._finish(self._bundles.pop(name))

    def finish(self) -> dict[Hashable, tuple[dict[str, Estimate], ...]]:
        for bundle in self._bundles.values():
            self._finish(bundle)
        self._bundles.clear()
        return self.results

    def _finish(self, bundle: _Bundle) -> None:
        columns = np.stack(bundle.columns, axis=1)
        n = len(columns)
        drawn = bootstrap_sums(
            ClusterSums(columns, np.ones((n, 1))), resamples=self.settings.resamples, seed=self.settings.seed
        )
        # means per cluster back to the whole counts they came from, so that equal rates are equal numbers
        totals = np.rint(drawn.draws * n)
        for task, places in bundle.tasks:
            self.results[task.key] = tuple(
                _estimates(task, Tally.from_columns(totals[places]), view, self.settings) for view in task.views
            )


def _estimates(task: Task, draws: Tally, view: View, settings: IntervalSettings) -> dict[str, Estimate]:
    total = task.tally.totals()
    point = values(total, view)
    reason = why_undefined(total, view, reasons=task.reasons)
    defined = [name for name in METRICS if name not in task.reasons and name in point and not np.isnan(point[name][0])]
    n = len(task.clusters)
    found = {
        name: Estimate.undefined_because(reason(name), n=n, unit=task.unit) for name in METRICS if name not in defined
    }
    if not defined:
        return found
    drawn = values(draws, view) if n > 1 else {}
    bounds = _bounds([drawn[name] for name in defined] if n > 1 else [], settings.level)
    rows = ratios(total, view)
    for place, name in enumerate(defined):
        value = float(point[name][0])
        if settings.kind == "wilson_rows" and name in PROPORTIONS:
            found[name] = _wilson_rows(rows[name][0][0], rows[name][1][0], settings.level)
        elif n < 2:
            found[name] = Estimate(
                value=value, level=settings.level, n=n, unit=task.unit, method="no interval",
                warning=f"one {task.unit} only: its spread cannot be estimated",
            )  # fmt: skip
        else:
            found[name] = _from_draws(name, value, bounds, place, task, settings)
    return found


@dataclass(frozen=True, slots=True)
class _Bounds:
    low: FloatArray
    high: FloatArray
    se: FloatArray
    known: NDArray[np.int64]


def _bounds(draws: list[FloatArray], level: float) -> _Bounds | None:
    """Percentile bounds of every row of draws at once (type 7 quantiles); resamples without a value are left out."""
    if not draws:
        return None
    table = np.sort(np.stack(draws), axis=1)  # NaN sorts last
    known = table.shape[1] - np.isnan(table).sum(axis=1)
    tail = (1 - level) / 2
    low, high = _quantile(table, known, tail), _quantile(table, known, 1 - tail)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.nansum(table, axis=1) / known
        se = np.sqrt(np.nansum((table - mean[:, None]) ** 2, axis=1) / (known - 1))
    return _Bounds(low, high, se, known)


def _quantile(table: FloatArray, known: NDArray[np.int64], share: float) -> FloatArray:
    position = share * np.maximum(known - 1, 0)
    below = position.astype(np.int64)
    above = np.minimum(below + 1, np.maximum(known - 1, 0))
    rows = np.arange(len(table))
    lower, upper = table[rows, below], table[rows, above]
    return lower + (position - below) * (upper - lower)


def _from_draws(
    name: str, value: float, bounds: _Bounds | None, place: int, task: Task, settings: IntervalSettings
) -> Estimate:
    assert bounds is not None  # noqa: S101  # only called with two clusters or more
    n, known = len(task.clusters), int(bounds.known[place])
    method = f"{task.unit} bootstrap, percentile, {settings.resamples} resamples"
    if known < 2:
        return Estimate(
            value=value, level=settings.level, n=n, unit=task.unit, method="no interval", seed=settings.seed,
            warning="no resample was defined",
        )  # fmt: skip
    low, high, se = float(bounds.low[place]), float(bounds.high[place]), float(bounds.se[place])
    warning = None
    if known < settings.resamples:
        warning = f"{settings.resamples - known} resamples without any counted row were left out"
    elif se == 0:
        if name in PROPORTIONS and value in {0.0, 1.0}:
            low, high = wilson_bounds(value * n, n, level=settings.level)
            method = f"Wilson over {task.unit}s, which all give {value:.0f}"
        else:
            warning = f"every {task.unit} gives the same value: the bootstrap interval has no width"
    return Estimate(
        value=value, low=min(low, value), high=max(high, value), level=settings.level, n=n, unit=task.unit,
        method=method, se=se, seed=settings.seed, warning=warning,
    )  # fmt: skip


def _wilson_rows(successes: float, n: float, level: float) -> Estimate:
    low, high = wilson_bounds(successes, n, level=level)
    return Estimate(
        value=float(successes / n), low=low, high=high, level=level, n=int(n), unit=ROW_UNIT,
        method="Wilson over pair x order rows (the paper's convention: the two orders taken as independent)",
    )  # fmt: skip
