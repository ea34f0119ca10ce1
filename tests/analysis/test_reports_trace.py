"""The frontier from rows rebuilt from TRACE's printed rates gives the printed figures back (Tables A9 to A19)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from analysis.frontier.options import Contrast, ReportOptions
from analysis.frontier.report import frontier_report
from tests.analysis.rebuild import ROLES, counts_from_percent, figures, find, pairs_frame, percent, rows

TRACE = figures("trace_figures.json")
#: Half a unit of the last printed digit, inclusive, plus what a float cannot hold.
HALF = 0.05 + 1e-9
QUICK = ReportOptions(resamples=200)


def ladder(levels: list[dict[str, Any]], names: tuple[str, str, str], pairs: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a ladder table: 100 pairs, or three paraphrases of them where it prints 600 rows."""
    found = []
    for line in levels:
        paraphrases = ("p1", "p2", "p3") if line["n"] == 600 else ("",)
        counts = counts_from_percent(line["n"], *(line[name] for name in names))
        protocol, level = ("ladder", line["level"]) if "level" in line else ("trace", "")
        found += rows(pairs, counts, paraphrases=paraphrases, judge=line["judge"], protocol=protocol, level=level)
    return found


MODERATE = pairs_frame(100, tier="moderate", target="plain")
NAMES = ("better_plain", "worse_cited", "tie")


@pytest.fixture(scope="module")
def moderate() -> dict[str, Any]:
    found = ladder(TRACE["A11_moderate_ladder"] + TRACE["A12_trace_moderate"], NAMES, pairs=MODERATE)
    return frontier_report(pairs=MODERATE, verdicts=pd.DataFrame(found))


@pytest.mark.parametrize("line", TRACE["A11_moderate_ladder"] + TRACE["A12_trace_moderate"], ids=str)
def test_moderate_ladder_and_trace_give_the_printed_rates_back(moderate: dict[str, Any], line: dict[str, Any]) -> None:
    row = find(moderate["rows"], judge=line["judge"], level=line.get("level"))
    assert percent(row["rates"]["plain"]) == pytest.approx(line["better_plain"], abs=1e-9)
    assert percent(row["rates"]["cited"]) == pytest.approx(line["worse_cited"], abs=1e-9)
    assert percent(row["rates"]["tie"]) == pytest.approx(line["tie"], abs=1e-9)
    assert row["target_win"]["value"] == row["rates"]["plain"]["value"]
    expected = line["better_plain"] - line["worse_cited"]
    assert percent(row["directional_resolution"]) == pytest.approx(expected, abs=1e-9)
    assert (row["n"], row["n_decided"], row["targets"]) == (200, 200, {"plain": 100})


@pytest.mark.parametrize("drop", TRACE["paired"]["drops_L0_to_L4"], ids=str)
def test_paired_drop_prints_the_papers_interval_at_the_default_seed(
    moderate: dict[str, Any], drop: dict[str, Any]
) -> None:
    row = _paired(moderate, drop["judge"], "L0", "L4", unit="pair x order")
    assert percent(row["difference"]) == pytest.approx(drop["points"])
    low, high = (100 * row["difference"][name] for name in ("low", "high"))
    assert low == pytest.approx(drop["ci95"][0], abs=0.5 + 1e-9)
    assert high == pytest.approx(drop["ci95"][1], abs=0.5 + 1e-9)
    assert row["p"] < 0.001
    assert "the paper's convention" in row["test"]


def test_paired_drop_by_pair_is_wider_than_by_row_where_orders_agree(moderate: dict[str, Any]) -> None:
    by_row = _paired(moderate, "Claude Sonnet 4.6", "L0", "L4", unit="pair x order")["difference"]
    by_pair = _paired(moderate, "Claude Sonnet 4.6", "L0", "L4", unit="pair")["difference"]
    assert by_pair["value"] == by_row["value"]
    assert by_pair["high"] - by_pair["low"] > by_row["high"] - by_row["low"]


def test_paired_l3_against_trace_is_p_1_for_gpt_and_small_for_the_others(moderate: dict[str, Any]) -> None:
    p = {
        judge: _paired(moderate, judge, "L3", None, unit="pair x order")["p"]
        for judge in ("GPT-5.5", "Claude Sonnet 4.6", "DeepSeek")
    }
    assert p["GPT-5.5"] == 1.0
    assert max(p["Claude Sonnet 4.6"], p["DeepSeek"]) < 0.05


