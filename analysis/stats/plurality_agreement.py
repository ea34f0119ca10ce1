"""How often a judge answers as most annotators do: exact, ties dropped, ties half, kappa (docs/conventions.md, 11)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.stats.estimate import Estimate
from analysis.stats.frontier_grid import ABSENT, DECIDED_CODES, TIE

CONVENTIONS = ("exact", "tie_dropped", "tie_half", "cohen_kappa")


def pair_labels(codes: NDArray[np.int8]) -> NDArray[np.int8]:
    """One judge's answer per pair from its rows, (rows, pairs) of grid codes to (pairs,).

    Rows that all agree give that answer; decided rows that differ (the two orders, say) count as Tie; a pair without
    a decided row is ABSENT.
    """
    decided = codes <= TIE
    lowest = np.where(decided, codes, ABSENT).min(axis=0)
    highest = np.where(decided, codes, -1).max(axis=0)
    return np.where(lowest == ABSENT, ABSENT, np.where(lowest == highest, lowest, TIE)).astype(np.int8)


def human_agreement(judge: ArrayLike, human: ArrayLike) -> dict[str, Estimate]:
    """By convention, for aligned answers (pairs,) as 0 (first role), 1 (second), 2 (tie).

    ``exact`` is the share of equal answers; ``tie_dropped`` that share where neither says Tie; ``tie_half`` gives half
    a point where exactly one says Tie; ``cohen_kappa`` is chance-corrected over the three answers.
    """
    one, two = np.asarray(judge, dtype=np.int64), np.asarray(human, dtype=np.int64)
    if one.shape != two.shape or one.ndim != 1:
        raise ValueError(f"two aligned arrays of answers are needed, not {one.shape} and {two.shape}")
    if not (np.isin(one, DECIDED_CODES) & np.isin(two, DECIDED_CODES)).all():
        raise ValueError("answers are 0 (first role), 1 (second role) or 2 (tie); leave other pairs out")
    if one.size == 0:
        return {
            name: Estimate.undefined_because("no pair has both a verdict and a plurality label", unit="pair")
            for name in CONVENTIONS
        }
    equal = one == two
    decided = (one != TIE) & (two != TIE)
    half = ((one == TIE) != (two == TIE)) / 2
    return {
        "exact": _estimate(float(equal.mean()), one.size, "share of equal answers"),
        "tie_dropped": _dropped(equal[decided]),
        "tie_half": _estimate(float((equal + half).mean()), one.size, "one tie counts half"),
        "cohen_kappa": _kappa(one, two),
    }


def _dropped(equal: NDArray[np.bool_]) -> Estimate:
    if equal.size == 0:
        return Estimate.undefined_because("every pair has a tie on one side", unit="pair")
    return _estimate(float(equal.mean()), equal.size, "share of equal answers, ties dropped")


def _kappa(one: NDArray[np.int64], two: NDArray[np.int64]) -> Estimate:
    """Cohen's kappa (Educ Psychol Meas 20 (1960)); undefined where both use one and the same answer throughout."""
    n = one.size
    table = np.bincount(one * 3 + two, minlength=9).reshape(3, 3)
    observed = np.trace(table) / n
    expected = float(table.sum(axis=0) @ table.sum(axis=1)) / n**2
    if expected == 1:
        return Estimate.undefined_because("both give one and the same answer throughout", n=n, unit="pair")
    return _estimate(float((observed - expected) / (1 - expected)), n, "Cohen's kappa")


def _estimate(value: float, n: int, method: str) -> Estimate:
    return Estimate(value=value, n=n, unit="pair", method=method)
