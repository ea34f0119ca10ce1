"""The coefficients by name, and when each of them is not defined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.stats.agreement.alpha import OrdinalAlpha, WeightedAlpha
from analysis.stats.agreement.formulas import (
    Chance,
    ChanceCorrected,
    FixedChance,
    Formula,
    GwetChance,
    PooledChance,
    RaterChance,
)
from analysis.stats.agreement.ratings import Ratings
from analysis.stats.agreement.weights import (
    KRIPPENDORFF_ORDINAL,
    KRIPPENDORFF_RATIO,
    Weights,
    category_ranks,
    weight_matrix,
)

FloatArray = NDArray[np.float64]
Need = Literal["declared", "two raters", "named raters"]
AnyWeights = str | ArrayLike

#: AC2's weights unless others are asked for.
DEFAULT_AC2_WEIGHTS = "quadratic"


@dataclass(frozen=True)
class Coefficient:
    """A name, its title in tables, the formula it builds from weights, its own weights if fixed, its needs."""

    name: str
    title: str
    build: Callable[[FloatArray], Formula]
    weights: str = "identity"
    takes_weights: bool = True
    needs: frozenset[Need] = frozenset()


def _corrected(chance: Callable[[FloatArray], Chance]) -> Callable[[FloatArray], Formula]:
    return lambda matrix: ChanceCorrected(matrix, chance(matrix))


_RAW = _corrected(lambda _: FixedChance(0.0))
_PABAK = _corrected(lambda _: FixedChance(0.5))
_BRENNAN_PREDIGER = _corrected(lambda matrix: FixedChance(float(matrix.mean())))
_GWET = _corrected(GwetChance)
_POOLED = _corrected(PooledChance)
_BY_RATER = _corrected(RaterChance)


_DECLARED: frozenset[Need] = frozenset({"declared"})
_TWO: frozenset[Need] = frozenset({"two raters", "named raters"})

_ALL = (
    Coefficient("raw", "Raw agreement", _RAW),
    Coefficient("pabak", "PABAK (2 Po - 1)", _PABAK, takes_weights=False),
    Coefficient("brennan_prediger", "Brennan-Prediger", _BRENNAN_PREDIGER, needs=_DECLARED),
    Coefficient("cohen_kappa", "Cohen's kappa", _BY_RATER, needs=_TWO),
    Coefficient("scott_pi", "Scott's pi", _POOLED, needs=_TWO),
    Coefficient("fleiss_kappa", "Fleiss' kappa", _POOLED),
    Coefficient("conger_kappa", "Conger's kappa", _BY_RATER, needs=frozenset({"named raters"})),
    Coefficient("ac1", "Gwet's AC1", _GWET, takes_weights=False, needs=_DECLARED),
    Coefficient("ac2", "Gwet's AC2", _GWET, DEFAULT_AC2_WEIGHTS, needs=_DECLARED),
    Coefficient("alpha_nominal", "Krippendorff's alpha, nominal", WeightedAlpha, takes_weights=False),
    Coefficient(
        "alpha_ordinal", "Krippendorff's alpha, ordinal", WeightedAlpha, KRIPPENDORFF_ORDINAL, takes_weights=False
    ),
    Coefficient("alpha_interval", "Krippendorff's alpha, interval", WeightedAlpha, "quadratic", takes_weights=False),
    Coefficient("gwet_ac", "Gwet's AC", _GWET, needs=_DECLARED),
    Coefficient("krippendorff_alpha", "Krippendorff's alpha", WeightedAlpha),
)

COEFFICIENTS: dict[str, Coefficient] = {coefficient.name: coefficient for coefficient in _ALL}


def find(name: str) -> Coefficient:
    """The coefficient of that name; ValueError names the others."""
    if name not in COEFFICIENTS:
        raise ValueError(f"unknown coefficient {name!r}; there are {', '.join(COEFFICIENTS)}")
    return COEFFICIENTS[name]


def applicable(coefficient: Coefficient, ratings: Ratings) -> Ratings:
    """The ratings it is computed from: kappa and pi of two raters take the items both of them rated."""
    return ratings.complete() if "two raters" in coefficient.needs else ratings


def build(coefficient: Coefficient, ratings: Ratings, weights: AnyWeights | None) -> tuple[Formula, Weights]:
    """The formula over these categories and weights. ValueError where the coefficient's weights are fixed."""
    if weights is not None and not coefficient.takes_weights:
        raise ValueError(f"{coefficient.name} has weights of its own; gwet_ac and krippendorff_alpha take any")
    wanted = coefficient.weights if weights is None else weights
    if isinstance(wanted, str) and wanted in {KRIPPENDORFF_ORDINAL, KRIPPENDORFF_RATIO}:
        return _krippendorff(coefficient, ratings, wanted)
    chosen = weight_matrix(wanted, ratings.categories)
    return coefficient.build(chosen.numbers), chosen


def obstacle(coefficient: Coefficient, ratings: Ratings, weights: AnyWeights | None) -> str | None:
    """Why the coefficient cannot be computed from these ratings, before any arithmetic; None where it can."""
    wanted = coefficient.weights if weights is None else weights
    needs = coefficient.needs
    if "named raters" in needs and ratings.codes is None:
        return "the raters are anonymous: who gave which rating is not known"
    if ratings.n_pairable == 0:
        return "no item has two ratings"
    if "two raters" in needs and ratings.n_raters != 2:
        return f"it compares two raters and there are {ratings.n_raters}; see the pairwise values"
    if "declared" in needs and not ratings.declared:
        return "it depends on how many categories were offered, and none are declared"
    if "declared" in needs and ratings.q < 2:
        return "one category is declared, which leaves nothing to choose from"
    if not (isinstance(wanted, str) and wanted == "identity") and not ratings.ordered:
        return "it weighs how far categories are apart, and no order of the categories is declared"
    return None


def zero_by_zero(ratings: Ratings) -> str:
    """Why 1 - pe is 0."""
    if ratings.n_used_categories == 1:
        return "every rating is in one category: chance agreement is 1 and the coefficient 0/0"
    return "the weights make any two ratings agree: chance agreement is 1 and the coefficient 0/0"


def _krippendorff(coefficient: Coefficient, ratings: Ratings, name: str) -> tuple[Formula, Weights]:
    if coefficient.build is not WeightedAlpha:
        raise ValueError(f"{name} is a metric of Krippendorff's alpha; {coefficient.name} takes ordinal or ratio")
    if name == KRIPPENDORFF_RATIO:
        chosen = weight_matrix("ratio", ratings.categories)
        return coefficient.build(chosen.numbers), Weights(name, chosen.matrix, chosen.basis)
    order = np.argsort(category_ranks(ratings.categories))
    basis = "distances from the counts in use, in scale order"
    return OrdinalAlpha(order), Weights(name, None, basis)
