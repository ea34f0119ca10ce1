"""One coefficient, or the whole agreement report, of one set of ratings."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from analysis.stats.agreement.coefficients import DEFAULT_AC2_WEIGHTS, AnyWeights, applicable, find
from analysis.stats.agreement.inference import (
    INTERVALS,
    Interval,
    Prepared,
    analytic_estimate,
    bootstrap_estimate,
    prepare,
)
from analysis.stats.agreement.ratings import Ratings
from analysis.stats.agreement.resampling import item_draws
from analysis.stats.bootstrap import DEFAULT_LEVEL, DEFAULT_RESAMPLES, DEFAULT_SEED
from analysis.stats.estimate import Estimate
from analysis.stats.intervals import check_level

#: The names of the public contract, in its order, then the two that stand beside them.
REPORTED = (
    "raw",
    "pabak",
    "brennan_prediger",
    "cohen_kappa",
    "fleiss_kappa",
    "conger_kappa",
    "ac1",
    "ac2",
    "alpha_nominal",
    "alpha_ordinal",
    "scott_pi",
    "alpha_interval",
)


def agreement_report(
    ratings: object,
    *,
    categories: Sequence[Hashable] | None = None,
    names: Sequence[str] = REPORTED,
    weights: AnyWeights = DEFAULT_AC2_WEIGHTS,
    interval: Interval = "t",
    level: float = DEFAULT_LEVEL,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    unit: str = "item",
) -> dict[str, Estimate]:
    """Every coefficient by name. ``ratings`` is Ratings, or raters x items labels read with ``categories``.

    ``weights`` are AC2's; the others are unweighted or have a metric of their own. Bootstrap intervals share
    their resamples wherever coefficients use the same items. Raises what Ratings.from_matrix raises.
    """
    check_level(level)
    if interval not in INTERVALS:
        raise ValueError(f"unknown interval {interval!r}; there are {', '.join(INTERVALS)}")
    taken = ratings if isinstance(ratings, Ratings) else Ratings.from_matrix(ratings, categories=categories)
    fitted = {name: prepare(taken, name, weights=weights if name == "ac2" else None) for name in names}
    return _estimates(taken, fitted, interval, level, resamples, seed, unit)


def coefficient(
    ratings: Ratings,
    name: str,
    *,
    weights: AnyWeights | None = None,
    interval: Interval = "t",
    level: float = DEFAULT_LEVEL,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    unit: str = "item",
) -> Estimate:
    """One agreement coefficient with its interval.

    ``name`` is one of COEFFICIENTS; ``weights`` a name, a q x q matrix, or None for the coefficient's own.
    ``interval``: Student's t or normal on Gwet's standard error; percentile or BCa over resampled items; Wilson
    or exact, which carry raw agreement's bounds over with chance agreement held fixed. Where the standard error
    is zero, t and normal give way to Wilson. Raises ValueError for unknown names and unusable weights.
    """
    check_level(level)
    if interval not in INTERVALS:
        raise ValueError(f"unknown interval {interval!r}; there are {', '.join(INTERVALS)}")
    fitted = {name: prepare(ratings, name, weights=weights)}
    return _estimates(ratings, fitted, interval, level, resamples, seed, unit)[name]


def pairwise(
    ratings: Ratings,
    name: str = "cohen_kappa",
    *,
    weights: AnyWeights | None = None,
    interval: Interval = "t",
    level: float = DEFAULT_LEVEL,
    unit: str = "item",
) -> dict[tuple[int, int], Estimate]:
    """A coefficient for every two raters over the items both rated, by their places in the input."""
    if ratings.codes is None:
        return {}
    found = {}
    for first, second in combinations(range(ratings.n_raters), 2):
        both = ratings.of_raters([first, second])
        places = ratings.raters[first], ratings.raters[second]
        found[places] = coefficient(both, name, weights=weights, interval=interval, level=level, unit=unit)
    return found


def _estimates(
    ratings: Ratings,
    fitted: dict[str, Prepared | str],
    interval: Interval,
    level: float,
    resamples: int,
    seed: int,
    unit: str,
) -> dict[str, Estimate]:
    resampled = interval in {"percentile", "bca"}
    draws = _shared_draws(fitted, resamples=resamples, seed=seed) if resampled else {}
    estimates = {}
    for name, one in fitted.items():
        if isinstance(one, str):
            n = applicable(find(name), ratings).n_items
            estimates[name] = Estimate.undefined_because(one, n=n, unit=unit, method=find(name).title)
        elif resampled:
            estimates[name] = bootstrap_estimate(one, draws[name], interval=interval, level=level, seed=seed, unit=unit)
        else:
            estimates[name] = analytic_estimate(one, interval=interval, level=level, unit=unit)
    return estimates


def _shared_draws(fitted: dict[str, Prepared | str], *, resamples: int, seed: int) -> dict[str, NDArray[np.float64]]:
    """Draws by name; coefficients over the same items (all, or those both raters rated) share resamples."""
    defined = {name: one for name, one in fitted.items() if isinstance(one, Prepared)}
    draws: dict[str, NDArray[np.float64]] = {}
    for two_raters in (False, True):
        group = [name for name, one in defined.items() if ("two raters" in one.coefficient.needs) == two_raters]
        if group:
            formulas = [defined[name].formula for name in group]
            values = item_draws(defined[group[0]].ratings, formulas, resamples=resamples, seed=seed)
            draws.update(zip(group, values, strict=True))
    return draws
