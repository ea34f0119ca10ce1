"""``vectors``: TRACE's joint frontier per judge x protocol x level. There is no single score; null says "not run"."""

from __future__ import annotations

from typing import Any

from analysis.frontier.sections.contrasts import CLEAN_PROBES
from annotation.enums import Tier

Row = dict[str, Any]

_SUPPRESSION = (Tier.EQUIVALENCE, Tier.NATURAL)
_CORRECTNESS = (Tier.CONFLICT, Tier.REVERSE_CONFLICT)
_TIE_MEANING = {
    Tier.EQUIVALENCE: "correct", Tier.NATURAL: "correct", Tier.IDENTICAL: "correct",
    Tier.SOFT: "calibrated", Tier.MODERATE: "resolution lost", Tier.CONFLICT: "correctness lost",
    Tier.REVERSE_CONFLICT: "correctness lost",
}  # fmt: skip


def build_vectors(rows: list[Row]) -> list[Row]:
    """From the report's own rows: the default basis, both orders, clean prompts, every split and tier by name."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        if _counts(row):
            found.setdefault((row["judge"], row["protocol"], row["protocol_version"], row["level"]), []).append(row)
    return [
        {
            "judge": judge, "protocol": protocol, "protocol_version": version, "level": level,
            "suppression": _parts(own, _SUPPRESSION, ("signed_effect", "order_gap"), tie=True),
            "correctness": _parts(own, _CORRECTNESS, ("target_win", "opposite_win"), tie=True),
            "resolution": _parts(own, (Tier.MODERATE,), ("target_win", "directional_resolution"), tie=True),
            "tie_cost": _ties(own),
            "order_effects": _parts(own, None, ("order_gap", "order_inconsistency"), tie=False),
            "protocol_cost": _cost(own),
        }
        for (judge, protocol, version, level), own in sorted(found.items(), key=lambda item: _rank(item[0]))
    ]  # fmt: skip


def _counts(row: Row) -> bool:
    return (
        row["default"]
        and row["order"] is None
        and row["broken_down_by"] is None
        and row["attack"] is None
        and row["phase"] == "only"
        and (row["probe"] or "") in CLEAN_PROBES
    )


def _parts(rows: list[Row], tiers: tuple[Tier, ...] | None, metrics: tuple[str, ...], *, tie: bool) -> list[Row] | None:
    """One entry per split and tier; None where the component was not run."""
    parts = [
        {
            **_place(row),
            **{metric: row[metric] for metric in metrics},
            **({"tie": row["rates"]["tie"]} if tie else {}),
        }
        for row in rows
        if tiers is None or row["tier"] in tiers
    ]
    return parts or None


def _ties(rows: list[Row]) -> list[Row] | None:
    parts = [
        {**_place(row), "tie": row["rates"]["tie"], "meaning": _TIE_MEANING[Tier(row["tier"])]}
        for row in rows
        if row["tier"] in _TIE_MEANING
    ]
    return parts or None


def _cost(rows: list[Row]) -> list[Row] | None:
    names = ("calls_per_comparison", "tokens_per_comparison", "usd_per_1000", "cost_ratio", "cost_ratio_of")
    parts = [{**_place(row), **{name: row[name] for name in names}} for row in rows if _recorded(row)]
    return parts or None


def _recorded(row: Row) -> bool:
    return any(row[name] is not None for name in ("calls_per_comparison", "tokens_per_comparison", "usd_per_1000"))


def _place(row: Row) -> Row:
    return {name: row[name] for name in ("split", "tier", "basis", "n", "n_decided")}


def _rank(key: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple(part or "" for part in key)
