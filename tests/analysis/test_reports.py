"""The frontier report against a second, slow implementation, and what must change nothing."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.counting.human_targets import human_pairs
from analysis.frontier.options import ReportOptions
from analysis.frontier.report import as_text, frontier_report
from annotation.errors import InputFileError
from tests.analysis.rebuild import ROLES, find, pairs_frame, rows
from tests.analysis.slow_frontier import slow_row, slow_ties

QUICK = ReportOptions(resamples=100)


def random_study(seed: int, *, n_pairs: int = 40) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Pairs with clusters, role orders both ways and mixed targets; verdicts with asymmetric orders, missing and
    undecided cells, rows with both orders combined; labels on most pairs."""
    rng = np.random.default_rng(seed)
    pairs = pairs_frame(n_pairs, tier="preference", split="s")
    pairs["cluster"] = [f"c{number // 3}" for number in range(n_pairs)]
    pairs["target"] = rng.choice(["plain", "cited", "tie", ""], n_pairs, p=[0.5, 0.2, 0.2, 0.1])
    swapped = rng.random(n_pairs) < 0.3
    pairs.loc[swapped, ["role_1", "role_2"]] = ["cited", "plain"]
    found = []
    for pair in pairs["pair_id"]:
        for judge in ("j1", "j2"):
            for level in ("L0", "L1"):
                for paraphrase in ("a", "b"):
                    for order, lean in (("plain", 0.6), ("cited", 0.3), ("", 0.5)):
                        if rng.random() < (0.95 if order == "" else 0.2):
                            continue  # a missing cell
                        outcome = rng.choice(["decided", "refused", "unparsed", "error"], p=[0.85, 0.05, 0.05, 0.05])
                        winner = rng.choice(["A", "B", "Tie"], p=[lean, 0.8 - lean, 0.2])
                        found.append(
                            {"pair_id": pair, "judge": judge, "protocol": "ladder", "level": level}
                            | {"paraphrase": paraphrase, "shown_as_a": order, "outcome": outcome}
                            | {"winner": winner if outcome == "decided" else ""}
                        )
    labels = [
        {"pair_id": pair, "annotator": who, "label": rng.choice(["plain", "cited", "Tie", "Unclear"])}
        for pair in pairs["pair_id"]
        if rng.random() < 0.8
        for who in ("ann", "bob", "cyd")
    ]
    return pairs, pd.DataFrame(found), pd.DataFrame(labels)


def slow_target(pair: dict[str, Any]) -> str:
    return pair["target"]


def value(row: dict[str, Any], name: str) -> float | None:
    kind, _, part = name.partition(" ")
    if kind == "rate":
        return row["rates"][part]["value"]
    if kind == "position":
        return row["position"]["tie" if part == "Tie" else part]["value"]
    return row[name]["value"]


@pytest.mark.parametrize("seed", range(4))
def test_rows_equal_the_slow_implementation(seed: int) -> None:
    pairs, verdicts, _ = random_study(seed)
    report = frontier_report(pairs=pairs, verdicts=verdicts, options=QUICK)
    by_id = {row["pair_id"]: row for row in pairs.to_dict("records")}
    roles = tuple(next(iter(row["roles"] for row in report["rows"])))
    for judge in ("j1", "j2"):
        for level in ("L0", "L1"):
            own = verdicts[(verdicts["judge"] == judge) & (verdicts["level"] == level)]
            row = find(report["rows"], judge=judge, level=level)
            slow = slow_row(own.to_dict("records"), by_id, roles, slow_target)
            for name, expected in slow.items():
                got = row[name] if name in ("n", "n_decided") else value(row, name)
                assert got == (None if expected is None else pytest.approx(expected, abs=1e-12)), name
            for order in ROLES:
                apart = [r for r in report["rows"] if (r["judge"], r["level"], r["order"]) == (judge, level, order)]
                here = own[own["shown_as_a"] == order].to_dict("records")
                expected = slow_row(here, by_id, roles, slow_target)
                assert apart[0]["rates"]["tie"]["value"] == pytest.approx(expected["rate tie"])
                assert apart[0]["target_win"]["value"] == pytest.approx(expected["target_win"])
                assert apart[0]["order_gap"]["undefined"] == "needs both orders"


