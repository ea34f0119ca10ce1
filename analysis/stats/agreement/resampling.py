"""The item bootstrap of coefficients, over rating patterns instead of items.

Drawing n of n items with replacement and counting patterns is one multinomial draw over the patterns' shares, so
2,000 resamples of a million items cost 2,000 draws over at most a few hundred patterns.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from analysis.stats.agreement.formulas import CERTAIN, Formula
from analysis.stats.agreement.ratings import Ratings

FloatArray = NDArray[np.float64]

#: Weights held at once; every block has its own child seed, so that memory never changes the draws.
_BLOCK_WEIGHTS = 4_000_000


def item_draws(ratings: Ratings, formulas: Sequence[Formula], *, resamples: int, seed: int) -> list[FloatArray]:
    """For each formula, its values (resamples,) over shared resamples of the items; NaN marks 0/0."""
    if resamples < 1:
        raise ValueError("at least one resample is needed")
    columns = [formula.columns(ratings) for formula in formulas]
    block = max(1, _BLOCK_WEIGHTS // max(len(ratings.times), 1))
    drawn: list[list[FloatArray]] = [[] for _ in formulas]
    for number, start in enumerate(range(0, resamples, block)):
        generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
        shares = ratings.times / ratings.times.sum()
        size = min(block, resamples - start)
        weights = generator.multinomial(ratings.n_items, shares, size=size).astype(np.float64)
        for values, formula, part in zip(drawn, formulas, columns, strict=True):
            values.append(_values(formula, weights @ part))
    return [np.concatenate(values) for values in drawn]


def leave_one_out(ratings: Ratings, formula: Formula) -> FloatArray:
    """(patterns,): the coefficient without one item of each pattern; NaN marks 0/0."""
    columns = formula.columns(ratings)
    return _values(formula, ratings.times @ columns - columns)


def _values(formula: Formula, totals: FloatArray) -> FloatArray:
    pa, pe = formula.parts(totals)
    certain = ~(1 - pe > CERTAIN)
    return np.where(certain, np.nan, (pa - pe) / np.where(certain, 1.0, 1 - pe))
