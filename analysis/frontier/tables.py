"""The report's rows as a flat table: one line a row, one column a number."""

from __future__ import annotations

import csv
import io
from typing import Any

Row = dict[str, Any]

_KEYS = (
    "judge", "protocol", "protocol_version", "level", "paraphrase", "probe", "attack", "attacked_role", "phase",
    "order", "split", "tier", "domain", "artifact", "basis", "broken_down_by", "n", "n_decided",
)  # fmt: skip
_COVERAGE = ("decided", "refused", "unparsed", "error")
_ESTIMATES = (
    "target_win", "opposite_win", "signed_effect", "directional_resolution", "order_gap", "order_inconsistency",
)  # fmt: skip
_COSTS = ("calls_per_comparison", "tokens_per_comparison", "usd_per_1000", "cost_ratio", "cost_ratio_of", "simulated")


def flat_row(row: Row) -> Row:
    """Keys, coverage, and value, low, high (or why not) of each estimate; rates of the first and second role."""
    flat = {name: row[name] for name in _KEYS}
    flat |= {"role_1": row["roles"][0] if row["roles"] else None, "role_2": row["roles"][1] if row["roles"] else None}
    flat |= {f"coverage_{name}": row["coverage"][name] for name in _COVERAGE}
    flat |= _estimate("rate_tie", row["rates"]["tie"])
    for number, role in enumerate(row["roles"] or (None, None), start=1):
        flat |= _estimate(f"rate_role_{number}", row["rates"].get(role) or {"value": None, "undefined": "roles differ"})
    for position in ("A", "B", "tie"):
        flat |= _estimate(f"position_{position}", row["position"][position])
    for name in _ESTIMATES:
        flat |= _estimate(name, row[name])
    return flat | {name: row[name] for name in _COSTS}


def rows_csv(rows: list[Row]) -> str:
    """All rows as CSV text; an undefined number is an empty cell with its reason in the column beside it."""
    out = io.StringIO()
    flat = [flat_row(row) for row in rows]
    writer = csv.DictWriter(out, fieldnames=list(flat[0]) if flat else list(_KEYS), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _safe(value) for name, value in line.items()} for line in flat)
    return out.getvalue()


def _safe(value: Any) -> Any:
    """Names come from files: a leading =, +, - or @ would make a spreadsheet compute them."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value


def _estimate(name: str, estimate: Row) -> Row:
    return {
        name: estimate["value"],
        f"{name}_low": estimate.get("low"),
        f"{name}_high": estimate.get("high"),
        f"{name}_undefined": estimate.get("undefined"),
    }