@pytest.mark.parametrize("seed", range(3))
def test_ties_equal_the_slow_implementation(seed: int) -> None:
    pairs, verdicts, labels = random_study(seed)
    report = frontier_report(pairs=pairs, verdicts=verdicts, labels=labels, options=QUICK)
    by_id = {row["pair_id"]: row for row in pairs.to_dict("records")}
    human = labels.assign(tie=labels["label"] == "Tie").groupby("pair_id")["tie"].any().to_dict()
    for row in report["ties"]:
        own = verdicts[(verdicts["judge"] == row["judge"]) & (verdicts["level"] == row["level"])]
        n, judged, said, both = slow_ties(own.to_dict("records"), by_id, human)
        assert (row["n"], row["judge_any"], row["human_any"], row["both_any"]) == (n, judged, said, both)
        assert row["precision"] == pytest.approx(both / judged)
        assert row["agreement"] == pytest.approx((n - judged - said + 2 * both) / n)


def test_coverage_and_sensitivity_count_undecided_rows() -> None:
    pairs = pairs_frame(10, tier="moderate", target="plain")
    found = rows(pairs, (12, 2), judge="j", protocol="p")
    for row, outcome in zip(found, ("refused", "unparsed", "error", "unparsed"), strict=False):
        row.update(outcome=outcome, winner="")  # four of the twelve plain wins
    report = frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=QUICK)
    row = find(report["rows"])
    assert row["coverage"] == {"decided": 0.8, "refused": 0.05, "unparsed": 0.1, "error": 0.05}
    assert (row["n"], row["n_decided"]) == (20, 16)
    by_outcome = {line["outcome"]: line for line in report["sensitivity"]}
    win = by_outcome["target_win"]
    assert win["dropped"] == row["target_win"]["value"] == 8 / 16
    assert (win["as_ties"], win["worst_case"], win["best_case"]) == (8 / 20, 8 / 20, 12 / 20)
    tie = by_outcome["tie"]
    assert (tie["dropped"], tie["as_ties"], tie["worst_case"]) == (6 / 16, 10 / 20, 6 / 20)


def test_forced_choice_says_tie_not_offered() -> None:
    pairs = pairs_frame(5, tier="moderate", target="plain")
    found = rows(pairs, (7, 3), judge="j", protocol="p", offered="A,B")
    row = find(frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=QUICK)["rows"])
    assert row["rates"]["tie"]["value"] is None
    assert row["rates"]["tie"]["undefined"] == "tie not offered"
    assert row["rates"]["plain"]["value"] == 0.7


def test_combined_orders_count_in_rates_and_stay_out_of_order_metrics() -> None:
    pairs = pairs_frame(4, tier="preference")
    found = rows(pairs, (4, 4), judge="j", protocol="p")
    both = [{**row, "shown_as_a": "", "winner": "A"} for row in found[::2]]
    row = find(frontier_report(pairs=pairs, verdicts=pd.DataFrame(found + both), options=QUICK)["rows"])
    assert row["n"] == 12
    assert row["rates"]["plain"]["value"] == 8 / 12
    assert row["position"]["A"]["value"] == 0.5
    alone = find(frontier_report(pairs=pairs, verdicts=pd.DataFrame(both), options=QUICK)["rows"])
    assert alone["position"]["A"]["undefined"] == "the order of the rows is not known"
    assert alone["order_gap"]["value"] is alone["order_inconsistency"]["value"] is None


def test_same_order_repeats_are_the_noise_floor_and_do_not_weigh_rates() -> None:
    pairs = pairs_frame(2, tier="preference")
    once = rows(pairs, (4, 0), judge="j", protocol="p", repeat=0)
    again = [{**row, "repeat": 1, "winner": "Tie"} for row in once[:2]]
    report = frontier_report(pairs=pairs, verdicts=pd.DataFrame(once + again), options=QUICK)
    row = find(report["rows"])
    assert (row["n"], row["rates"]["plain"]["value"]) == (4, 1.0)
    (noise,) = report["noise_floor"]
    assert (noise["n"], noise["disagreement"]) == (2, 1.0)


