"""Ties by meaning: what a judge's Tie is worth against what people said (TRACE section 5.3; docs/conventions.md, 6)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.stats.estimate import Estimate
from analysis.stats.proportions import wilson_bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class TieCalibration:
    """Item-level tie flags of a judge and of people on ``n`` items. ``precision`` is both / judge_any, ``recall``
    both / human_any, ``agreement`` the share of items whose flags are equal; Wilson intervals over items."""

    n: int
    judge_any: int
    human_any: int
    both: int
    precision: Estimate
    recall: Estimate
    agreement: Estimate


def tie_calibration(judge: ArrayLike, human: ArrayLike, *, level: float = 0.95, unit: str = "pair") -> TieCalibration:
    """From two aligned arrays of flags, (items,): any of an item's ordered rows is a Tie, any annotator says Tie."""
    one, two = np.asarray(judge, dtype=bool), np.asarray(human, dtype=bool)
    if one.shape != two.shape or one.ndim != 1:
        raise ValueError(f"two aligned arrays of flags are needed, not {one.shape} and {two.shape}")
    both, judged, said = int((one & two).sum()), int(one.sum()), int(two.sum())
    return TieCalibration(
        n=one.size,
        judge_any=judged,
        human_any=said,
        both=both,
        precision=_share(both, judged, "the judge never ties", level, unit),
        recall=_share(both, said, "no annotator says Tie", level, unit),
        agreement=_share(int((one == two).sum()), one.size, "no item has both flags", level, unit),
    )


def _share(hits: int, n: int, reason: str, level: float, unit: str) -> Estimate:
    if n == 0:
        return Estimate.undefined_because(reason, unit=unit, method="Wilson over items")
    low, high = wilson_bounds(hits, n, level=level)
    return Estimate(value=hits / n, low=low, high=high, level=level, n=n, unit=unit, method="Wilson over items")
