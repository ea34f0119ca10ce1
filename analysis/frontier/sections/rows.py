"""``rows``: every condition's rates, wins, order effects, coverage and cost, with intervals."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from analysis.counting.encoded import Encoded
from analysis.counting.pair_table import BASES, CONSTRUCTED, VALIDATED
from analysis.frontier.options import ReportOptions
from analysis.frontier.sections.groups import Group, count_family, groups_of
from analysis.stats.estimate import Estimate
from analysis.stats.frontier import ORDER_EFFECTS, View
from analysis.stats.frontier_counts import TARGET_BOUNDARY, TARGET_NONE, TARGET_TIE, Tally
from analysis.stats.frontier_grid import ERROR, REFUSED, TIE, UNPARSED
from analysis.stats.frontier_intervals import Estimator, Task

Row = dict[str, Any]
_TARGET_WORDS = {TARGET_TIE: "tie", TARGET_BOUNDARY: "boundary", TARGET_NONE: "none"}


#: A group's totals, for the parts of the report that count without resampling.
Counted = tuple[Group, Tally]


def build_rows(encoded: Encoded, options: ReportOptions) -> tuple[list[Row], list[Counted]]:
    """The report's rows, in the order of split, tier, condition, basis, breakdown and order; and the totals of the
    whole families among them."""
    estimator = Estimator(options.intervals())
    waiting: list[tuple[Group, Tally, tuple[View, ...]]] = []
    for family in encoded.families:
        counts = count_family(family, encoded)
        for group in groups_of(family, encoded, options.breakdowns):
            tally, clusters = counts.tally(group)
            views = _views(group, tally, options)
            estimator.add(
                Task(
                    key=len(waiting), tally=tally, clusters=clusters, views=views, unit=encoded.pairs.unit,
                    reasons=group.reasons(encoded),
                )
            )  # fmt: skip
            waiting.append((group, tally.totals(), views))
    estimates = estimator.finish()
    rows = [row for key, parts in enumerate(waiting) for row in _rows(encoded, *parts, estimates[_key(key)])]
    add_cost_ratios(rows)
    return rows, [(group, total) for group, total, _ in waiting if group.broken_down is None]


def _key(number: int) -> Hashable:
    return number


def _views(group: Group, tally: Tally, options: ReportOptions) -> tuple[View, ...]:
    """Both orders together; apart as well for a whole family whose pairs share their roles."""
    both = View(None, group.gap_role)
    if not options.by_order or group.broken_down is not None or group.roles is None:
        return (both,)
    known = [order for order in (0, 1) if tally.outcomes[order].any()]
    return (both, *(View(order, group.gap_role) for order in known))


def _rows(
    encoded: Encoded, group: Group, total: Tally, views: tuple[View, ...], found: tuple[dict[str, Estimate], ...]
) -> Iterator[Row]:
    has_validated = any(stratum.targets[BASES.index(VALIDATED)] != -1 for stratum in group.strata)
    targets = _pairs_by_target(encoded, group)
    for view, estimates in zip(views, found, strict=True):
        yield {
            **identity(group, view.order),
            "default": group.basis == (VALIDATED if has_validated else CONSTRUCTED),
            **_counts(total, view),
            "targets": targets,
            **_metrics(group, estimates),
            **_costs(encoded, group, view.order),
            "simulated": bool(encoded.simulated[group.numbers].any()),
        }


def identity(group: Group, order: int | None = None) -> Row:
    """The keys of the contract that say which row this is; null is "all there are" or "none"."""
    condition = group.family.condition
    named = {name: value or None for name, value in condition._asdict().items()}
    return {
        **named,
        "paraphrase": group.value("paraphrase"),
        "attacked_role": group.value("attacked_role"),
        "order": None if order is None or group.roles is None else group.roles[order],
        "split": group.family.split or None,
        "tier": group.family.tier or None,
        "domain": group.value("domain"),
        "artifact": group.value("artifact"),
        "roles": None if group.roles is None else list(group.roles),
        "basis": group.basis,
        "broken_down_by": group.broken_down,
    }


def _counts(total: Tally, view: View) -> Row:
    by_code = total.outcomes[view.orders].sum(axis=(0, 2))
    n = int(by_code.sum())
    counts = {
        "decided": int(by_code[: TIE + 1].sum()),
        "refused": int(by_code[REFUSED]),
        "unparsed": int(by_code[UNPARSED]),
        "error": int(by_code[ERROR]),
    }
    return {
        "n": n,
        "n_decided": counts["decided"],
        "coverage": {name: count / n for name, count in counts.items()} if n else dict.fromkeys(counts),
        "outcomes": counts,
    }


def _pairs_by_target(encoded: Encoded, group: Group) -> dict[str, int]:
    """How many pairs have each target under the row's basis."""
    grid, table = encoded.placed.grid, encoded.pairs
    seen = np.zeros(len(table.pair_id), dtype=bool)
    for number in group.numbers.tolist():
        seen[grid.pair[grid.slice_of(number, number)]] = True
    place = BASES.index(group.basis)
    found: dict[str, int] = {}
    per_stratum = np.bincount(table.stratum[seen], minlength=len(table.strata))
    for number in np.flatnonzero(per_stratum):
        stratum = table.strata[number]
        aim = stratum.targets[place]
        word = _TARGET_WORDS[aim] if aim in _TARGET_WORDS else stratum.roles[aim]
        found[word] = found.get(word, 0) + int(per_stratum[number])
    return found