def test_costs_count_every_comparison_and_are_ratios_to_the_single_call() -> None:
    pairs = pairs_frame(5, tier="moderate", target="plain")
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "usd": 0.002}
    found = rows(pairs, (10, 0), judge="j", protocol="ladder", level="L0", n_calls=1, **usage)
    dearer = {"prompt_tokens": 400, "completion_tokens": 80, "usd": 0.011}
    found += rows(pairs, (10, 0), judge="j", protocol="trace", level="", n_calls=2, **dearer)
    found[-1].update(outcome="refused", winner="")
    report = frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=QUICK)
    row = find(report["rows"], protocol="trace")
    assert row["calls_per_comparison"] == 2
    assert (row["tokens_per_comparison"], row["token_ratio"]) == (480, 4.0)
    assert row["usd_per_1000"] == pytest.approx(11.0)
    assert (row["cost_ratio"], row["cost_ratio_of"]) == (pytest.approx(5.5), "usd")
    assert find(report["rows"], protocol="ladder")["cost_ratio"] == 1.0


def test_costs_that_were_not_recorded_are_null() -> None:
    pairs = pairs_frame(2, tier="preference")
    row = find(
        frontier_report(pairs=pairs, verdicts=pd.DataFrame(rows(pairs, (1, 1), judge="j", protocol="p")))["rows"]
    )
    assert row["calls_per_comparison"] is row["usd_per_1000"] is row["cost_ratio"] is None


def test_validated_basis_scores_against_people_with_constructed_beside_it() -> None:
    pairs = pairs_frame(10, tier="moderate", target="plain")
    said = ["plain"] * 6 + ["Tie"] * 2 + ["cited", "plain"]
    labels = [
        {"pair_id": pair, "annotator": who, "label": label}
        for pair, label in zip(pairs["pair_id"], said, strict=True)
        for who in ("ann", "bob")
    ]
    labels[-1]["label"] = "Unclear"  # the last pair: plain against Unclear, nobody settled it
    labels.append({"pair_id": "p0008", "annotator": "cyd", "label": "cited", "kind": "adjudication"})
    found = rows(pairs, (20, 0), judge="j", protocol="p")
    report = frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), labels=pd.DataFrame(labels), options=QUICK)
    validated = find(report["rows"], basis="validated")
    assert validated["default"]
    assert validated["targets"] == {"plain": 6, "tie": 2, "cited": 1}
    assert validated["target_win"]["value"] == 12 / 14
    assert validated["opposite_win"]["value"] == 2 / 14
    constructed = find(report["rows"], basis="constructed")
    assert not constructed["default"]
    assert (constructed["n"], constructed["target_win"]["value"]) == (20, 1.0)
    assert report["validation"] == {"confirmed": 6, "contradicted": 3, "undecided": 1}


def test_consensus_only_needs_unanimous_annotators() -> None:
    pairs = pairs_frame(4, tier="moderate", target="plain")
    answers = [("plain", "plain", "plain"), ("plain", "plain", "Tie"), ("Tie", "Tie", "Tie"), ("plain",)]
    labels = [
        {"pair_id": pair, "annotator": f"a{number}", "label": label}
        for pair, some in zip(pairs["pair_id"], answers, strict=True)
        for number, label in enumerate(some)
    ]
    found = rows(pairs, (8, 0), judge="j", protocol="p")
    report = frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), labels=pd.DataFrame(labels), options=QUICK)
    assert find(report["rows"], basis="consensus_only")["targets"] == {"plain": 1, "tie": 1}
    assert find(report["rows"], basis="validated")["targets"] == {"plain": 3, "tie": 1}


def test_one_annotators_label_and_third_opinion_are_one_answer_whatever_the_row_order() -> None:
    pairs = pairs_frame(1, tier="preference")
    said = [("ann", "plain", "label"), ("ann", "Tie", "third"), ("bob", "cited", "label")]
    labels = pd.DataFrame([{"pair_id": "p0000", "annotator": a, "label": b, "kind": c} for a, b, c in said])
    for frame in (labels, labels[::-1]):
        found = human_pairs(pairs, frame, None)["p0000"]
        assert found.categories == ("tie", "cited")


def test_a_frozen_split_has_the_last_word_over_labels() -> None:
    pairs = pairs_frame(2, tier="moderate", target="plain")
    labels = pd.DataFrame([{"pair_id": "p0000", "annotator": "ann", "label": "plain"}])
    frozen = pd.DataFrame(
        [
            {"pair_id": "p0000", "target": "tie", "status": "contradicted", "reason": "", "unanimous": False},
            {"pair_id": "p0001", "target": None, "status": "excluded", "reason": "unclear", "unanimous": False},
        ]
    )
    found = rows(pairs, (4, 0), judge="j", protocol="p")
    report = frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), labels=labels, validated=frozen, options=QUICK)
    assert find(report["rows"], basis="validated")["targets"] == {"tie": 1}
    assert report["validation"] == {"contradicted": 1, "excluded": 1}


