"""Verdict rows rebuilt from rates a paper prints, where it prints no rows.

Assumptions, declared: a printed rate is the nearest printable figure of a whole count of n rows; where several counts
print alike the one nearest the printed value is taken; the rows are pair x order (x paraphrase); which rows carry which
verdict is free, and is laid out either evenly (both orders of a pair agree wherever possible) or skewed (all of one
verdict in one order first), so that what must not depend on it can be shown not to.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

DATA = Path(__file__).resolve().parents[1] / "data" / "analysis"
ROLES = ("plain", "cited")
Rows = list[dict[str, Any]]


def figures(name: str) -> dict[str, Any]:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def counts_from_percent(
    n: int, first: float, second: float, tie: float, signed: float | None = None
) -> tuple[int, int]:
    """Wins of the first and second role among ``n`` rows, the rest ties, such that all print as given; where several
    do, those nearest the printed values. ``signed`` is second minus first, where the table prints it too."""
    fitting = [
        (abs(100 * a / n - first) + abs(100 * b / n - second), a, b)
        for a in _counts_that_print(n, first)
        for b in _counts_that_print(n, second)
        if prints_as(100 * (n - a - b) / n, tie) and (signed is None or prints_as(100 * (b - a) / n, signed))
    ]
    assert fitting, f"no counts of {n} rows print as {first}, {second}, {tie}, {signed}"
    return min(fitting)[1:]


def prints_as(value: float, printed: float) -> bool:
    """Within half a unit of the last printed digit (tenths of a percent), inclusive."""
    return abs(value - printed) <= 0.05 + 1e-9


def _counts_that_print(n: int, printed: float) -> list[int]:
    nearest = round(n * printed / 100)
    reach = n // 1000 + 1
    return [k for k in range(max(0, nearest - reach), min(n, nearest + reach) + 1) if prints_as(100 * k / n, printed)]


def pairs_frame(n: int, *, prefix: str = "p", **columns: Any) -> pd.DataFrame:
    frame = {"pair_id": [f"{prefix}{number:04}" for number in range(n)], "role_1": ROLES[0], "role_2": ROLES[1]}
    return pd.DataFrame(frame | columns)


def rows(
    pairs: pd.DataFrame,
    wins: Sequence[int],
    *,
    paraphrases: Sequence[str] = ("",),
    skewed: bool = False,
    **columns: Any,
) -> Rows:
    """One row a pair x order x paraphrase: ``wins`` (first role, second role) and the rest ties."""
    cells = [
        (pair, one, two, order, paraphrase)
        for paraphrase in paraphrases
        for pair, one, two in zip(pairs["pair_id"], pairs["role_1"], pairs["role_2"], strict=True)
        for order in (0, 1)
    ]
    if skewed:
        cells.sort(key=lambda cell: cell[3])
    found = []
    for place, (pair, one, two, order, paraphrase) in enumerate(cells):
        shown = (one, two)[order]
        role = one if place < wins[0] else two if place < sum(wins) else None
        winner = "Tie" if role is None else "A" if role == shown else "B"
        found.append(
            {"pair_id": pair, "shown_as_a": shown, "paraphrase": paraphrase, "outcome": "decided", "winner": winner}
            | columns
        )
    return found


def find(rows: Rows, **wanted: Any) -> dict[str, Any]:
    """The one row of a report that has these values; both orders, whole families and constructed unless said."""
    wanted = {"order": None, "broken_down_by": None, "basis": "constructed"} | wanted
    found = [row for row in rows if all(row.get(name) == value for name, value in wanted.items())]
    assert len(found) == 1, f"{len(found)} rows have {wanted}"
    return found[0]


def percent(estimate: dict[str, Any]) -> float:
    return 100 * estimate["value"]