def _metrics(group: Group, found: dict[str, Estimate]) -> Row:
    as_json = {name: estimate.as_json() for name, estimate in found.items()}
    rates = {"tie": as_json["tie"]}
    if group.roles is not None:
        rates |= {group.roles[0]: as_json["first"], group.roles[1]: as_json["second"]}
    return {
        "rates": rates,
        "position": {"A": as_json["A"], "B": as_json["B"], "tie": as_json["position_tie"]},
        "target_win": as_json["target_win"],
        "opposite_win": as_json["opposite_win"],
        "signed_effect": as_json["signed_effect"],
        "directional_resolution": as_json["directional_resolution"],
        "order_gap_role": None if group.roles is None else group.roles[group.gap_role],
        **{name: as_json[name] for name in ORDER_EFFECTS},
    }


def _costs(encoded: Encoded, group: Group, order: int | None) -> Row:
    means = encoded.costs.means(group.numbers, order)
    usd = means["usd"]
    return {
        "calls_per_comparison": means["n_calls"],
        "tokens_per_comparison": means["tokens"],
        "usd_per_1000": None if usd is None else usd * 1000,
        "latency_ms": means["latency_ms"],
    }


_RATIOS = {
    "call_ratio": "calls_per_comparison",
    "token_ratio": "tokens_per_comparison",
    "usd_ratio": "usd_per_1000",
}


def add_cost_ratios(rows: list[Row]) -> None:
    """Ratios to the judge's single-call baseline on the same split and tier; ``cost_ratio`` is in dollars where both
    sides recorded them, else in tokens, else in calls, as ``cost_ratio_of`` says."""
    baselines: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        if row["order"] is None and row["broken_down_by"] is None and row["calls_per_comparison"] == 1:
            best = baselines.setdefault(_cost_scope(row), row)
            if _baseline_rank(row) < _baseline_rank(best):
                baselines[_cost_scope(row)] = row
    for row in rows:
        base = baselines.get(_cost_scope(row), {})
        for name, measure in _RATIOS.items():
            here, there = row[measure], base.get(measure)
            row[name] = here / there if here is not None and there else None
        kind = next((name for name in ("usd_ratio", "token_ratio", "call_ratio") if row[name] is not None), None)
        row["cost_ratio"] = None if kind is None else row[kind]
        row["cost_ratio_of"] = None if kind is None else kind.removesuffix("_ratio")


def _cost_scope(row: Row) -> tuple[Any, ...]:
    return row["judge"], row["split"], row["tier"], row["basis"]


def _baseline_rank(row: Row) -> tuple[Any, ...]:
    """The plainest condition first: no cue, no attack, the lowest level."""
    return (
        row["probe"] not in (None, "blind"), row["attack"] is not None, row["level"] is None, row["level"] or "",
        row["protocol"], row["protocol_version"] or "", row["phase"],
    )  # fmt: skip