def test_order_gap_follows_the_role_that_carries_the_artifact() -> None:
    pairs = pairs_frame(10, tier="equivalence", artifact_kind="citation", artifact_role="plain")
    found = rows(pairs, (14, 3), skewed=True, judge="j", protocol="p")  # plain wins 10 of 10 as A, 4 of 10 as B
    report = frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=QUICK)
    row = find(report["rows"])
    assert (row["order_gap_role"], row["order_gap"]["value"]) == ("plain", pytest.approx(1.0 - 0.4))
    other = frontier_report(pairs=pairs.assign(artifact_role="cited"), verdicts=pd.DataFrame(found), options=QUICK)
    assert find(other["rows"])["order_gap"]["value"] == pytest.approx(0.3 - 0.0)


def test_simulated_rows_are_marked() -> None:
    pairs = pairs_frame(2, tier="preference")
    found = rows(pairs, (2, 2), judge="a", protocol="p", source="simulated")
    found += rows(pairs, (2, 2), judge="b", protocol="p", source="live")
    report = frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=QUICK)
    assert find(report["rows"], judge="a")["simulated"]
    assert not find(report["rows"], judge="b")["simulated"]
    assert report["sources"] == {"live": 4, "simulated": 4}


def test_vectors_say_null_for_what_was_not_run() -> None:
    pairs = pairs_frame(4, tier="moderate", target="plain")
    report = frontier_report(
        pairs=pairs, verdicts=pd.DataFrame(rows(pairs, (4, 2), judge="j", protocol="p")), options=QUICK
    )
    (vector,) = report["vectors"]
    assert vector["suppression"] is vector["correctness"] is vector["protocol_cost"] is None
    assert vector["resolution"][0]["target_win"]["value"] == 0.5
    assert vector["tie_cost"][0]["meaning"] == "resolution lost"
    assert vector["order_effects"][0]["order_gap"]["value"] is not None


def test_order_matrix_sets_the_two_orders_against_each_other() -> None:
    pairs = pairs_frame(3, tier="preference")
    cells = [("plain", "A"), ("cited", "A"), ("plain", "Tie"), ("cited", "B"), ("plain", "B"), ("cited", "A")]
    found = [
        {"pair_id": f"p000{place // 2}", "shown_as_a": shown, "winner": winner, "outcome": "decided"}
        | {"judge": "j", "protocol": "p"}
        for place, (shown, winner) in enumerate(cells)
    ]
    report = frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=QUICK)
    (matrix,) = report["order_matrix"]
    assert matrix["counts"]["plain"] == {"plain": 0, "cited": 1, "tie": 0}  # A won twice
    assert matrix["counts"]["tie"]["plain"] == 1
    assert matrix["counts"]["cited"]["cited"] == 1
    row = find(report["rows"])
    assert row["first_pull"]["value"] == row["tie_changes"]["value"] == pytest.approx(1 / 3)
    assert row["second_pull"]["value"] == 0


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_report_is_the_same_bytes_whatever_the_order_of_rows_and_columns(seed: int, shuffle: Any) -> None:
    pairs, verdicts, labels = random_study(seed, n_pairs=9)
    usd = np.random.default_rng(seed).random(len(verdicts)) / 100
    verdicts = verdicts.assign(usd=usd, latency_ms=1000 * usd)

    def shuffled(frame: pd.DataFrame) -> pd.DataFrame:
        order = list(range(len(frame)))
        shuffle.shuffle(order)
        return frame.iloc[order].reset_index(drop=True)

    first = frontier_report(pairs=pairs, verdicts=verdicts, labels=labels, options=QUICK)
    categorical = shuffled(verdicts).astype({"judge": "category", "pair_id": "category", "winner": "category"})
    second = frontier_report(pairs=shuffled(pairs), verdicts=categorical, labels=shuffled(labels), options=QUICK)
    assert as_text(first) == as_text(second)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10_000))
