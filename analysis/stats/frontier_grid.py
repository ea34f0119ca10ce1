"""Verdicts laid out so that every frontier metric is a count: one slot per (cell, pair), one code per order.

A *cell* is the finest condition anyone reports: judge x protocol x level x paraphrase x probe x attack x phase on one
stratum of pairs. Cells are numbered by the caller; this module knows only whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
CodeArray = NDArray[np.int8]

#: What a row ended in, by role: the pair's first or second role won, a tie, or one of the undecided outcomes.
FIRST, SECOND, TIE, REFUSED, UNPARSED, ERROR, ABSENT = range(7)
DECIDED_CODES = (FIRST, SECOND, TIE)
N_CODES = 6
#: The order of a row: which role was shown as A, or both orders combined before the file was written.
FIRST_AS_A, SECOND_AS_A, COMBINED = range(3)

#: A dense map from (cell, pair) to slot is used while it is at most this many times longer than the rows.
_DENSE_SHARE = 8
_DENSE_FLOOR = 10_000_000


@dataclass(frozen=True, slots=True)
class Grid:
    """``cell`` and ``pair`` (slots,), ascending by (cell, pair); ``codes`` (3 orders, slots), ABSENT where no row."""

    cell: IntArray
    pair: IntArray
    codes: CodeArray
    n_cells: int
    n_pairs: int

    def slice_of(self, first_cell: int, last_cell: int) -> slice:
        """The slots of the cells first..last (both included)."""
        bounds = np.searchsorted(self.cell, [first_cell, last_cell + 1])
        return slice(int(bounds[0]), int(bounds[1]))

    def by_pair(self, cells: NDArray[np.int64]) -> CodeArray:
        """One row of codes per pair, (3 orders, pairs), over cells that share no pair; ABSENT elsewhere."""
        table = np.full((3, self.n_pairs), ABSENT, dtype=np.int8)
        for cell in cells:
            here = self.slice_of(int(cell), int(cell))
            table[:, self.pair[here]] = self.codes[:, here]
        return table


@dataclass(frozen=True, slots=True)
class Placed:
    """A grid with the slot of every row, (rows,)."""

    grid: Grid
    slot: IntArray


def build_grid(
    cell: IntArray, pair: IntArray, order: NDArray[np.int8], code: CodeArray, *, n_cells: int, n_pairs: int
) -> Placed:
    """Lay out rows; all inputs are (rows,). Raises ValueError where two rows share cell, pair and order."""
    keys, slot = _slots(cell * n_pairs + pair, n_cells * n_pairs)
    codes = np.full((3, keys.size), ABSENT, dtype=np.int8)
    codes[order, slot] = code
    if np.count_nonzero(codes != ABSENT) != code.size:
        raise ValueError("two rows share one cell, pair and order")
    return Placed(Grid(keys // n_pairs, keys % n_pairs, codes, n_cells, n_pairs), slot)


def _slots(key: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """(sorted distinct keys, index of each row's key among them)."""
    if size > max(_DENSE_FLOOR, _DENSE_SHARE * key.size):
        keys, inverse = np.unique(key, return_inverse=True)
        return keys, inverse
    seen = np.zeros(size, dtype=bool)
    seen[key] = True
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[key]


def first_repeats(key: IntArray, repeat: IntArray) -> NDArray[np.bool_]:
    """True for the rows of the lowest repeat of their key, (rows,). Rates count those; the others measure noise."""
    if repeat.size == 0 or repeat.min() == repeat.max():
        return np.ones(repeat.size, dtype=bool)
    keys, inverse = np.unique(key, return_inverse=True)
    lowest = np.full(keys.size, np.iinfo(np.int64).max)
    np.minimum.at(lowest, inverse, repeat)
    return np.asarray(repeat == lowest[inverse])


def repeat_disagreement(key: IntArray, code: CodeArray) -> tuple[IntArray, NDArray[np.float64], IntArray]:
    """How often same-order repeats of one comparison differ: (keys repeated, share of differing couples, couples).

    Only decided rows count; a key with fewer than two has no couple and is left out.
    """
    decided = code <= TIE
    keys, inverse = np.unique(key[decided], return_inverse=True)
    counts = np.bincount(inverse * 3 + code[decided], minlength=keys.size * 3).reshape(-1, 3)
    n = counts.sum(axis=1)
    couples = n * (n - 1) // 2
    alike = (counts * (counts - 1) // 2).sum(axis=1)
    repeated = couples > 0
    return keys[repeated], 1 - alike[repeated] / couples[repeated], couples[repeated]
