"""Drawing clusters, and multiplying how often each was drawn by what each holds, in single precision."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

#: Whole numbers below this are exact in float32.
_EXACT_FLOAT32 = 2**24
#: Resamples counted by one bincount: enough to spare the calls, few enough for the counts to stay in cache.
_COUNTED_TOGETHER = 8
#: Resamples multiplied at once: few while the columns are few, so that weights and columns stay in cache.
_FEW_COLUMNS = 128
_FEW_TOGETHER = 32
_MANY_TOGETHER = 512
#: A product of this many multiplications stays on one thread in OpenBLAS. Larger ones wake a second thread, which
#: pays for large products only: on a busy machine, waiting for it costs many times what it saves.
_ONE_THREAD = 262_144


def resample_weights(n_clusters: int, *, resamples: int, seed: int, block: int = 0) -> NDArray[np.float32]:
    """How often each cluster is drawn: (resamples, clusters), whole numbers; each row adds up to clusters."""
    picks = draw_clusters(n_clusters, resamples=resamples, seed=seed, block=block)
    return _weights_of(picks, n_clusters=n_clusters)


def draw_clusters(n_clusters: int, *, resamples: int, seed: int, block: int) -> NDArray[Any]:
    """The clusters drawn, (resamples, clusters) of their numbers."""
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(block,)))
    narrow = np.uint16 if n_clusters <= np.iinfo(np.uint16).max else np.int64
    return generator.integers(0, n_clusters, size=(resamples, n_clusters), dtype=narrow)


def _weights_of(picks: NDArray[Any], *, n_clusters: int) -> NDArray[np.float32]:
    weights = np.empty(picks.shape, dtype=np.float32)
    offsets = np.arange(_COUNTED_TOGETHER)[:, None] * n_clusters
    for start in range(0, len(picks), _COUNTED_TOGETHER):
        rows = picks[start : start + _COUNTED_TOGETHER]
        counts = np.bincount((rows + offsets[: len(rows)]).ravel(), minlength=rows.size)
        weights[start : start + len(rows)] = counts.reshape(rows.shape)
    return weights


def weighted_totals(picks: NDArray[Any], statistics: NDArray[np.float32], *, n_clusters: int) -> FloatArray:
    """(resamples, columns): how often each cluster was picked, times ``statistics`` (clusters, columns)."""
    columns = statistics.shape[1]
    few = columns <= _FEW_COLUMNS
    together = _FEW_TOGETHER if few else _MANY_TOGETHER
    slab = max(1, _ONE_THREAD // (together * columns)) if few else n_clusters
    totals = np.zeros((len(picks), columns))
    for start in range(0, len(picks), together):
        weights = _weights_of(picks[start : start + together], n_clusters=n_clusters)
        part = totals[start : start + together]
        for first in range(0, n_clusters, slab):
            part += weights[:, first : first + slab] @ statistics[first : first + slab]
    return totals


def single_precision(
    numerators: FloatArray, denominators: FloatArray, point: FloatArray
) -> tuple[NDArray[np.float32], FloatArray]:
    """Columns for the matrix product, and what to add to each ratio afterwards.

    Whole numbers that stay exact in float32 go in as they are. Others go in as residuals from the point
    estimate, so that rounding touches only the small deviation and never the value itself.
    """
    both = np.hstack([numerators, denominators])
    largest = np.abs(both).max(initial=0.0) * len(numerators)
    if largest < _EXACT_FLOAT32 and np.array_equal(both, np.rint(both)):
        return both.astype(np.float32), np.zeros(len(point))
    shift = np.nan_to_num(point)
    residual = numerators - shift * denominators
    return np.hstack([residual, denominators]).astype(np.float32), shift
