"""The public contract of the frontier report: names, nulls, what every estimate carries, and its declared families."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

from analysis.frontier.options import ReportOptions
from analysis.frontier.report import as_text, frontier_report
from analysis.stats.paired import holm
from tests.analysis.rebuild import find, pairs_frame, rows
from tests.analysis.test_reports import QUICK, random_study

ESTIMATE = {"value", "low", "high", "level", "n", "unit", "method"}
UNDEFINED = {"value", "undefined", "n", "unit", "method"}
#: By part of the report, the names a reader may count on.
CONTRACT = {
    "rows": (
        "judge protocol level paraphrase probe attack phase order split tier domain artifact basis n n_decided "
        "coverage rates position target_win opposite_win signed_effect directional_resolution order_gap "
        "order_inconsistency calls_per_comparison tokens_per_comparison usd_per_1000 cost_ratio"
    ),
    "vectors": "judge protocol level suppression correctness resolution tie_cost order_effects protocol_cost",
    "paired": "a b tier outcome n b_only c_only difference p p_holm unit",
    "anchoring": (
        "judge protocol probe attack edr nd lds ols ts lao flip_after_reveal lai drift drift_over_tau tau scorer"
    ),
    "ties": "judge protocol level tier judge_any human_any precision recall agreement",
    "ranking": "judge protocol system score bt unit",
    "agreement_with_humans": "judge protocol level convention value n",
}


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """Two judges with gaps and undecided rows, their labels, a probe, a ranking split and a judge of undecided rows."""
    pairs, verdicts, labels = random_study(3, n_pairs=12)
    workflows = pd.DataFrame(
        {"pair_id": ["r1", "r2", "r3"], "role_1": ["a", "b", "a"], "role_2": ["b", "c", "c"], "tier": "ranking"}
    )
    some = pairs[:4]
    extra = rows(workflows, (3, 3), judge="j1", protocol="ladder", level="L0")
    extra += rows(some, (4, 2), judge="j1", protocol="ladder", level="L0", probe="truth", paraphrase="a")
    extra += [
        {"pair_id": pair, "judge": "mute", "protocol": "p", "shown_as_a": "plain", "outcome": "refused", "winner": ""}
        for pair in some["pair_id"]
    ]
    made = frontier_report(
        pairs=pd.concat([pairs, workflows]),
        verdicts=pd.concat([verdicts, pd.DataFrame(extra)]),
        labels=labels,
        options=ReportOptions(resamples=60, margin=0.1),
    )
    read: dict[str, Any] = json.loads(as_text(made))
    return read


def estimates(value: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict):
        if "value" in value and ("undefined" in value or "low" in value):
            yield path, value
        for name, part in value.items():
            yield from estimates(part, f"{path}/{name}")
    elif isinstance(value, list):
        for part in value:
            yield from estimates(part, path)


@pytest.mark.parametrize("part", list(CONTRACT))
def test_every_part_has_the_names_of_the_contract(report: dict[str, Any], part: str) -> None:
    assert report[part]
    for row in report[part]:
        assert not set(CONTRACT[part].split()) - set(row)


def test_every_estimate_names_n_unit_and_method_or_its_reason(report: dict[str, Any]) -> None:
    found = list(estimates(report))
    assert len(found) > 500
    assert any(one["value"] is None for _, one in found)
    for path, one in found:
        if one["value"] is None:
            assert set(one) == UNDEFINED, path
            assert one["undefined"], path
        else:
            assert not ESTIMATE - set(one), path
            assert one["method"], path
        assert one["unit"], path
        assert one["n"] >= 0, path


def test_coverage_stands_beside_the_rates_and_adds_up_to_one(report: dict[str, Any]) -> None:
    for row in report["rows"]:
        assert set(row["coverage"]) == {"decided", "refused", "unparsed", "error"}
        assert sum(row["coverage"].values()) == pytest.approx(1)
        assert set(row["position"]) == {"A", "B", "tie"}
        assert row["basis"] in {"constructed", "validated", "consensus_only"}


def test_a_judge_without_a_decided_row_has_nulls_and_no_zeros(report: dict[str, Any]) -> None:
    row = find(report["rows"], judge="mute")
    assert (row["n"], row["n_decided"], row["coverage"]["refused"]) == (4, 0, 1.0)
    for one in (*row["rates"].values(), *row["position"].values(), row["order_gap"], row["order_inconsistency"]):
        assert (one["value"], one["undefined"]) == (None, "no row was decided")


def test_the_word_nan_is_nowhere(report: dict[str, Any]) -> None:
    assert not re.search(r"\b(nan|infinity)\b", as_text(report), re.IGNORECASE)


def test_holm_runs_within_judge_split_tier_basis_outcome_and_unit(report: dict[str, Any]) -> None:
    families: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in report["paired"]:
        key = tuple(row[name] for name in ("judge", "split", "tier", "basis", "outcome", "unit"))
        families.setdefault(key, []).append(row)
    for members in families.values():
        assert [row["p_holm"] for row in members] == pytest.approx(holm([row["p"] for row in members]))
        assert {row["holm_family_size"] for row in members} == {len(members)}


def test_holm_of_three_contrasts_is_stricter_than_each_alone() -> None:
    pairs = pairs_frame(30, tier="moderate", target="plain")
    found: list[dict[str, Any]] = []
    for level, plain in (("L0", 60), ("L1", 56), ("L2", 52), ("L3", 30)):
        found += rows(pairs, (plain, 0), judge="j", protocol="ladder", level=level)
    made = frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=QUICK)
    family = [row for row in made["paired"] if (row["outcome"], row["unit"]) == ("target_win", "pair x order")]
    assert [row["holm_family_size"] for row in family] == [3, 3, 3]
    assert [row["p_holm"] / row["p"] for row in sorted(family, key=lambda row: row["p"])] == pytest.approx([3, 2, 1])


def test_a_forced_choice_has_no_tie_rate_to_compare_or_to_bound() -> None:
    pairs = pairs_frame(5, tier="moderate", target="plain")
    free = rows(pairs, (5, 2), judge="j", protocol="free", offered="A,B,Tie")
    forced = rows(pairs, (7, 3), judge="j", protocol="forced", offered="A,B")
    forced[0].update(outcome="refused", winner="")
    free[0].update(outcome="refused", winner="")
    made = frontier_report(pairs=pairs, verdicts=pd.DataFrame(free + forced), options=QUICK)
    assert {row["outcome"] for row in made["paired"]} == {"target_win"}
    bounded = {(row["protocol"], row["outcome"]) for row in made["sensitivity"]}
    assert bounded == {("free", "tie"), ("free", "target_win"), ("forced", "target_win")}


def test_two_orders_of_a_pair_widen_the_interval_by_cluster_and_not_by_row() -> None:
    """Both orders always agree: by pair there are 20 units, by row 40, and each row of the report says which."""
    pairs = pairs_frame(20, tier="moderate", target="plain")
    found = rows(pairs, (40, 0), judge="j", protocol="a") + rows(pairs, (30, 0), judge="j", protocol="b")
    made = frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=ReportOptions(resamples=2000))
    by_unit = {row["unit"]: row for row in made["paired"] if row["outcome"] == "target_win"}
    assert set(by_unit) == {"pair", "pair x order"}
    assert (by_unit["pair"]["n_clusters"], by_unit["pair"]["n"]) == (20, 40)
    assert by_unit["pair"]["p"] == pytest.approx(2 * 0.5**5)  # five pairs changed, all the same way
    assert by_unit["pair x order"]["p"] == pytest.approx(2 * 0.5**10)
    width = {unit: row["difference"]["high"] - row["difference"]["low"] for unit, row in by_unit.items()}
    assert width["pair"] > 1.2 * width["pair x order"]
