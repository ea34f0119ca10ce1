"""Krippendorff's alpha, nominal, ordinal, interval, ratio or with any weights, over items with two ratings or more.

Source: Krippendorff, Computing Krippendorff's Alpha-Reliability (2011); its standard error from Gwet, Handbook,
4th ed. (2014), as irrCAC 1.4 computes it for raw ratings.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.stats.agreement.formulas import share
from analysis.stats.agreement.ratings import Ratings

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class WeightedAlpha:
    """Alpha = (pa - pe) / (1 - pe) with pa = (1 - 1/N) pa' + 1/N over the N pairable ratings."""

    weights: FloatArray

    def columns(self, ratings: Ratings) -> FloatArray:
        """One agreement column, then the pairable ratings by category."""
        counts, m = _pairable(ratings)
        agreeing = (counts * (counts @ self.weights - 1)).sum(axis=1)
        return np.column_stack([agreeing / np.maximum(m - 1, 1), counts])

    def parts(self, totals: FloatArray) -> tuple[FloatArray, FloatArray]:
        n_ratings = totals[..., 1:].sum(axis=-1)
        small = share(np.ones_like(n_ratings), n_ratings)
        pi = share(totals[..., 1:], n_ratings[..., None])
        observed = share(totals[..., 0], n_ratings)
        return (1 - small) * observed + small, ((pi @ self.weights) * pi).sum(axis=-1)

    def deviations(self, ratings: Ratings, totals: FloatArray) -> tuple[FloatArray, int]:
        """Gwet's linearisation, which leaves the 1/N correction out of the deviations."""
        counts, m = _pairable(ratings)
        n = ratings.n_pairable
        mean = totals[1:].sum() / n
        pi = totals[1:] / totals[1:].sum()
        observed = totals[0] / totals[1:].sum()
        pe = float(pi @ self.weights @ pi)
        value = (observed - pe) / (1 - pe)
        extra = (m - mean) / mean
        pa_item = self.columns(ratings)[:, 0] / mean - observed * extra
        pe_item = counts @ (self.weights @ pi) / mean - pe * extra
        deviation = (pa_item - pe) / (1 - pe) - 2 * (1 - value) * (pe_item - pe) / (1 - pe) - value
        return np.where(m >= 2, deviation, 0.0), n


@dataclass(frozen=True)
class OrdinalAlpha:
    """Alpha with Krippendorff's ordinal metric, whose distances depend on how often each category is used.

    The metric is the squared difference of mid-ranks: delta(k, l) = (sum of n_g for g in k..l - (n_k + n_l) / 2)^2.
    ``order`` (q,) sorts the categories. The deviations are those of the whole function, the metric included.
    """

    order: NDArray[np.intp]

    def columns(self, ratings: Ratings) -> FloatArray:
        """The coincidence matrix of an item, row by row (q * q), in scale order."""
        counts, m = _pairable(ratings)
        counts = counts[:, self.order]
        both = counts[:, :, None] * counts[:, None, :]
        diagonal = np.arange(len(self.order))
        both[:, diagonal, diagonal] -= counts
        return (both / np.maximum(m - 1, 1)[:, None, None]).reshape(len(m), -1)

    def parts(self, totals: FloatArray) -> tuple[FloatArray, FloatArray]:
        """pa and pe on the scale where the largest distance between two categories in use is 1."""
        q = len(self.order)
        coincidences = totals.reshape(*totals.shape[:-1], q, q)
        n = coincidences.sum(axis=-1)
        n_ratings = n.sum(axis=-1)
        ranks = mid_ranks(n)
        squares = (ranks[..., :, None] - ranks[..., None, :]) ** 2
        largest = np.max(squares * (n[..., :, None] > 0) * (n[..., None, :] > 0), axis=(-1, -2))
        scale = np.where(largest > 0, largest, 1.0)
        apart = share((coincidences * squares).sum(axis=(-1, -2)), n_ratings) / scale
        expected = np.einsum("...k,...kl,...l->...", n, squares, n) / scale
        return (
            1 - apart * share(n_ratings - 1, n_ratings),
            1 - share(expected, n_ratings**2),
        )

    def deviations(self, ratings: Ratings, totals: FloatArray) -> tuple[FloatArray, int]:
        counts, m = _pairable(ratings)
        counts = counts[:, self.order]
        coincidences = totals.reshape(len(self.order), len(self.order))
        n = coincidences.sum(axis=0)
        n_ratings = n.sum()
        ranks = mid_ranks(n)
        squares = (ranks[:, None] - ranks) ** 2
        observed, expected = float((coincidences * squares).sum()), float(n @ squares @ n)
        # How an item moves its own disagreement, and how its ratings shift everyone's mid-ranks.
        item_squares = 2 * (m * (counts @ ranks**2) - (counts @ ranks) ** 2) / np.maximum(m - 1, 1)
        shift = mid_ranks(counts)
        d_observed = item_squares + 4 * shift @ (n * ranks - coincidences @ ranks)
        d_expected = 2 * counts @ (squares @ n) + 4 * shift @ (n * (n_ratings * ranks - n @ ranks))
        ratio = observed / expected
        d_ratio = d_observed / expected - observed * d_expected / expected**2
        change = -ratio * m - (n_ratings - 1) * d_ratio
        pairable = m >= 2
        items = ratings.n_pairable
        centred = change - (ratings.times * pairable) @ change / items
        return np.where(pairable, centred * items, 0.0), items


def mid_ranks(n: FloatArray) -> FloatArray:
    """(..., q): the mid-rank of each category's ratings, from how many ratings (..., q) each category has."""
    return np.cumsum(n, axis=-1) - n / 2


def _pairable(ratings: Ratings) -> tuple[FloatArray, FloatArray]:
    """Counts and ratings per item, with items of a single rating emptied."""
    pairable = ratings.per_item >= 2
    return ratings.counts * pairable[:, None], np.where(pairable, ratings.per_item, 0.0)
