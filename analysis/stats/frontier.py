"""The frontier's metrics from tallies: rates, positions, wins, signed effect, resolution and order effects.

Every metric is a ratio of two sums over rows (or pairs), or a difference of two such ratios; conventions 4 to 9 of
docs/statistics-frontier.md. Sources: TRACE section 3 and Appendix E; LOCK for order inconsistency.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.stats.frontier_counts import Tally
from analysis.stats.frontier_grid import COMBINED, FIRST, FIRST_AS_A, SECOND, SECOND_AS_A, TIE

FloatArray = NDArray[np.float64]
#: numerator and denominator, both (k,)
Ratio = tuple[FloatArray, FloatArray]

RATES = ("first", "second", "tie")
POSITIONS = ("A", "B", "position_tie")
ORDER_EFFECTS = ("order_gap", "order_inconsistency", "role_flips", "tie_changes", "first_pull", "second_pull")
METRICS = (
    *RATES, *POSITIONS, "target_win", "opposite_win", "signed_effect", "directional_resolution", *ORDER_EFFECTS,
)  # fmt: skip
#: Metrics that are plain shares of rows or pairs, for which a Wilson interval makes sense.
PROPORTIONS = frozenset(METRICS) - {"signed_effect", "directional_resolution", "order_gap"}


@dataclass(frozen=True, slots=True)
class View:
    """Which rows of a tally are meant. ``order`` None is all rows; ``gap_role`` is the role (0 or 1) whose win rate
    the order gap follows."""

    order: int | None = None
    gap_role: int = SECOND

    @property
    def orders(self) -> list[int]:
        return [FIRST_AS_A, SECOND_AS_A, COMBINED] if self.order is None else [self.order]


def ratios(tally: Tally, view: View) -> dict[str, Ratio]:
    """Every metric's numerator and denominator along the tally's last axis; the order gap is given apart."""
    rows = tally.outcomes[view.orders, : TIE + 1].sum(axis=0)
    n = rows.sum(axis=0)
    aimed = tally.target[view.orders].sum(axis=0)
    n_aimed = aimed.sum(axis=0)
    found: dict[str, Ratio] = {
        "first": (rows[FIRST], n),
        "second": (rows[SECOND], n),
        "tie": (rows[TIE], n),
        "signed_effect": (rows[SECOND] - rows[FIRST], n),
        "target_win": (aimed[0], n_aimed),
        "opposite_win": (aimed[1], n_aimed),
        "directional_resolution": (aimed[0] - aimed[1], n_aimed),
    }
    return found | _positions(tally, view) | (_order_effects(tally) if view.order is None else {})


def _positions(tally: Tally, view: View) -> dict[str, Ratio]:
    """Wins by screen position, over the rows whose order is known."""
    known = [order for order in view.orders if order != COMBINED]
    a = sum((tally.outcomes[order, order] for order in known), np.zeros(tally.outcomes.shape[-1]))
    b = sum((tally.outcomes[order, 1 - order] for order in known), np.zeros(tally.outcomes.shape[-1]))
    tie = tally.outcomes[known, TIE].sum(axis=0)
    n = a + b + tie
    return {"A": (a, n), "B": (b, n), "position_tie": (tie, n)}


def _order_effects(tally: Tally) -> dict[str, Ratio]:
    """Over pairs decided in both orders: shares whose role verdict changes, and how (docs/conventions.md, 9)."""
    matrix = tally.matrix
    pairs = matrix.sum(axis=(0, 1))
    same = matrix[FIRST, FIRST] + matrix[SECOND, SECOND] + matrix[TIE, TIE]
    # first index: the verdict when the first role was A; so first-then-second means A won twice
    a_twice, b_twice = matrix[FIRST, SECOND], matrix[SECOND, FIRST]
    return {
        "order_inconsistency": (pairs - same, pairs),
        "role_flips": (a_twice + b_twice, pairs),
        "tie_changes": (pairs - same - a_twice - b_twice, pairs),
        "first_pull": (a_twice, pairs),
        "second_pull": (b_twice, pairs),
    }


def order_gap(tally: Tally, view: View) -> FloatArray:
    """The role's win rate when it is A minus when it is B, (k,); NaN where one order has no decided row."""
    role = view.gap_role
    as_a, as_b = (tally.outcomes[order, : TIE + 1] for order in (role, 1 - role))
    return divide(as_a[role], as_a.sum(axis=0)) - divide(as_b[role], as_b.sum(axis=0))


def values(tally: Tally, view: View) -> dict[str, FloatArray]:
    """Every metric's value along the tally's last axis; NaN stands for "nothing to divide by" inside this package."""
    found = {name: divide(top, below) for name, (top, below) in ratios(tally, view).items()}
    if view.order is None:
        found["order_gap"] = order_gap(tally, view)
    return found


def divide(top: FloatArray, below: FloatArray) -> FloatArray:
    return np.where(below > 0, top / np.where(below > 0, below, 1.0), np.nan)


def why_undefined(tally: Tally, view: View, *, reasons: Mapping[str, str]) -> Callable[[str], str]:
    """The words for a metric without a value; ``reasons`` (by metric) speak of the pairs and take precedence."""
    decided = tally.outcomes[view.orders, : TIE + 1].sum()

    def reason(metric: str) -> str:
        if metric in reasons:
            return reasons[metric]
        if not decided:
            return "no row was decided"
        if metric in ORDER_EFFECTS and view.order is not None:
            return "needs both orders"
        if metric == "order_gap":
            return "needs decided rows in both orders"
        if metric in ORDER_EFFECTS:
            return "no pair was decided in both orders"
        if metric in POSITIONS:
            return "the order of the rows is not known"
        return "no decided row has a role as its target"

    return reason
