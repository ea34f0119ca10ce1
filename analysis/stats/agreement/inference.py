"""From ratings to an Estimate: value, standard error, interval and p, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from analysis.stats.agreement.coefficients import (
    AnyWeights,
    Coefficient,
    applicable,
    build,
    find,
    obstacle,
    zero_by_zero,
)
from analysis.stats.agreement.formulas import CERTAIN, Formula
from analysis.stats.agreement.ratings import Ratings
from analysis.stats.agreement.resampling import leave_one_out
from analysis.stats.agreement.weights import Weights
from analysis.stats.estimate import Estimate
from analysis.stats.intervals import bca_bounds, percentile_bounds
from analysis.stats.proportions import exact_bounds, wilson_bounds

FloatArray = NDArray[np.float64]
Interval = Literal["t", "normal", "percentile", "bca", "wilson", "exact"]
INTERVALS: tuple[Interval, ...] = ("t", "normal", "percentile", "bca", "wilson", "exact")

#: Below this many items the large-sample standard errors are rough.
SMALL_SAMPLE = 100
#: A standard error below this is a rounding error of zero.
_ZERO = 1e-12


@dataclass(frozen=True)
class Point:
    """A coefficient before its interval: ``value = (pa - pe) / (1 - pe)``, Gwet's ``se`` and its ``df``.

    ``n`` counts items with a rating, ``n_pairable`` those with two; ``se`` is None for a single item.
    """

    value: float
    pa: float
    pe: float
    se: float | None
    df: int
    n: int
    n_pairable: int


@dataclass(frozen=True)
class Prepared:
    """A coefficient fitted to the ratings it applies to, ready for any interval."""

    coefficient: Coefficient
    ratings: Ratings
    formula: Formula
    weights: Weights
    point: Point


def prepare(ratings: Ratings, name: str, *, weights: AnyWeights | None = None) -> Prepared | str:
    """The coefficient's point and formula, or the reason why it is undefined."""
    coefficient = find(name)
    used = applicable(coefficient, ratings)
    reason = obstacle(coefficient, used, weights)
    if reason is not None:
        return reason
    formula, chosen = build(coefficient, used, weights)
    totals = used.times @ formula.columns(used)
    pa, pe = (float(part) for part in formula.parts(totals))
    if not 1 - pe > CERTAIN:
        return zero_by_zero(used)
    return Prepared(
        coefficient,
        used,
        formula,
        chosen,
        Point(
            value=(pa - pe) / (1 - pe),
            pa=pa,
            pe=pe,
            se=_standard_error(used, formula, totals),
            df=used.n_items - 1,
            n=used.n_items,
            n_pairable=used.n_pairable,
        ),
    )


def point(ratings: Ratings, name: str, *, weights: AnyWeights | None = None) -> Point | None:
    """Value, observed and chance agreement, standard error; None where undefined (``coefficient`` says why)."""
    prepared = prepare(ratings, name, weights=weights)
    return None if isinstance(prepared, str) else prepared.point


def analytic_estimate(prepared: Prepared, *, interval: Interval, level: float, unit: str) -> Estimate:
    """The estimate with an interval that needs no resampling."""
    at = prepared.point
    if interval in {"wilson", "exact"} or at.se == 0:
        low, high = _carried_over(prepared, exact=interval == "exact", level=level)
        how = "exact (Clopper-Pearson)" if interval == "exact" else "Wilson"
        how += " bounds of raw agreement"
        if interval in {"t", "normal"}:
            how += ", because the standard error is zero"
        p = None
    elif at.se is None:
        low, high, p, how = None, None, None, "no interval from one item"
    else:
        student = interval == "t"
        quantile = stdtrit(at.df, (1 + level) / 2) if student else ndtri((1 + level) / 2)
        half = float(quantile) * at.se
        low, high = max(at.value - half, _floor(prepared)), min(1.0, at.value + half)
        statistic = abs(at.value) / at.se
        p = float(2 * (stdtr(at.df, -statistic) if student else ndtr(-statistic)))
        how = f"{_se_words(prepared.ratings)}, " + (f"t interval, df {at.df}" if student else "normal interval")
    return Estimate(
        value=at.value,
        low=low,
        high=high,
        level=level,
        n=at.n,
        unit=unit,
        method=f"{describe(prepared)}; {how}",
        se=at.se,
        p=p,
        warning=_warning(at.n),
    )


