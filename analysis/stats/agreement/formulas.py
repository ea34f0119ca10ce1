"""The chance-corrected coefficients (pa - pe) / (1 - pe), each as a function of sums over items.

Every formula gives, per rating pattern, the columns whose weighted sums determine pa and pe. The point estimate
sums them over the items, a bootstrap over resampled items: one implementation serves both. ``slope`` is Gwet's
linearisation of pe at an item (Handbook of Inter-Rater Reliability, 4th ed., 2014; the code of irrCAC 1.4 is its
readable form), from which the standard error is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from analysis.stats.agreement.ratings import Ratings

FloatArray = NDArray[np.float64]

#: Closer than this to 1, chance agreement leaves 0/0.
CERTAIN = 1e-12


class Formula(Protocol):
    """What a coefficient must offer. Trailing axis of ``totals``: the columns of ``columns``."""

    def columns(self, ratings: Ratings) -> FloatArray:
        """(patterns, columns): what one item of each pattern adds."""

    def parts(self, totals: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Observed and chance agreement, each (...,), from totals (..., columns); NaN where 0/0."""

    def deviations(self, ratings: Ratings, totals: FloatArray) -> tuple[FloatArray, int]:
        """(patterns,): each item's linearised deviation from the coefficient, and the n it is averaged over."""


class Chance(Protocol):
    """A model of chance agreement."""

    def columns(self, ratings: Ratings) -> FloatArray: ...

    def expected(self, totals: FloatArray) -> FloatArray: ...

    def slope(self, ratings: Ratings) -> FloatArray: ...


@dataclass(frozen=True)
class ChanceCorrected:
    """Observed agreement by item, corrected by a chance model: raw, BP, AC1/AC2, Fleiss, Conger, Cohen, Scott."""

    weights: FloatArray
    chance: Chance

    def columns(self, ratings: Ratings) -> FloatArray:
        pairable = (ratings.per_item >= 2).astype(np.float64)
        agreement = item_agreement(ratings, self.weights)
        return np.column_stack([pairable, agreement, self.chance.columns(ratings)])

    def parts(self, totals: FloatArray) -> tuple[FloatArray, FloatArray]:
        return share(totals[..., 1], totals[..., 0]), self.chance.expected(totals[..., 2:])

    def deviations(self, ratings: Ratings, totals: FloatArray) -> tuple[FloatArray, int]:
        pa, pe = self.parts(totals)
        n = ratings.n_items
        pairable = ratings.per_item >= 2
        # Items with one rating keep their place in n and inform pe, but observe no agreement.
        observed = n / ratings.n_pairable * (item_agreement(ratings, self.weights) - pe * pairable)
        value = (pa - pe) / (1 - pe)
        return (observed - (1 - value) * self.chance.slope(ratings)) / (1 - pe) - value, n


@dataclass(frozen=True)
class FixedChance:
    """A chance agreement that no rating changes: 0 for raw agreement, 1/2 for PABAK, T/q^2 for Brennan-Prediger."""

    value: float

    def columns(self, ratings: Ratings) -> FloatArray:
        return np.empty((len(ratings.times), 0))

    def expected(self, totals: FloatArray) -> FloatArray:
        return np.full(totals.shape[:-1], self.value)

    def slope(self, ratings: Ratings) -> FloatArray:
        return np.zeros(len(ratings.times))


@dataclass(frozen=True)
class GwetChance:
    """pe = T / (q (q - 1)) * sum over k of pi_k (1 - pi_k), T the sum of all weights: Gwet (2008, 2014)."""

    weights: FloatArray

    def columns(self, ratings: Ratings) -> FloatArray:
        return with_count(item_shares(ratings))

    def expected(self, totals: FloatArray) -> FloatArray:
        pi = mean_of_counted(totals)
        return self._factor * (pi * (1 - pi)).sum(axis=-1)

    def slope(self, ratings: Ratings) -> FloatArray:
        shares = item_shares(ratings)
        pi = mean_of_counted(ratings.times @ self.columns(ratings))
        return 2 * self._factor * ((shares - pi) @ (1 - pi))

    @property
    def _factor(self) -> float:
        q = len(self.weights)
        return float(self.weights.sum()) / (q * (q - 1))