def _paired(report: dict[str, Any], judge: str, a: str | None, b: str | None, *, unit: str) -> dict[str, Any]:
    found = [
        row
        for row in report["paired"]
        if (row["judge"], row["a"]["level"], row["b"]["level"]) == (judge, a, b)
        and (row["outcome"], row["unit"]) == ("target_win", unit)
    ]
    assert len(found) == 1
    return found[0]


def test_planned_contrasts_replace_the_default_ones() -> None:
    found = ladder(TRACE["A11_moderate_ladder"][:5], NAMES, pairs=MODERATE)
    plan = (Contrast(a=("ladder", "L1"), b=("ladder", "L3")),)
    options = ReportOptions(resamples=50, contrasts=plan)
    report = frontier_report(pairs=MODERATE, verdicts=pd.DataFrame(found), options=options)
    assert {(row["a"]["level"], row["b"]["level"]) for row in report["paired"]} == {("L1", "L3")}


@pytest.mark.parametrize("line", TRACE["A19_soft_ladder"], ids=str)
def test_soft_ladder_gives_the_printed_rates_back(line: dict[str, Any]) -> None:
    soft = pairs_frame(100, tier="soft")
    report = frontier_report(pairs=soft, verdicts=pd.DataFrame(ladder([line], NAMES, pairs=soft)), options=QUICK)
    row = find(report["rows"], judge=line["judge"])
    assert percent(row["rates"]["cited"]) == pytest.approx(line["worse_cited"], abs=HALF)
    assert percent(row["rates"]["tie"]) == pytest.approx(line["tie"], abs=HALF)
    assert percent(row["rates"]["plain"]) == pytest.approx(line["better_plain"], abs=HALF)
    assert row["n"] == line["n"]
    assert row["target_win"] == row["target_win"] | {
        "value": None, "undefined": "the target is a boundary: a tie is acceptable"
    }  # fmt: skip


@pytest.mark.parametrize("skewed", [False, True])
@pytest.mark.parametrize("line", TRACE["A9_equivalence"] + TRACE["A10_ablations"], ids=str)
def test_equivalence_and_ablations_give_rates_and_signed_effect_back(line: dict[str, Any], skewed: bool) -> None:
    per_pair = 6 if line["n"] in (1200, 6000) else 2
    pairs = pairs_frame(line["n"] // per_pair, tier="equivalence", artifact_kind=line.get("variant", "citation"))
    counts = counts_from_percent(line["n"], line["base_win"], line["cited_win"], line["tie"], line["signed_effect"])
    paraphrases = ("p1", "p2", "p3") if per_pair == 6 else ("",)
    found = rows(pairs, counts, paraphrases=paraphrases, skewed=skewed, judge="j", protocol="plain")
    options = ReportOptions(resamples=50, by_order=False, breakdowns=())
    row = find(frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=options)["rows"])
    for role, name in zip(ROLES, ("base_win", "cited_win"), strict=True):
        assert percent(row["rates"][role]) == pytest.approx(line[name], abs=HALF)
    assert percent(row["rates"]["tie"]) == pytest.approx(line["tie"], abs=HALF)
    assert percent(row["signed_effect"]) == pytest.approx(line["signed_effect"], abs=HALF)
    assert row["artifact"] == line.get("variant", "citation")
    assert row["n"] == line["n"]


@pytest.mark.parametrize("line", TRACE["A14_equivalence_by_split"], ids=str)
def test_equivalence_by_split_keeps_the_splits_apart(line: dict[str, Any]) -> None:
    pairs = pd.concat(
        [
            pairs_frame(500, prefix="a", tier="equivalence", split=line["split"]),
            pairs_frame(500, prefix="b", tier="equivalence", split="another"),
        ]
    )
    cited, tie = round(10 * line["plain_cited_win"]), round(10 * line["strict_tie"])
    found = []
    for split, plain_wins, ties in ((line["split"], cited, tie), ("another", 17, 900)):
        own = pairs[pairs["split"] == split]
        found += rows(own, (0, plain_wins), judge="j", protocol="plain")
        found += rows(own, (0, 1000 - ties), judge="j", protocol="strict")
    report = frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=ReportOptions(resamples=50))
    plain = find(report["rows"], protocol="plain", split=line["split"])
    strict = find(report["rows"], protocol="strict", split=line["split"])
    assert percent(plain["rates"]["cited"]) == pytest.approx(line["plain_cited_win"], abs=HALF)
    assert percent(strict["rates"]["tie"]) == pytest.approx(line["strict_tie"], abs=HALF)


