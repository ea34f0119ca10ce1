"""``ties`` and ``agreement_with_humans``: the judge's answers per pair beside the annotators'."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.counting.encoded import Encoded, Family
from analysis.counting.pair_table import NO_ANSWER
from analysis.frontier.options import ReportOptions
from analysis.frontier.sections.contrasts import clean_families
from analysis.stats.anchoring import TIE_NOT_OFFERED
from analysis.stats.estimate import Estimate
from analysis.stats.frontier_grid import ABSENT, TIE
from analysis.stats.frontier_ties import tie_calibration
from analysis.stats.plurality_agreement import human_agreement, pair_labels

Row = dict[str, Any]


def plain_value(estimate: Estimate) -> float | dict[str, Any]:
    """The number alone where the contract names a number, or null with its reason."""
    return estimate.as_json() if estimate.value is None else estimate.value


def _families(encoded: Encoded) -> Iterator[Family]:
    for families in clean_families(encoded):
        yield from families


def _by_paraphrase(encoded: Encoded, family: Family) -> NDArray[np.int8]:
    """Codes of all rows of each pair, (3 orders x paraphrases, pairs)."""
    names = sorted({cell.paraphrase for cell in family.cells})
    return np.concatenate(
        [encoded.placed.grid.by_pair(family.numbers(c for c in family.cells if c.paraphrase == name)) for name in names]
    )


def _who(family: Family) -> Row:
    condition = family.condition
    return {
        "judge": condition.judge, "protocol": condition.protocol,
        "protocol_version": condition.protocol_version or None, "level": condition.level or None,
        "probe": condition.probe or None, "split": family.split or None, "tier": family.tier or None,
    }  # fmt: skip


def build_ties(encoded: Encoded, options: ReportOptions) -> list[Row]:
    """By family: items the judge ties in any ordered row, items any annotator ties, and how the two meet. Items
    without a decided row or without a label are left out. Families nobody labelled are left out."""
    rows = []
    for family in _families(encoded):
        codes = _by_paraphrase(encoded, family)
        judged = (codes <= TIE).any(axis=0)
        both = judged & (encoded.pairs.human_any_tie != NO_ANSWER)
        if not both.any():
            continue
        calibration = tie_calibration(
            (codes == TIE).any(axis=0)[both], encoded.pairs.human_any_tie[both] == 1, level=options.level
        )
        estimates = {name: getattr(calibration, name) for name in ("precision", "recall", "agreement")}
        if not encoded.offers_ties(family.all_numbers):
            never = Estimate.undefined_because(TIE_NOT_OFFERED, n=calibration.n, unit="pair")
            estimates = dict.fromkeys(estimates, never)
        rows.append(
            {
                **_who(family), "n": calibration.n, "judge_any": calibration.judge_any,
                "human_any": calibration.human_any, "both_any": calibration.both, "unit": "pair",
                **{name: plain_value(estimate) for name, estimate in estimates.items()},
                "estimates": {name: estimate.as_json() for name, estimate in estimates.items()},
            }
        )  # fmt: skip
    return rows


def build_agreement(encoded: Encoded) -> list[Row]:
    """By family and convention: the judge's answer per pair against the annotators' commonest one. Pairs whose
    annotators have no commonest answer, and pairs without a decided row, are left out."""
    rows = []
    for family in _families(encoded):
        answers = pair_labels(_by_paraphrase(encoded, family))
        both = (answers != ABSENT) & (encoded.pairs.plurality != NO_ANSWER)
        if not both.any():
            continue
        found = human_agreement(answers[both], encoded.pairs.plurality[both])
        for convention, estimate in found.items():
            rows.append(
                {
                    **_who(family), "convention": convention, "value": plain_value(estimate), "n": estimate.n,
                    "unit": "pair", "method": estimate.method,
                }
            )  # fmt: skip
    return rows