def bootstrap_estimate(
    prepared: Prepared, draws: FloatArray, *, interval: Interval, level: float, seed: int, unit: str
) -> Estimate:
    """The estimate with a percentile or BCa interval from ``draws`` (resamples,) over resampled items."""
    at = prepared.point
    draws = np.sort(draws)
    known = draws[: draws.size - int(np.isnan(draws).sum())]
    lost = draws.size - known.size
    low: float | None = None
    high: float | None = None
    how = f"item bootstrap, {'BCa' if interval == 'bca' else 'percentile'}, {draws.size} resamples"
    if at.n < 2 or not known.size:
        how = "no interval from one item" if at.n < 2 else "no resample was defined"
    elif known[0] == known[-1]:
        low, high = _carried_over(prepared, exact=False, level=level)
        how += " give one value only; Wilson bounds of raw agreement"
    elif interval == "bca":
        left_out = leave_one_out(prepared.ratings, prepared.formula)
        low, high = bca_bounds(at.value, known, left_out, level=level, multiplicity=prepared.ratings.times)
    else:
        low, high = percentile_bounds(known, level=level)
    return Estimate(
        value=at.value,
        low=None if low is None else min(low, at.value),
        high=None if high is None else max(high, at.value),
        level=level,
        n=at.n,
        unit=unit,
        method=f"{describe(prepared)}; {how}",
        se=at.se,
        seed=seed,
        warning="; ".join(filter(None, [_warning(at.n), _lost_warning(lost)])) or None,
    )


def describe(prepared: Prepared) -> str:
    """The coefficient in words: its title, its q where q matters, its weights where it is weighted."""
    words = [prepared.coefficient.title]
    if "declared" in prepared.coefficient.needs:
        words.append(f"q = {prepared.ratings.q} declared categories")
    words.append(prepared.weights.describe())
    return ", ".join(filter(None, words))


def _standard_error(ratings: Ratings, formula: Formula, totals: FloatArray) -> float | None:
    """Gwet's linearised standard error: divisor n (n - 1) over items, n^2 for a table of two raters."""
    deviations, n = formula.deviations(ratings, totals)
    if n < 2:
        return None
    square = float(ratings.times @ deviations**2)
    se = float(np.sqrt(square / (n * n if ratings.kind == "table" else n * (n - 1))))
    return se if se > _ZERO else 0.0


def _carried_over(prepared: Prepared, *, exact: bool, level: float) -> tuple[float, float]:
    at, n = prepared.point, prepared.point.n_pairable
    agreeing = min(max(at.pa, 0.0), 1.0) * n
    low, high = (exact_bounds if exact else wilson_bounds)(agreeing, n, level=level)
    scaled = [(bound - at.pe) / (1 - at.pe) for bound in (low, high)]
    return min(scaled[0], at.value), max(scaled[1], at.value)


def _floor(prepared: Prepared) -> float:
    """The least value worth printing: 0 for raw agreement, else -1 or what no agreement at all would give."""
    at, matrix = prepared.point, prepared.weights.matrix
    if prepared.coefficient.name == "raw":
        return 0.0
    least = 0.0 if matrix is None else float(matrix.min())
    return min(-1.0, at.value, (least - at.pe) / (1 - at.pe) if not prepared.weights.identity else -1.0)


def _se_words(ratings: Ratings) -> str:
    return "delta-method SE of the table" if ratings.kind == "table" else "Gwet's linearised SE"


def _warning(n: int) -> str | None:
    if n >= SMALL_SAMPLE:
        return None
    return f"{n} items: under about {SMALL_SAMPLE}, standard errors and intervals are rough"


def _lost_warning(lost: int) -> str | None:
    return f"{lost} resamples in which the coefficient is 0/0 were left out" if lost else None