def test_intervals_hold_their_value_and_stay_in_range(seed: int) -> None:
    pairs, verdicts, _ = random_study(seed, n_pairs=12)
    report = frontier_report(pairs=pairs, verdicts=verdicts, options=QUICK)
    for row in report["rows"]:
        signed = [row[name] for name in ("signed_effect", "directional_resolution", "order_gap")]
        for estimate, lowest in [(e, 0) for e in row["rates"].values()] + [(e, -1) for e in signed]:
            if estimate["value"] is not None and estimate["low"] is not None:
                assert lowest <= estimate["low"] <= estimate["value"] <= estimate["high"] <= 1
            if estimate["value"] is None:
                assert estimate["undefined"]


def test_exchanging_the_roles_exchanges_the_metrics() -> None:
    pairs, verdicts, _ = random_study(5)
    other = pairs.rename(columns={"role_1": "role_2", "role_2": "role_1"})
    decided = verdicts[verdicts["shown_as_a"] != ""]  # a combined row's A means another role after the exchange
    one = find(frontier_report(pairs=pairs, verdicts=decided, options=QUICK)["rows"], judge="j1", level="L0")
    two = find(frontier_report(pairs=other, verdicts=decided, options=QUICK)["rows"], judge="j1", level="L0")
    assert one["rates"] == two["rates"]
    assert one["roles"] == two["roles"][::-1]
    assert one["signed_effect"]["value"] == -two["signed_effect"]["value"]
    assert one["target_win"] == two["target_win"]


def test_no_nan_word_and_no_infinity_in_the_written_report() -> None:
    pairs, verdicts, labels = random_study(1)
    text = as_text(frontier_report(pairs=pairs, verdicts=verdicts, labels=labels, options=QUICK))
    assert "NaN" not in text
    assert "Infinity" not in text
    assert json.loads(text)["format_version"] == 1


def test_wilson_rows_are_offered_as_the_papers_convention() -> None:
    pairs = pairs_frame(100, tier="moderate", target="plain")
    found = rows(pairs, (143, 0), judge="j", protocol="p")
    options = ReportOptions(resamples=100, interval="wilson_rows")
    row = find(frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=options)["rows"])
    assert (row["target_win"]["n"], row["target_win"]["unit"]) == (200, "pair x order")
    assert "the paper's convention" in row["target_win"]["method"]
    assert row["target_win"]["low"] == pytest.approx(0.6488, abs=1e-3)
    assert row["signed_effect"]["unit"] == "pair"


@pytest.mark.parametrize(
    ("change", "field", "says"),
    [
        ({"pair_id": "nowhere"}, "pair_id", "no pair"),
        ({"shown_as_a": "third"}, "shown_as_a", "no role"),
        ({"winner": "C"}, "winner", "A, B or Tie"),
        ({"winner": ""}, "winner", "is empty"),
        ({"outcome": "lost"}, "outcome", "Use one of"),
        ({"outcome": "refused"}, "winner", "was not decided"),
        ({"cue_favours": "third"}, "cue_favours", "no role"),
        ({"attacked_role": "third"}, "attacked_role", "no role"),
    ],
)
def test_bad_verdicts_are_refused_naming_row_and_field(change: dict[str, str], field: str, says: str) -> None:
    pairs = pairs_frame(3, tier="preference")
    found = rows(pairs, (3, 2), judge="j", protocol="p")
    found = [row | {"row": place + 2, "cue_favours": "", "attacked_role": ""} for place, row in enumerate(found)]
    found[4] |= change
    with pytest.raises(InputFileError) as caught:
        frontier_report(pairs=pairs, verdicts=pd.DataFrame(found))
    (problem,) = caught.value.problems
    assert (problem.row, problem.field) == (6, field)
    assert says in str(problem)


def test_two_rows_of_one_comparison_are_refused_naming_both() -> None:
    pairs = pairs_frame(3, tier="preference")
    found = rows(pairs, (3, 2), judge="j", protocol="p")
    with pytest.raises(InputFileError, match=r"row 7.*same comparison as row 3"):
        frontier_report(pairs=pairs, verdicts=pd.DataFrame([*found, found[2]]))


def test_scored_rows_without_a_verdict_are_counted_apart() -> None:
    pairs = pairs_frame(2, tier="preference")
    found = rows(pairs, (2, 2), judge="j", protocol="p")
    found[0].update(outcome="scored", winner="")
    report = frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=QUICK)
    assert report["n_scored_without_verdict"] == 1
    assert find(report["rows"])["n"] == 3
