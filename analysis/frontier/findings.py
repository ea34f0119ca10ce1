"""The report's numbers in plain words: one judge's frontier as sentences with intervals, bases and units. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotation.enums import Tier

Row = dict[str, Any]

#: Tiers where a sound judge ties: what a protocol suppresses there is a preference for display.
EVEN_TIERS = (Tier.EQUIVALENCE, Tier.NATURAL, Tier.IDENTICAL)
#: Tiers where a sound judge prefers a role: what a protocol destroys there is resolution.
GAP_TIERS = (Tier.MODERATE, Tier.CONFLICT, Tier.REVERSE_CONFLICT)


def main_rows(rows: list[Row], judge: str) -> list[Row]:
    """One row per condition, split and tier: both orders, every breakdown left aside, on the default basis."""
    return [
        row
        for row in rows
        if row["judge"] == judge and row["default"] and row["order"] is None and row["broken_down_by"] is None
    ]


def judges_of(rows: list[Row]) -> list[str]:
    """The judges of a report: models first, then simulated ones and baselines, each by name."""
    kinds = {row["judge"]: (row["judge"].startswith("baseline"), row["simulated"]) for row in rows}
    return sorted(kinds, key=lambda judge: (*kinds[judge], judge))


def plain_words(rows: list[Row]) -> list[str]:
    """Sentences about the main rows of one judge. Empty where there is nothing to compare."""
    return [*_ladder_words(rows), *_protocol_words(rows)]


def _ladder_words(rows: list[Row]) -> Iterator[str]:
    """From the first to the last level of each protocol that has levels."""
    for protocol in dict.fromkeys(row["protocol"] for row in rows if row["level"]):
        own = [row for row in rows if row["protocol"] == protocol and _is_clean(row)]
        levels = sorted({row["level"] for row in own if row["level"]})
        if len(levels) < 2:
            continue
        first, last = levels[0], levels[-1]
        for tier in EVEN_TIERS:
            yield from _change(own, tier, "tie", "ties", first, last)
        for tier in GAP_TIERS:
            yield from _change(own, tier, "target_win", "wins of the target", first, last)


def _change(rows: list[Row], tier: str, name: str, words: str, first: str, last: str) -> Iterator[str]:
    for split in dict.fromkeys(row["split"] for row in rows):
        found = {row["level"]: row for row in rows if row["tier"] == tier and row["split"] == split}
        if first not in found or last not in found:
            continue
        before, after = _estimate(found[first], name), _estimate(found[last], name)
        if before["value"] is None or after["value"] is None:
            continue
        yield (
            f"On {Tier(tier).words.lower()} pairs, {words} {_moved(before['value'], after['value'])} from "
            f"{_with_interval(before)} at {first} to {_with_interval(after)} at {last} ({_ground(found[last], after)})."
        )


def _protocol_words(rows: list[Row]) -> Iterator[str]:
    """What each protocol without levels does on the even and the gap tiers, and what it costs."""
    for protocol in dict.fromkeys(row["protocol"] for row in rows if not row["level"]):
        own = [row for row in rows if row["protocol"] == protocol and _is_clean(row)]
        parts = [
            f"{_with_interval(found)} {words} on {Tier(row['tier']).words.lower()} pairs"
            for tiers, name, words in ((EVEN_TIERS, "tie", "ties"), (GAP_TIERS, "target_win", "wins of the target"))
            for row in own
            if row["tier"] in tiers and (found := _estimate(row, name))["value"] is not None
        ]
        if parts:
            calls = own[0]["calls_per_comparison"]
            cost = f", at {calls:.1f} calls a comparison" if calls is not None else ""
            yield f"{protocol} gives {', '.join(parts)}{cost}."


def _is_clean(row: Row) -> bool:
    return row["attack"] is None and row["phase"] == "only" and row["probe"] in {None, "", "blind"}


def _estimate(row: Row, name: str) -> Row:
    found: Row = row["rates"]["tie"] if name == "tie" else row[name]
    return found


def _moved(before: float, after: float) -> str:
    if abs(after - before) < 0.0005:
        return "stay, going"
    return "rise" if after > before else "fall"


def _with_interval(estimate: Row) -> str:
    text = f"{100 * estimate['value']:.1f}%"
    if estimate.get("low") is None:
        return text
    return f"{text} [{100 * estimate['low']:.1f}%, {100 * estimate['high']:.1f}%]"


def _ground(row: Row, estimate: Row) -> str:
    return f"{row['basis']} targets, n = {estimate['n']} {estimate['unit']}s"
