"""A second, plain and slow reading of the frontier's definitions, from row dictionaries: what the fast one must equal.

Written from docs/statistics-frontier.md and nothing else: no arrays, no shared code, one loop a metric.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

Row = dict[str, Any]


def verdict_of(row: Row, pair: Row) -> str | None:
    """The role that won, "tie", or None where the row was not decided."""
    if row["outcome"] != "decided":
        return None
    if row["winner"] == "Tie":
        return "tie"
    shown_as_a = row["shown_as_a"] or pair["role_1"]
    other = pair["role_2"] if shown_as_a == pair["role_1"] else pair["role_1"]
    return shown_as_a if row["winner"] == "A" else other


def share(hits: int, n: int) -> float | None:
    return hits / n if n else None


def difference(one: float | None, two: float | None) -> float | None:
    return None if one is None or two is None else one - two


def slow_row(rows: Iterable[Row], pairs: dict[str, Row], roles: tuple[str, str], target: Callable[[Row], Any]) -> Row:
    """Every metric of one report row; ``target`` gives a pair's target under the basis asked for."""
    rows = list(rows)
    verdicts = [(row, pairs[row["pair_id"]], verdict_of(row, pairs[row["pair_id"]])) for row in rows]
    decided = [(row, pair, verdict) for row, pair, verdict in verdicts if verdict is not None]
    n = len(decided)
    found: Row = {"n": len(rows), "n_decided": n}
    for name in (*roles, "tie"):
        found[f"rate {name}"] = share(sum(v == name for _, _, v in decided), n)
    found["signed_effect"] = difference(found[f"rate {roles[1]}"], found[f"rate {roles[0]}"])
    aimed = [(pair, verdict) for _, pair, verdict in decided if target(pair) in roles]
    found["target_win"] = share(sum(v == target(pair) for pair, v in aimed), len(aimed))
    found["opposite_win"] = share(sum(v not in (target(pair), "tie") for pair, v in aimed), len(aimed))
    found["directional_resolution"] = difference(found["target_win"], found["opposite_win"])
    placed = [(row, verdict) for row, _, verdict in decided if row["shown_as_a"]]
    for position in ("A", "B", "Tie"):
        found[f"position {position}"] = share(sum(row["winner"] == position for row, _ in placed), len(placed))
    gap = {}
    for order in roles:
        here = [verdict for row, verdict in placed if row["shown_as_a"] == order]
        gap[order] = share(sum(v == roles[1] for v in here), len(here))
    found["order_gap"] = difference(gap[roles[1]], gap[roles[0]])
    return found | _order_effects(placed, roles)


def _order_effects(placed: list[tuple[Row, str]], roles: tuple[str, str]) -> Row:
    by_pair: dict[tuple[Any, ...], dict[str, str]] = defaultdict(dict)
    for row, verdict in placed:
        by_pair[row["pair_id"], row.get("paraphrase", "")][row["shown_as_a"]] = verdict
    both = [(found[roles[0]], found[roles[1]]) for found in by_pair.values() if len(found) == 2]
    changed = [(one, two) for one, two in both if one != two]
    first = [(one, two) for one, two in changed if (one, two) == roles]
    second = [(one, two) for one, two in changed if (two, one) == roles]
    ties = [(one, two) for one, two in changed if "tie" in (one, two)]
    return {
        "order_inconsistency": share(len(changed), len(both)),
        "role_flips": share(len(first) + len(second), len(both)),
        "tie_changes": share(len(ties), len(both)),
        "first_pull": share(len(first), len(both)),
        "second_pull": share(len(second), len(both)),
    }


def slow_ties(rows: Iterable[Row], pairs: dict[str, Row], human_ties: dict[str, bool]) -> tuple[int, int, int, int]:
    """(items, judge-any, human-any, both) over items with a decided row and a label."""
    judged: dict[str, bool] = {}
    for row in rows:
        verdict = verdict_of(row, pairs[row["pair_id"]])
        if verdict is not None:
            judged[row["pair_id"]] = judged.get(row["pair_id"], False) or verdict == "tie"
    items = [item for item in judged if item in human_ties]
    return (
        len(items),
        sum(judged[item] for item in items),
        sum(human_ties[item] for item in items),
        sum(judged[item] and human_ties[item] for item in items),
    )
