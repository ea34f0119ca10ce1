"""The ratings a coefficient is computed from: distinct rating patterns and how many items show each."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.stats.agreement.encoding import (
    IntArray,
    is_number,
    label_encoder,
    label_matrix,
    observed_categories,
)
from analysis.stats.agreement.patterns import pattern_counts

FloatArray = NDArray[np.float64]
Kind = Literal["ratings", "table", "counts"]


@dataclass(frozen=True)
class Ratings:
    """Items rated by raters into one of q categories, with repeated rating patterns kept once.

    ``counts`` (patterns, q): how many raters chose each category; ``times`` (patterns,): items with this pattern.
    ``codes`` (patterns, raters): 0 missing, 1..q the category in scale order; None where raters are anonymous.
    Items and raters without any rating are not in here; ``raters`` are the places in the input of those that
    are. ``declared`` says whether the category list came from
    the study's scheme; the observed labels are no substitute for it, because q enters AC1 and Brennan-Prediger.
    """

    counts: FloatArray
    times: FloatArray
    codes: IntArray | None
    categories: tuple[Hashable, ...]
    declared: bool
    kind: Kind
    raters: tuple[int, ...] = ()

    @classmethod
    def from_matrix(cls, matrix: object, *, categories: Sequence[Hashable] | None = None) -> Ratings:
        """From raters x items labels (array, data frame or nested sequences); None, NaN or blank is missing.

        Raises UndeclaredLabelError for a label outside ``categories`` and ValueError for ragged input.
        """
        labels = label_matrix(matrix)
        declared = _checked(categories) if categories is not None else observed_categories(labels)
        encoder = label_encoder(declared, dtype=labels.dtype)
        codes, times = pattern_counts(labels, encoder=encoder, q=len(declared))
        return cls._from_codes(codes, times, declared, categories is not None, "ratings")

    @classmethod
    def from_table(cls, table: ArrayLike, *, categories: Sequence[Hashable] | None = None) -> Ratings:
        """From a q x q table of two raters (rows the first rater): whole numbers of items. All q are declared."""
        cells = _whole_numbers(table, "a table of two raters")
        if cells.shape[0] != cells.shape[1]:
            raise ValueError(f"a table of two raters is square, not {cells.shape[0]} x {cells.shape[1]}")
        declared = _declared(categories, cells.shape[0])
        rows, columns = np.nonzero(cells)
        codes = np.column_stack([rows + 1, columns + 1])
        return cls._from_codes(codes, cells[rows, columns], declared, True, "table")

    @classmethod
    def from_counts(cls, counts: ArrayLike, *, categories: Sequence[Hashable] | None = None) -> Ratings:
        """From items x categories counts of anonymous raters, a different number per item allowed."""
        cells = _whole_numbers(counts, "counts of ratings")
        declared = _declared(categories, cells.shape[1])
        distinct, times = np.unique(cells, axis=0, return_counts=True)
        rated = distinct.sum(axis=1) > 0
        return cls(distinct[rated], times[rated].astype(np.float64), None, declared, True, "counts")

    @classmethod
    def _from_codes(
        cls,
        codes: IntArray,
        times: FloatArray,
        categories: tuple[Hashable, ...],
        declared: bool,
        kind: Kind,
    ) -> Ratings:
        rated = (codes > 0).any(axis=1)
        codes, times = codes[rated], times[rated]
        raters = np.flatnonzero((codes > 0).any(axis=0))
        codes = codes[:, raters]
        counts = np.zeros((len(codes), len(categories)))
        for rater in codes.T:
            known = rater > 0
            counts[np.flatnonzero(known), rater[known] - 1] += 1
        places = tuple(raters.tolist())
        return cls(counts, times.astype(np.float64), codes, categories, declared, kind, places)

    @property
    def q(self) -> int:
        return len(self.categories)

    @property
    def n_items(self) -> int:
        """Items with at least one rating."""
        return int(self.times.sum())

    @property
    def n_pairable(self) -> int:
        """Items with at least two ratings."""
        return int(self.times[self.per_item >= 2].sum())

    @property
    def n_raters(self) -> int:
        """Raters with at least one rating; where raters are anonymous, the most ratings any item has."""
        return int(self.per_item.max(initial=0)) if self.codes is None else int(self.codes.shape[1])

    @property
    def per_item(self) -> FloatArray:
        """Ratings per item, by pattern (patterns,)."""
        return self.counts.sum(axis=1)

    @property
    def n_used_categories(self) -> int:
        return int((self.counts.sum(axis=0) > 0).sum())

    @property
    def ordered(self) -> bool:
        """Whether the categories have a known order: numbers always have, words only where declared."""
        return self.declared or all(is_number(category) for category in self.categories)

    def of_raters(self, raters: Sequence[int]) -> Ratings:
        """Only these raters, by column of ``codes``, and the items at least one of them rated."""
        if self.codes is None:
            raise ValueError("the raters are anonymous: who gave which rating is not known")
        return self._from_codes(self.codes[:, list(raters)], self.times, self.categories, self.declared, self.kind)

    def complete(self) -> Ratings:
        """Only the items that every rater rated."""
        if self.codes is None:
            return self
        whole = (self.codes > 0).all(axis=1)
        return replace(self, counts=self.counts[whole], times=self.times[whole], codes=self.codes[whole])


def _checked(categories: Sequence[Hashable]) -> tuple[Hashable, ...]:
    declared = tuple(categories)
    if len(set(declared)) != len(declared):
        raise ValueError("a category is declared twice")
    return declared


def _declared(categories: Sequence[Hashable] | None, q: int) -> tuple[Hashable, ...]:
    declared = _checked(categories) if categories is not None else tuple(range(1, q + 1))
    if len(declared) != q:
        raise ValueError(f"{len(declared)} categories are declared but the input has {q}")
    return declared


def _whole_numbers(cells: Any, what: str) -> FloatArray:
    array = np.asarray(cells, dtype=np.float64)
    if array.ndim != 2:
        raise ValueError(f"{what} must have two dimensions, not {array.ndim}")
    if not np.isfinite(array).all() or (array < 0).any() or (array != np.rint(array)).any():
        raise ValueError(f"{what} must be whole numbers, zero or more")
    return array