@pytest.mark.parametrize("line", TRACE["A13_finqa"], ids=str)
def test_finqa_endpoints_come_back(line: dict[str, Any]) -> None:
    pairs = pairs_frame(50, tier="moderate", target="plain", domain="finqa")
    low, high = line["l0_l2_better_plain"]
    found = rows(pairs, (low, 0), judge="j", protocol="ladder", level="L0")
    found += rows(pairs, (high, 0), judge="j", protocol="ladder", level="L2")
    found += rows(pairs, (100 - line["l4_tie"], 0), judge="j", protocol="ladder", level="L4")
    found += rows(pairs, (line["trace_better_plain"], 2 - 2 * (line["trace_better_plain"] == 100)), judge="j",
                  protocol="trace")  # fmt: skip
    report = frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=QUICK)
    assert percent(find(report["rows"], level="L0")["target_win"]) == pytest.approx(low)
    assert percent(find(report["rows"], level="L2")["target_win"]) == pytest.approx(high)
    assert percent(find(report["rows"], level="L4")["rates"]["tie"]) == pytest.approx(line["l4_tie"])
    trace = find(report["rows"], protocol="trace")
    assert percent(trace["target_win"]) == pytest.approx(line["trace_better_plain"])
    assert percent(trace["rates"]["tie"]) == pytest.approx(line["trace_tie"])


@pytest.mark.parametrize("line", TRACE["A15_correctness_decoupled"], ids=str)
def test_correctness_pools_three_domains_and_shows_each(line: dict[str, Any]) -> None:
    pairs = pairs_frame(150, tier="conflict", target="plain")
    pairs["domain"] = [("multi-hop", "finance", "code")[number % 3] for number in range(150)]
    names = ("correct_base_win", "wrong_cited_win", "tie")
    counts = counts_from_percent(300, *(line[name] for name in names))
    found = rows(pairs, counts, judge=line["judge"], protocol="decoupled")
    report = frontier_report(
        pairs=pairs, verdicts=pd.DataFrame(found), options=ReportOptions(resamples=50, breakdowns=("domain",))
    )
    row = find(report["rows"])
    for role, name in (("plain", names[0]), ("cited", names[1]), ("tie", names[2])):
        assert percent(row["rates"][role]) == pytest.approx(line[name], abs=HALF)
    assert percent(row["opposite_win"]) == pytest.approx(line["wrong_cited_win"], abs=HALF)
    apart = [r for r in report["rows"] if r["broken_down_by"] == "domain"]
    assert row["domain"] is None
    assert {r["domain"]: r["n"] for r in apart} == {"multi-hop": 100, "finance": 100, "code": 100}


@pytest.mark.parametrize("line", TRACE["A16_position"], ids=str)
def test_position_controls_all_tie(line: dict[str, Any]) -> None:
    pairs = pairs_frame(line["n"] // 2, tier="identical")
    found = rows(pairs, (0, 0), judge=line["judge"], protocol="plain")
    row = find(frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=QUICK)["rows"])
    assert percent(row["position"]["A"]) == line["first"]
    assert percent(row["position"]["B"]) == line["second"]
    assert percent(row["position"]["tie"]) == line["tie"]


def test_order_gap_of_27_points_is_found_with_its_sign() -> None:
    pairs = pairs_frame(600, tier="equivalence")
    # the printed 85.8% cited wins over 1,200 rows, 2.7 points apart between the orders: 523 and 507 of 600
    found = []
    for order, cited in ((1, 523), (0, 507)):
        for place, pair in enumerate(pairs["pair_id"]):
            winner = "Tie" if place >= cited else ("A" if order == 1 else "B")
            found.append(
                {"pair_id": pair, "shown_as_a": ROLES[order], "outcome": "decided", "winner": winner}
                | {"judge": "GPT-5.5", "protocol": "plain"}
            )
    row = find(frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=QUICK)["rows"])
    assert percent(row["order_gap"]) == pytest.approx(2.7, abs=HALF)
    assert percent(row["rates"]["cited"]) == pytest.approx(85.8, abs=HALF)
    assert row["order_gap_role"] == "cited"
    assert percent(row["order_inconsistency"]) == pytest.approx(100 * 16 / 600)
    assert row["role_flips"]["value"] == 0


