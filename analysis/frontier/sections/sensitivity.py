"""``sensitivity``, ``order_matrix`` and ``noise_floor``: what undecided rows, orders and mere repetition could hide."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.counting.encoded import Encoded
from analysis.frontier.sections.groups import Group
from analysis.frontier.sections.rows import Counted, identity
from analysis.stats.estimate import Estimate
from analysis.stats.frontier_counts import ROLE_TARGETS, Tally
from analysis.stats.frontier_grid import ERROR, FIRST, REFUSED, SECOND, TIE, repeat_disagreement

Row = dict[str, Any]
_NONE_DECIDED = Estimate.undefined_because("no row was decided", unit="pair x order")


def build_sensitivity(encoded: Encoded, counted: list[Counted]) -> tuple[list[Row], list[Row]]:
    """(sensitivity, order_matrix), one row per family and basis each; sensitivity only where a row is undecided.

    ``dropped`` leaves undecided rows out, ``as_ties`` counts them as ties, ``worst_case`` and ``best_case`` against
    and for the outcome named.
    """
    sensitivity: list[Row] = []
    matrices: list[Row] = []
    for group, total in counted:
        if total.outcomes[:, REFUSED : ERROR + 1].any():
            sensitivity.extend(_sensitivity(encoded, group, total))
        if total.matrix.any():
            matrices.append(_matrix(group, total))
    return sensitivity, matrices


def _sensitivity(encoded: Encoded, group: Group, total: Tally) -> list[Row]:
    by_code = total.outcomes.sum(axis=(0, 2))
    undecided, decided = int(by_code[REFUSED : ERROR + 1].sum()), int(by_code[: TIE + 1].sum())
    # a forced choice has no tie rate that undecided rows could change (docs/conventions.md, 7)
    outcomes = {"tie": int(by_code[TIE])} if encoded.offers_ties(group.numbers) else {}
    if all(aim in ROLE_TARGETS for aim in group.targets):
        outcomes["target_win"] = int(total.target[:, 0].sum())
    elif group.roles is not None:
        outcomes[f"{group.roles[1]}_win"] = int(by_code[SECOND])
    n = decided + undecided
    return [
        {
            **identity(group), "outcome": outcome, "n": n, "n_undecided": undecided,
            "dropped": hits / decided if decided else _NONE_DECIDED.as_json(),
            "as_ties": (hits + undecided * (outcome == "tie")) / n,
            "worst_case": hits / n, "best_case": (hits + undecided) / n,
        }
        for outcome, hits in outcomes.items()
    ]  # fmt: skip


def _matrix(group: Group, total: Tally) -> Row:
    """``counts[verdict when the first role was A][verdict when the second role was A]`` over pairs with both."""
    roles = group.roles or ("first role", "second role")
    names = (roles[FIRST], roles[SECOND], "tie")
    return {
        **identity(group), "n": int(total.matrix.sum()), "unit": "pair x paraphrase",
        "first_as_a": roles[FIRST],
        "counts": {
            one: {two: int(total.matrix[i, j, 0]) for j, two in enumerate(names)} for i, one in enumerate(names)
        },
    }  # fmt: skip


def build_noise_floor(encoded: Encoded) -> list[Row]:
    """How often same-order repeats of one comparison differ, by family: what inconsistency is to be read against."""
    if encoded.repeats is None:
        return []
    key, code = encoded.repeats
    keys, shares, couples = repeat_disagreement(key, code)
    key_cell = keys // (3 * len(encoded.pairs.pair_id))
    rows = []
    for family in encoded.families:
        here = (key_cell >= family.first) & (key_cell <= family.last)
        if not here.any():
            continue
        condition = family.condition._asdict()
        rows.append(
            {
                **{name: value or None for name, value in condition.items()},
                "split": family.split or None, "tier": family.tier or None, "n": int(here.sum()),
                "n_couples": int(couples[here].sum()), "disagreement": float(np.mean(shares[here])),
                "unit": "pair x order",
            }
        )  # fmt: skip
    return rows
