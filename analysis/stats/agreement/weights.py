"""Agreement weights between categories: 1 on the diagonal, less for categories further apart.

The formulas are those of Gwet, Handbook of Inter-Rater Reliability, 4th ed. (2014), as irrCAC 1.4 has them, over
the scores of the categories: a category that is a number is its own score, a category that is a word has its rank
in the declared order. ``ordinal`` weights use ranks only.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.stats.agreement.encoding import is_number

FloatArray = NDArray[np.float64]

CUSTOM = "custom"
#: Krippendorff's metrics: names that only his alpha understands.
KRIPPENDORFF_ORDINAL = "krippendorff_ordinal"
KRIPPENDORFF_RATIO = "krippendorff_ratio"


class UnusableWeightsError(ValueError):
    """Weights that these categories cannot take: an unknown name, a bad matrix, ratio weights on negative scores."""


@dataclass(frozen=True)
class Weights:
    """A q x q matrix of agreement weights, with its name and what it was computed from.

    ``matrix`` is None for Krippendorff's ordinal metric, which every sample makes anew from its counts.
    """

    name: str
    matrix: FloatArray | None
    basis: str

    @property
    def numbers(self) -> FloatArray:
        if self.matrix is None:
            raise ValueError(f"{self.name} weights are made from each sample's counts")
        return self.matrix

    @property
    def identity(self) -> bool:
        return self.matrix is not None and np.array_equal(self.matrix, np.eye(len(self.matrix)))

    def describe(self) -> str:
        """In words, for an estimate's method: "quadratic weights on scores 0, 1, 5"."""
        if self.matrix is None:
            return self.basis
        return "" if self.identity else f"{self.name} weights {self.basis}".strip()


def category_scores(categories: Sequence[Hashable]) -> tuple[FloatArray, bool]:
    """One score per category, and whether they are the categories' own numbers (else ranks 1..q)."""
    if categories and all(is_number(category) for category in categories):
        return np.array([float(category) for category in categories]), True  # type: ignore[arg-type]
    return np.arange(1.0, len(categories) + 1), False


def category_ranks(categories: Sequence[Hashable]) -> FloatArray:
    """Ranks 1..q: ascending by number where categories are numbers, else in declared order."""
    scores, _ = category_scores(categories)
    ranks = np.empty(len(scores))
    ranks[np.argsort(scores, kind="stable")] = np.arange(1.0, len(scores) + 1)
    return ranks


def weight_matrix(weights: str | ArrayLike, categories: Sequence[Hashable]) -> Weights:
    """The weights called ``weights``, or a custom q x q matrix of agreement weights in category order.

    Raises UnusableWeightsError for an unknown name, for ratio weights on negative scores, and for a matrix of the wrong
    size, not symmetric, without ones on its diagonal, or with a weight outside 0..1.
    """
    if not isinstance(weights, str):
        return Weights(CUSTOM, _checked_matrix(weights, len(categories)), "as given")
    if weights == "identity":
        return Weights("identity", np.eye(len(categories)), "")
    if weights == "ordinal":
        return Weights("ordinal", _ordinal(category_ranks(categories)), "on ranks of the categories")
    if weights not in _DISSIMILARITY:
        known = ", ".join(WEIGHT_NAMES)
        raise UnusableWeightsError(f"unknown weights {weights!r}; there are {known}, or a matrix")
    scores, own = category_scores(categories)
    if weights == "ratio" and (scores < 0).any():
        raise UnusableWeightsError("ratio weights need scores of zero or more")
    basis = f"on scores {', '.join(f'{score:g}' for score in scores)}" if own else "on ranks in declared order"
    return Weights(weights, _similarity(_DISSIMILARITY[weights](scores)), basis)


def _similarity(distance: FloatArray) -> FloatArray:
    """1 minus the distance as a share of the largest; one category alone agrees with itself."""
    largest = distance.max(initial=0.0)
    similar = 1 - distance / largest if largest > 0 else np.ones_like(distance)
    np.fill_diagonal(similar, 1.0)
    return similar


def _ordinal(ranks: FloatArray) -> FloatArray:
    # Pairs among the categories from k to l, both included: (m choose 2) of the m categories spanned.
    spanned = np.abs(ranks[:, None] - ranks) + 1
    return _similarity(spanned * (spanned - 1) / 2)


def _gaps(scores: FloatArray) -> FloatArray:
    return np.abs(scores[:, None] - scores)


def _relative(scores: FloatArray) -> FloatArray:
    total = scores[:, None] + scores
    return (_gaps(scores) / np.where(total == 0, 1.0, total)) ** 2


def _circular(scores: FloatArray) -> FloatArray:
    return np.sin(np.pi * _gaps(scores) / (np.ptp(scores) + 1)) ** 2


def _bipolar(scores: FloatArray) -> FloatArray:
    total = scores[:, None] + scores
    room = (total - 2 * scores.min()) * (2 * scores.max() - total)
    return _gaps(scores) ** 2 / np.where(room == 0, 1.0, room)


_DISSIMILARITY: dict[str, Callable[[FloatArray], FloatArray]] = {
    "linear": _gaps,
    "quadratic": lambda scores: _gaps(scores) ** 2,
    "radical": lambda scores: np.sqrt(_gaps(scores)),
    "ratio": _relative,
    "circular": _circular,
    "bipolar": _bipolar,
}

WEIGHT_NAMES = ("identity", "ordinal", *_DISSIMILARITY)


def _checked_matrix(weights: ArrayLike, q: int) -> FloatArray:
    matrix = np.asarray(weights, dtype=np.float64)
    if matrix.shape != (q, q):
        raise UnusableWeightsError(f"custom weights for {q} categories are {q} x {q}, not {matrix.shape}")
    if not np.isfinite(matrix).all() or matrix.min() < 0 or matrix.max() > 1:
        raise UnusableWeightsError("agreement weights lie between 0 and 1")
    if not np.array_equal(matrix, matrix.T):
        raise UnusableWeightsError("agreement weights are symmetric: two answers agree as much in either order")
    if not np.array_equal(np.diag(matrix), np.ones(q)):
        raise UnusableWeightsError("a category agrees with itself: the diagonal of agreement weights is 1")
    return matrix