@dataclass(frozen=True)
class PooledChance:
    """pe = pi' W pi, one distribution for all raters: Scott (1955), Fleiss (1971), with missing cells Gwet's pi."""

    weights: FloatArray

    def columns(self, ratings: Ratings) -> FloatArray:
        return with_count(item_shares(ratings))

    def expected(self, totals: FloatArray) -> FloatArray:
        pi = mean_of_counted(totals)
        return ((pi @ self.weights) * pi).sum(axis=-1)

    def slope(self, ratings: Ratings) -> FloatArray:
        pi = mean_of_counted(ratings.times @ self.columns(ratings))
        return 2 * ((item_shares(ratings) - pi) @ (self.weights @ pi))


@dataclass(frozen=True)
class RaterChance:
    """pe = mean over pairs of raters of p_g' W p_h, each rater's own distribution: Cohen (1960), Conger (1980)."""

    weights: FloatArray

    def columns(self, ratings: Ratings) -> FloatArray:
        return rater_choices(ratings).reshape(len(ratings.times), -1)

    def expected(self, totals: FloatArray) -> FloatArray:
        p = self._distributions(totals)
        n_raters = p.shape[-2]
        everyone = p.sum(axis=-2)
        of_all = ((everyone @ self.weights) * everyone).sum(axis=-1)
        of_same = ((p @ self.weights) * p).sum(axis=(-1, -2))
        return (of_all - of_same) / (n_raters * (n_raters - 1))

    def slope(self, ratings: Ratings) -> FloatArray:
        choices = rater_choices(ratings)
        p = self._distributions(ratings.times @ self.columns(ratings))
        n_raters = len(p)
        rated = choices.sum(axis=-1)
        # A rater who skipped items weighs each item rated by n / n_g.
        weight = ratings.n_items / (ratings.times @ rated)
        deviation = (choices - rated[..., None] * p) * weight[:, None]
        others = (p.sum(axis=0) - p) @ self.weights
        return 2 * (deviation * others).sum(axis=(-1, -2)) / (n_raters * (n_raters - 1))

    def _distributions(self, totals: FloatArray) -> FloatArray:
        q = len(self.weights)
        chosen = totals.reshape(*totals.shape[:-1], -1, q)
        return share(chosen, chosen.sum(axis=-1, keepdims=True))


def item_shares(ratings: Ratings) -> FloatArray:
    """(patterns, q): the share of an item's ratings in each category."""
    return ratings.counts / ratings.per_item[:, None]


def item_agreement(ratings: Ratings, weights: FloatArray) -> FloatArray:
    """(patterns,): the weighted share of agreeing pairs among an item's raters; 0 where there is no pair."""
    m = ratings.per_item
    agreeing = (ratings.counts * (ratings.counts @ weights - 1)).sum(axis=1)
    return np.where(m >= 2, agreeing, 0.0) / np.where(m >= 2, m * (m - 1), 1.0)


def rater_choices(ratings: Ratings) -> FloatArray:
    """(patterns, raters, q): 1 where the rater chose the category."""
    if ratings.codes is None:
        raise ValueError("raters are anonymous")
    return (ratings.codes[:, :, None] == np.arange(1, ratings.q + 1)).astype(np.float64)


def with_count(columns: FloatArray) -> FloatArray:
    """A first column of ones, so that totals carry the number of items."""
    return np.column_stack([np.ones(len(columns)), columns])


def mean_of_counted(totals: FloatArray) -> FloatArray:
    return share(totals[..., 1:], totals[..., :1])


def share(part: FloatArray, whole: FloatArray) -> FloatArray:
    """part / whole, NaN where there is nothing to divide by; NaN never leaves the package."""
    empty = whole == 0
    return np.where(empty, np.nan, part / np.where(empty, 1.0, whole))
