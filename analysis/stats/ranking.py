"""Systems ranked from pairwise verdicts: win scores and Bradley-Terry abilities, with intervals over whole queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from analysis.stats.abilities import Abilities, abilities_of_tables, bradley_terry
from analysis.stats.bootstrap import (
    DEFAULT_LEVEL,
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    Bootstrap,
    ClusterSums,
    bootstrap_sums,
)
from analysis.stats.estimate import Estimate
from analysis.stats.intervals import percentile_bounds
from analysis.stats.tie_models import TieConvention

FloatArray = NDArray[np.float64]

#: Verdict codes of a comparison of ``first`` with ``second``.
FIRST, SECOND, TIE = 0, 1, 2
#: An interval from fewer than this share of the resamples would hide what the others say.
LEAST_SHARE_FITTED = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Win scores and abilities by system, each with its interval; ``fit`` holds the point fit and its warnings."""

    scores: Mapping[str, Estimate]
    abilities: Mapping[str, Estimate]
    fit: Abilities
    n: int
    n_clusters: int


def win_scores(wins: ArrayLike, ties: ArrayLike) -> FloatArray:
    """Points per comparison: 1 a win, 1/2 a tie, 0 a loss, over each system's comparisons (TRACE Table A17).

    ``wins`` and ``ties`` are (..., systems, systems); the result is (..., systems), NaN where a system was never
    compared, which callers turn into a reason.
    """
    won, tied = np.asarray(wins, dtype=np.float64), np.asarray(ties, dtype=np.float64)
    played = won.sum(axis=-1) + won.sum(axis=-2) + tied.sum(axis=-1)
    return np.where(played > 0, (won.sum(axis=-1) + tied.sum(axis=-1) / 2) / np.where(played > 0, played, 1), np.nan)


def rank_systems(
    first: ArrayLike,
    second: ArrayLike,
    result: ArrayLike,
    *,
    systems: Sequence[str],
    clusters: ArrayLike,
    convention: TieConvention = "davidson",
    reference: str | None = None,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    level: float = DEFAULT_LEVEL,
    unit: str = "query",
) -> Ranking:
    """Scores and abilities of ``systems`` from decided comparisons, intervals by resampling clusters (queries).

    ``first`` and ``second`` (rows,) are indices into ``systems``, ``result`` is FIRST, SECOND or TIE, ``clusters``
    any labels. Resamples whose table has no finite abilities are left out and counted in the warning; where they are
    more than a tenth there is no interval. Raises ValueError for indices and results that name nothing.
    """
    one, two, verdict = (np.asarray(part, dtype=np.int64) for part in (first, second, result))
    _check_comparisons(one, two, verdict, len(systems))
    drawn = bootstrap_sums(
        _cluster_tables(one, two, verdict, clusters, len(systems)), resamples=resamples, seed=seed, unit=unit
    )
    size = len(systems)
    totals = drawn.sums.numerators.sum(axis=0)
    wins, ties = _tables(totals[:, None], size)
    fit = bradley_terry(wins[0], ties[0], systems, convention=convention, reference=reference)
    draw_wins, draw_ties = _tables(np.rint(drawn.draws * drawn.sums.n_clusters), size)
    scores = win_scores(draw_wins, draw_ties)
    abilities = abilities_of_tables(draw_wins, draw_ties, fit) if fit.value is not None else None
    interval = _Interval(level, unit, seed, drawn)
    point = win_scores(wins[0], ties[0])
    return Ranking(
        scores={s: interval.score(point[k], scores[:, k]) for k, s in enumerate(systems)},
        abilities={s: interval.ability(fit, k, abilities) for k, s in enumerate(systems)},
        fit=fit,
        n=int(verdict.size),
        n_clusters=drawn.sums.n_clusters,
    )


def _check_comparisons(
    first: NDArray[np.int64], second: NDArray[np.int64], result: NDArray[np.int64], size: int
) -> None:
    if not first.shape == second.shape == result.shape or first.ndim != 1:
        raise ValueError(f"aligned rows are needed, not {first.shape}, {second.shape} and {result.shape}")
    if not ((first >= 0) & (first < size) & (second >= 0) & (second < size) & (first != second)).all():
        raise ValueError(f"a comparison names two different systems by their places, 0 to {size - 1}")
    if not np.isin(result, (FIRST, SECOND, TIE)).all():
        raise ValueError(f"a result is {FIRST} (first won), {SECOND} (second won) or {TIE} (tie)")


@dataclass(frozen=True, slots=True)
class _Interval:
    level: float
    unit: str
    seed: int
    drawn: Bootstrap

    def score(self, value: float, draws: FloatArray) -> Estimate:
        n = self.drawn.sums.n_clusters
        if np.isnan(value):
            return Estimate.undefined_because("the system was never compared", n=n, unit=self.unit)
        return self._around(float(value), draws[~np.isnan(draws)], "")

    def ability(self, fit: Abilities, system: int, draws: FloatArray | None) -> Estimate:
        n = self.drawn.sums.n_clusters
        method = f"Bradley-Terry, {fit.convention}"
        if fit.value is None or fit.se is None or draws is None:
            return Estimate.undefined_because(fit.undefined or "not fitted", n=n, unit=self.unit, method=method)
        return self._around(fit.value[system], draws[:, system], method + ", ", lost=self.lost(draws))

    def lost(self, draws: FloatArray) -> int:
        return self.drawn.draws.shape[1] - len(draws)

    def _around(self, value: float, draws: FloatArray, method: str, *, lost: int = 0) -> Estimate:
        n, total = self.drawn.sums.n_clusters, self.drawn.draws.shape[1]
        warning = f"{lost} of {total} resamples had no finite abilities" if lost else None
        if n < 2 or not draws.size or (total - lost) < LEAST_SHARE_FITTED * total:
            return Estimate(
                value=value, level=self.level, n=n, unit=self.unit, method=method + "no interval",
                warning=warning or f"one {self.unit} only",
            )  # fmt: skip
        low, high = percentile_bounds(np.sort(draws), level=self.level)
        return Estimate(
            value=value, low=min(low, value), high=max(high, value), level=self.level, n=n, unit=self.unit,
            method=f"{method}{self.unit} bootstrap, percentile, {total} resamples", seed=self.seed, warning=warning,
        )  # fmt: skip


def _cluster_tables(
    first: NDArray[np.int64], second: NDArray[np.int64], result: NDArray[np.int64], clusters: ArrayLike, size: int
) -> ClusterSums:
    """Per cluster the flattened win table and tie table; the denominator 1 makes each metric a mean per cluster."""
    codes, names = pd.factorize(np.asarray(clusters), sort=True)
    if len(codes) != first.size or (codes < 0).any():
        raise ValueError("every comparison needs a cluster")
    winner, loser = np.where(result == SECOND, second, first), np.where(result == SECOND, first, second)
    tie = result == TIE
    cell = np.where(tie, size * size, 0) + winner * size + loser
    width = 2 * size * size
    counts = np.bincount(codes * width + cell, minlength=len(names) * width).reshape(len(names), width)
    return ClusterSums.of(counts, np.ones(len(names)))


def _tables(totals: FloatArray, size: int) -> tuple[FloatArray, FloatArray]:
    """(features, batch) to wins and symmetric ties, both (batch, systems, systems)."""
    wins, ties = totals.T.reshape(-1, 2, size, size).swapaxes(0, 1)
    return wins, ties + ties.swapaxes(1, 2)
