"""The anchoring rows of a report, from verdict rows rebuilt from CUE's tables and from small made studies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.frontier.options import ReportOptions
from analysis.frontier.report import frontier_report
from analysis.stats.anchoring import Lexicon, Outcomes, label_shift
from tests.analysis.rebuild import figures

CUE = figures("cue_counts.json")
QUICK = ReportOptions(resamples=100)
TABLES = {"blind": "II_blind", "truth": "III_truth", "flip": "IV_flip", "placebo": "V_placebo"}


def llm_pairs(n: int, **columns: Any) -> pd.DataFrame:
    frame = {"pair_id": [f"d{number:04}" for number in range(n)], "role_1": "llm", "role_2": "extractive"}
    return pd.DataFrame(frame | {"tier": "identical"} | columns)


def verdicts(pairs: pd.DataFrame, outcomes: Sequence[str], **columns: Any) -> list[dict[str, Any]]:
    """One row a pair, llm shown as A: "A" is [1,2]."""
    return [
        {"pair_id": pair, "shown_as_a": "llm", "outcome": "decided", "winner": winner, "judge": "j"} | columns
        for pair, winner in zip(pairs["pair_id"], outcomes, strict=False)
    ]


def anchoring(pairs: pd.DataFrame, found: list[dict[str, Any]], **options: Any) -> dict[str, dict[str, Any]]:
    report = frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=ReportOptions(resamples=100, **options))
    return {row["attack"] or row["probe"]: row for row in report["anchoring"]}


@pytest.mark.parametrize("scheme", ["Baseline", "SCoT", "PBP"])
@pytest.mark.parametrize("judge", ["Gemma-2-9B", "Qwen2.5-7B"])
def test_rows_rebuilt_from_tables_ii_to_v_give_their_shifts(judge: str, scheme: str) -> None:
    pairs = llm_pairs(1000)
    counts = {}
    found = []
    for probe, table in TABLES.items():
        (row,) = [row for row in CUE[table] if (row["judge"], row["scheme"]) == (judge, scheme)]
        counts[probe] = Outcomes(row["first"], row["second"], row["tie"])
        winners = ["A"] * row["first"] + ["B"] * row["second"] + ["Tie"] * row["tie"]
        found += verdicts(
            pairs, winners, protocol=scheme, probe=probe, offered="A,B" if scheme == "Baseline" else "A,B,Tie",
            cue_favours="llm" if probe == "placebo" else "",
        )  # fmt: skip
    rows = anchoring(pairs, found)
    for probe in ("truth", "flip", "placebo"):
        one, two = counts["blind"], counts[probe]
        if probe == "flip":
            one, two = one.swapped(), two.swapped()
        expected = label_shift(one, two)
        for name in ("lds", "ols", "ts", "lao"):
            assert rows[probe][name] == pytest.approx(getattr(expected, name), abs=1e-12)
            estimate = rows[probe]["estimates"][name]
            assert estimate["low"] <= estimate["value"] <= estimate["high"]
        assert rows[probe]["n"] == 1000
    if scheme == "Baseline":
        assert rows["blind"]["edr"]["undefined"] == "tie not offered"
    else:
        assert rows["blind"]["edr"] == counts["blind"].tie / 1000
    assert rows["truth"]["nd"] == pytest.approx(abs(counts["blind"].first - counts["blind"].second) / 1000)


def test_edr_looks_only_at_pairs_whose_target_is_a_tie() -> None:
    pairs = llm_pairs(4, tier="", target=["tie", "tie", "llm", ""])
    found = verdicts(pairs, ["Tie", "A", "Tie", "Tie"], protocol="p")
    found += verdicts(pairs, ["A"] * 4, protocol="p", probe="truth")
    assert anchoring(pairs, found)["truth"]["edr"] == 0.5


def test_placebo_follows_the_badge_pair_by_pair_and_compares_with_blind_of_the_same_pairs() -> None:
    pairs = llm_pairs(4)
    found = verdicts(pairs, ["A", "B", "A", "B"], protocol="p", probe="blind")
    badge = ["llm", "llm", "extractive", "extractive"]
    probe = verdicts(pairs, ["A", "A", "B", "Tie"], protocol="p", probe="placebo")
    found += [row | {"cue_favours": side} for row, side in zip(probe, badge, strict=True)]
    row = anchoring(pairs, found)["placebo"]
    # favoured wins: 2 of 4 under Blind, 3 of 4 under the badge; opposite 2 -> 0; ties 0 -> 1
    assert (row["lds"], row["ols"], row["ts"]) == (0.25, 0.0, 0.25)


def test_placebo_without_its_side_is_undefined() -> None:
    pairs = llm_pairs(2)
    found = verdicts(pairs, ["A", "B"], protocol="p") + verdicts(pairs, ["A", "A"], protocol="p", probe="placebo")
    row = anchoring(pairs, found)["placebo"]
    assert row["lds"]["undefined"] == "the rows do not say which role the cue favours"


def test_attack_compares_with_the_clean_text_and_favours_the_attacked_role() -> None:
    pairs = llm_pairs(4)
    found = verdicts(pairs, ["A", "B", "Tie", "Tie"], protocol="p")
    for role, winners in (("llm", ["A", "A", "A", "Tie"]), ("extractive", ["B", "B", "Tie", "Tie"])):
        found += verdicts(pairs, winners, protocol="p", attack="verbosity", attacked_role=role)
    row = anchoring(pairs, found)["verbosity"]
    # attacked side: blind (1 + 1) of 8, attacked (3 + 2) of 8
    assert row["lds"] == pytest.approx(5 / 8 - 2 / 8)
    assert row["ols"] == 0.0
    assert row["n"] == 8


def test_no_movement_prints_0_and_is_flagged() -> None:
    pairs = llm_pairs(3)
    found = verdicts(pairs, ["A", "B", "Tie"], protocol="p") + verdicts(
        pairs, ["A", "B", "Tie"], protocol="p", probe="truth"
    )
    row = anchoring(pairs, found)["truth"]
    assert (row["lao"], row["moved"], row["epsilon"]) == (0.0, False, 1e-9)


def test_flip_after_reveal_compares_the_two_phases() -> None:
    pairs = llm_pairs(4)
    found = verdicts(pairs, ["A", "B", "Tie", "A"], protocol="p", probe="Reveal-After", phase="before")
    found += verdicts(pairs, ["A", "A", "B", "A"], protocol="p", probe="Reveal-After", phase="after")
    row = anchoring(pairs, found)["reveal_after"]
    assert (row["flip_after_reveal"], row["n"], row["phase"]) == (0.5, 4, "after")
    assert row["edr"]["undefined"] == "no Blind rows of the same judge and protocol"


def test_reveal_without_a_before_is_compared_with_flip() -> None:
    pairs = llm_pairs(4)
    found = verdicts(pairs, ["A", "B", "Tie", "A"], protocol="p", probe="flip")
    found += verdicts(pairs, ["B", "B", "Tie", "A"], protocol="p", probe="reveal_after", phase="after")
    assert anchoring(pairs, found)["reveal_after"]["flip_after_reveal"] == 0.25


def test_a_probe_without_blind_rows_says_so() -> None:
    pairs = llm_pairs(2)
    row = anchoring(pairs, verdicts(pairs, ["A", "B"], protocol="p", probe="truth"))["truth"]
    assert row["lds"]["undefined"] == "no Blind rows of the same judge and protocol"


def test_judges_asked_only_plainly_have_no_anchoring_row() -> None:
    pairs = llm_pairs(2)
    assert anchoring(pairs, verdicts(pairs, ["A", "B"], protocol="p")) == {}


class Letters:
    name = "letters"

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([[text.count(letter) for letter in "abc"] for text in texts], dtype=float)


def test_explanations_are_scored_on_same_decision_rows_with_the_scorer_named() -> None:
    pairs = llm_pairs(3)
    cue = '{"extractive": "b", "llm": "a"}'
    found = verdicts(pairs, ["A", "B", "Tie"], protocol="p", rationale="a")
    probe = verdicts(pairs, ["A", "B", "A"], protocol="p", probe="truth", cue=cue)
    found += [row | {"rationale": text} for row, text in zip(probe, ["aa", "b", "c"], strict=True)]
    row = anchoring(pairs, found, embedder=Letters(), lexicon=Lexicon("l", "1", ("aa",)))["truth"]
    assert row["n_same_decision"] == 2
    assert (row["drift"], row["drift_over_tau"]) == (pytest.approx(0.25), 0.5)
    assert row["lai"] == 0.5
    assert (row["scorer"], row["tau"]) == ("letters", 0.2)
    assert row["stereotype_intrusion"] == pytest.approx(1 / 3)


def test_explanations_without_a_scorer_are_undefined_not_zero() -> None:
    pairs = llm_pairs(2)
    found = verdicts(pairs, ["A", "B"], protocol="p") + verdicts(pairs, ["A", "B"], protocol="p", probe="truth")
    row = anchoring(pairs, found)["truth"]
    assert row["drift"]["undefined"] == "no scorer for explanations was given"
    assert row["scorer"] is None
