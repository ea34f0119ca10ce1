"""A group's verdicts added up by cluster: all that its rates, positions and order effects need."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.stats.frontier_grid import ABSENT, FIRST, N_CODES, SECOND, TIE, Grid

FloatArray = NDArray[np.float64]
CountArray = NDArray[np.int64]

#: What a cell's pairs should be answered by; a role, a tie, a tie at most (boundary), or nothing declared.
TARGET_FIRST, TARGET_SECOND, TARGET_TIE, TARGET_BOUNDARY, TARGET_NONE = range(5)
ROLE_TARGETS = (TARGET_FIRST, TARGET_SECOND)


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts whose last axis is the cluster (or the resample, or 1 for totals).

    ``outcomes`` (3 orders, 6 codes, k): rows by order and outcome. ``matrix`` (3, 3, k): pairs decided in both
    orders, by the role verdict when the first role was A and when the second was. ``target`` (3 orders, 3, k): rows
    of pairs with a role target, by target won, other role won, tie.
    """

    outcomes: FloatArray
    matrix: FloatArray
    target: FloatArray

    def columns(self) -> FloatArray:
        """Everything a resample needs, (22 columns, k): of the matrix only what the metrics tell apart."""
        k = self.outcomes.shape[-1]
        same = self.matrix[FIRST, FIRST] + self.matrix[SECOND, SECOND] + self.matrix[TIE, TIE]
        orders = [self.matrix[FIRST, SECOND], self.matrix[SECOND, FIRST], same, self.matrix.sum(axis=(0, 1))]
        parts = (self.outcomes[:, : TIE + 1], np.stack(orders), self.target)
        return np.concatenate([part.reshape(math.prod(part.shape[:-1]), k) for part in parts])

    @classmethod
    def from_columns(cls, columns: FloatArray) -> Tally:
        """A tally with the same metrics. Undecided rows are not resampled and read 0; in the matrix all pairs with
        equal verdicts stand under two ties, and all with one tie under first-then-tie."""
        k = columns.shape[-1]
        outcomes = np.zeros((3, N_CODES, k))
        outcomes[:, : TIE + 1] = columns[:9].reshape(3, 3, k)
        first_twice, second_twice, same, pairs = columns[9:13]
        matrix = np.zeros((3, 3, k))
        matrix[FIRST, SECOND], matrix[SECOND, FIRST], matrix[TIE, TIE] = first_twice, second_twice, same
        matrix[FIRST, TIE] = pairs - first_twice - second_twice - same
        return cls(outcomes, matrix, columns[13:22].reshape(3, 3, k))

    def totals(self) -> Tally:
        return Tally(*(part.sum(axis=-1, keepdims=True) for part in (self.outcomes, self.matrix, self.target)))

    def present(self) -> NDArray[np.bool_]:
        """Which clusters have at least one row, decided or not."""
        return np.asarray(self.outcomes.sum(axis=(0, 1)) > 0)

    def at(self, clusters: NDArray[np.bool_]) -> Tally:
        return Tally(self.outcomes[..., clusters], self.matrix[..., clusters], self.target[..., clusters])


@dataclass(frozen=True, slots=True)
class CellCounts:
    """Counts of neighbouring cells, last axes (cell, cluster): ``outcomes`` (3, 6, ...), ``matrix`` (3, 3, ...)."""

    first_cell: int
    outcomes: CountArray
    matrix: CountArray

    def tally(self, cells: Sequence[int], targets: Sequence[int]) -> Tally:
        """Add up ``cells``, whose pairs' targets are ``targets`` (codes of this module)."""
        picked = np.asarray(cells) - self.first_cell
        outcomes = self.outcomes[:, :, picked].sum(axis=2).astype(np.float64)
        matrix = self.matrix[:, :, picked].sum(axis=2).astype(np.float64)
        target = np.zeros((3, 3, outcomes.shape[-1]))
        for cell, aim in zip(picked, targets, strict=True):
            if aim in ROLE_TARGETS:
                won = [aim, 1 - aim, TIE]
                target += self.outcomes[:, won, cell]
        return Tally(outcomes, matrix, target)


def count_cells(
    grid: Grid, cluster: NDArray[np.int64], *, first_cell: int, last_cell: int, n_clusters: int
) -> CellCounts:
    """Count the slots of the cells first..last; ``cluster`` (pairs,) numbers the clusters from 0."""
    here = grid.slice_of(first_cell, last_cell)
    cells = last_cell - first_cell + 1
    place = (grid.cell[here] - first_cell) * n_clusters + cluster[grid.pair[here]]
    size = cells * n_clusters
    outcomes = np.stack([_count(place, grid.codes[order, here], ABSENT + 1, size)[:N_CODES] for order in range(3)])
    one, two = grid.codes[0, here], grid.codes[1, here]
    both = (one <= TIE) & (two <= TIE)
    couples = one[both].astype(np.int64) * 3 + two[both]
    matrix = _count(place[both], couples, 9, size).reshape(3, 3, size)
    return CellCounts(
        first_cell,
        outcomes.reshape(3, N_CODES, cells, n_clusters),
        matrix.reshape(3, 3, cells, n_clusters),
    )


def _count(place: NDArray[np.int64], code: NDArray[np.integer], width: int, size: int) -> CountArray:
    """(width, size) counts of each code at each place."""
    return np.bincount(place + code.astype(np.int64) * size, minlength=width * size).reshape(width, size)
