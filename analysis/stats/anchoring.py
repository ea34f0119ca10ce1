"""How far cues move a judge's outcomes (CUE, arXiv:2605.23970, section IV-C), by the paper's equations.

Outcomes are counted by role: "first" is [1,2], the pair's first role preferred, never the screen's side. The paper's
captions call [1,2] favoured under every probe; its equations take [2,1] under Flip, and the equations are followed.
How explanations move is in ``rationales``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.stats.estimate import Estimate

FloatArray = NDArray[np.float64]

#: The paper's small number below a share of no movement; printed with every LAO.
EPSILON = 1e-9
TIE_NOT_OFFERED = "tie not offered"


class Embedder(Protocol):
    """Turns texts into vectors, (texts, dimensions); ``name`` is printed beside every score made with it."""

    @property
    def name(self) -> str: ...

    def __call__(self, texts: Sequence[str], /) -> ArrayLike: ...


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words and phrases whose presence in an explanation counts as a stereotype, declared and versioned."""

    name: str
    version: str
    terms: tuple[str, ...]


class Outcomes(NamedTuple):
    """Decided rows by role verdict: counts, or arrays of counts along resamples."""

    first: float | FloatArray
    second: float | FloatArray
    tie: float | FloatArray

    @property
    def n(self) -> float | FloatArray:
        return self.first + self.second + self.tie

    def swapped(self) -> Outcomes:
        """The same counts with the roles exchanged: what makes "first" the favoured side under Flip."""
        return Outcomes(self.second, self.first, self.tie)


class Shift(NamedTuple):
    """Movement of outcome shares from Blind to a probe: ``lds`` towards the favoured side, ``ols`` towards the
    opposite, ``ts`` into ties; ``lao`` is the share of the movement that follows the label."""

    lds: FloatArray
    ols: FloatArray
    ts: FloatArray
    lao: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelShift:
    """``Shift`` of plain counts. ``moved`` is False where nothing moved towards anything: LAO then prints 0."""

    lds: float
    ols: float
    ts: float
    lao: float
    moved: bool
    epsilon: float = EPSILON


def equality_detection_rate(tie: int, decided: int, *, tie_offered: bool = True) -> Estimate:
    """EDR: the share of Tie among Blind rows of pairs whose target is a tie, from counts.

    Raises ValueError for more ties than decided rows.
    """
    if not 0 <= tie <= decided:
        raise ValueError(f"{tie} ties of {decided} decided rows")
    if not tie_offered:
        return Estimate.undefined_because(TIE_NOT_OFFERED, n=decided, unit="row")
    if decided == 0:
        return Estimate.undefined_because("no decided Blind row of a pair whose target is a tie", unit="row")
    return Estimate(value=tie / decided, n=decided, unit="row", method="share")


def neutrality_deviation(blind: Outcomes) -> Estimate:
    """ND = |2 p12 / (p12 + p21) - 1| (1 - t), which is |p12 - p21|: 0 where every row ties, with a warning."""
    _check_counts(blind)
    n = int(np.asarray(blind.n))
    if n == 0:
        return Estimate.undefined_because("no decided Blind row", unit="row")
    warning = None if blind.first + blind.second else "every row ties: 0 by continuity"
    return Estimate(value=float(np.asarray(neutrality(blind))), n=n, unit="row", method="CUE eq. ND", warning=warning)


def neutrality(blind: Outcomes) -> FloatArray:
    """ND along resamples; NaN where there is no row."""
    return _share(np.abs(np.asarray(blind.first) - np.asarray(blind.second)), blind.n)


def label_shift(blind: Outcomes, probe: Outcomes) -> LabelShift:
    """LDS, OLS, TS and LAO from counts; both arms with the favoured side as "first" (use ``swapped`` for Flip).

    Each arm is divided by its own sum. Raises ValueError where an arm has no row, or a count is negative.
    """
    _check_counts(blind, probe)
    if not np.asarray(blind.n).all() or not np.asarray(probe.n).all():
        raise ValueError("both arms need decided rows")
    lds, ols, ts, lao = (float(part) for part in shift(blind, probe))
    return LabelShift(lds=lds, ols=ols, ts=ts, lao=lao, moved=lds + ols + ts > 0)


def shift(blind: Outcomes, probe: Outcomes) -> Shift:
    """The same along resamples; NaN where an arm has no row."""
    lds, ols, ts = (
        np.maximum(0.0, _share(after, probe.n) - _share(before, blind.n))
        for before, after in zip(blind, probe, strict=True)
    )
    return Shift(lds, ols, ts, lds / (lds + ols + ts + EPSILON))


def changed_after_reveal(before: ArrayLike, after: ArrayLike) -> Estimate:
    """Pr[verdict after the reveal differs from the one before], over rows decided in both; codes 0, 1, 2 by role."""
    one, two = np.asarray(before), np.asarray(after)
    if one.shape != two.shape:
        raise ValueError(f"aligned verdicts are needed, not {one.shape} and {two.shape}")
    if not (np.isin(one, (0, 1, 2)) & np.isin(two, (0, 1, 2))).all():
        raise ValueError("verdicts are 0 (first role), 1 (second role) or 2 (tie); leave undecided rows out")
    if one.size == 0:
        return Estimate.undefined_because("no row was decided both before and after the reveal", unit="row")
    return Estimate(value=float(np.mean(one != two)), n=int(one.size), unit="row", method="share")


def _check_counts(*arms: Outcomes) -> None:
    if any((np.asarray(count) < 0).any() for arm in arms for count in arm):
        raise ValueError("outcomes are counts of zero or more")


def _share(part: float | FloatArray, whole: float | FloatArray) -> FloatArray:
    top, below = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    return np.where(below > 0, top / np.where(below > 0, below, 1.0), np.nan)