@pytest.mark.parametrize("line", TRACE["tie_calibration"]["L3"], ids=str)
def test_tie_precision_of_l3_on_moderate_items(line: dict[str, Any]) -> None:
    tied, hit = line["tie_items_of_100"], 5
    labels = [
        {"pair_id": pair, "annotator": who, "label": "Tie" if number < 9 else "plain"}
        for number, pair in enumerate(MODERATE["pair_id"])
        for who in ("ann", "bob")
    ]
    # the judge ties 5 of the 9 items people tie, and tied - 5 others, once each in the first order
    ties = set(MODERATE["pair_id"][:hit]) | set(MODERATE["pair_id"][9 : 9 + tied - hit])
    found = [
        {"pair_id": pair, "shown_as_a": role, "outcome": "decided", "judge": line["judge"], "protocol": "ladder"}
        | {"level": "L3", "winner": "Tie" if pair in ties and role == "plain" else "AB"[role == "cited"]}
        for pair in MODERATE["pair_id"]
        for role in ROLES
    ]
    report = frontier_report(pairs=MODERATE, verdicts=pd.DataFrame(found), labels=pd.DataFrame(labels), options=QUICK)
    (row,) = report["ties"]
    assert (row["judge_any"], row["human_any"], row["n"]) == (tied, 9, 100)
    assert row["precision"] == pytest.approx(line["tie_precision"], abs=0.0005)
    assert row["recall"] == pytest.approx(5 / 9)
    assert row["agreement"] == pytest.approx((100 - (tied - hit) - (9 - hit)) / 100)


SYSTEMS = ("answer_only", "plain_full", "cited_full", "cited_partial")


def workflow_pairs() -> pd.DataFrame:
    cells = [
        {"pair_id": f"q{query:03}-{i}{j}", "cluster": f"q{query:03}", "role_1": SYSTEMS[i], "role_2": SYSTEMS[j]}
        for query in range(200)
        for i in range(4)
        for j in range(i + 1, 4)
    ]
    return pd.DataFrame(cells).assign(tier="ranking", split="workflow")


@pytest.mark.parametrize("line", TRACE["A17_ranking_scores"]["rows"], ids=str)
def test_ranking_scores_come_back_from_2400_rows(line: dict[str, Any]) -> None:
    direct = _direct(line)
    tables = _tables_with_scores([line[system] for system in SYSTEMS], direct)
    pairs = workflow_pairs()
    found = []
    for (i, j), wins in tables.items():
        own = pairs[(pairs["role_1"] == SYSTEMS[i]) & (pairs["role_2"] == SYSTEMS[j])]
        found += rows(own, wins, judge=line["judge"], protocol=line["protocol"])
    report = frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=QUICK)
    scores = {row["system"]: row for row in report["ranking"]}
    for system in SYSTEMS:
        assert percent(scores[system]["score"]) == pytest.approx(line[system], abs=0.005 + 1e-9)
        assert (scores[system]["n"], scores[system]["unit"]) == (1200, "query")
    (both,) = [row for row in report["rows"] if row["roles"] == ["plain_full", "cited_full"]]
    wins = [round(400 * both["rates"][system]["value"]) for system in ("plain_full", "cited_full", "tie")]
    assert wins == [direct[0], direct[1], 400 - sum(direct)]


def _direct(line: dict[str, Any]) -> tuple[int, int]:
    """A18: plain_full against cited_full, wins of either."""
    (found,) = [
        row for row in TRACE["A18_direct"] if (row["judge"], row["protocol"]) == (line["judge"], line["protocol"])
    ]
    return found["plain_full_wins"], found["cited_full_wins"]


def _tables_with_scores(scores: list[float], direct: tuple[int, int]) -> dict[tuple[int, int], tuple[int, int]]:
    """Wins of the six pairs of systems that give each system its printed score, the direct comparison as printed.

    In half points: each pair shares 800, each system plays three pairs. Any whole solution will do.
    """
    wanted = [round(24 * score) for score in scores]
    wanted[3] = 4800 - sum(wanted[:3])
    keys = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    held = np.array([[1 if i == system else -1 if j == system else 0 for i, j in keys] for system in range(4)])
    given = np.array([wanted[system] - 800 * sum(j == system for _, j in keys) for system in range(4)])
    known = 400 + direct[0] - direct[1]
    low, high = (np.array([known if key == (1, 2) else edge for key in keys]) for edge in (0, 800))
    solved = milp(
        np.zeros(6), constraints=LinearConstraint(held, given, given), integrality=np.ones(6), bounds=Bounds(low, high)
    )
    assert solved.success, "no table of whole rows gives these scores"
    points = {key: round(value) for key, value in zip(keys, solved.x, strict=True)}
    return {key: (max(0, p - 400), max(0, 400 - p)) for key, p in points.items()} | {(1, 2): direct}
