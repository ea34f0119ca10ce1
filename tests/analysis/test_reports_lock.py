"""LOCK's reported contrasts between structured judging and the evidence lock, from rows that have them.

The review record of arXiv:2608.05353 gives contrasts and mean completion tokens, no rates: the levels assumed here are
free, the differences and ratios are the record's.
"""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.frontier.options import ReportOptions
from analysis.frontier.report import frontier_report
from tests.analysis.rebuild import ROLES, Rows, find, pairs_frame

N = 1000
TOKENS = {"standard": 1279, "structured": 1864, "evidence_lock": 4183, "pointwise_lock": 6825}
#: Pairs of 1,000 whose orders disagree, and pairs whose answer is the annotators': Claude 9.5 and -4.3 points apart.
INCONSISTENT = {"standard": 180, "structured": 200, "evidence_lock": 295, "pointwise_lock": 310}
AGREEING = {"standard": 700, "structured": 690, "evidence_lock": 647, "pointwise_lock": 640}


def judged(pairs: pd.DataFrame, protocol: str) -> Rows:
    """Agreeing pairs first (the first role in both orders), inconsistent ones last (A in both), the rest the second."""
    found: Rows = []
    for place, pair in enumerate(pairs["pair_id"]):
        for shown in ROLES:
            role = shown if place >= N - INCONSISTENT[protocol] else ROLES[place >= AGREEING[protocol]]
            winner = "A" if role == shown else "B"
            found.append(
                {"pair_id": pair, "shown_as_a": shown, "outcome": "decided", "winner": winner, "judge": "Claude"}
                | {"protocol": protocol, "n_calls": 1, "completion_tokens": TOKENS[protocol]}
            )
    return found


def test_lock_contrasts_and_token_ratios_come_back() -> None:
    pairs = pairs_frame(N, tier="preference", split="helpsteer3")
    found = [row for protocol in TOKENS for row in judged(pairs, protocol)]
    labels = pd.DataFrame([{"pair_id": pair, "annotator": "ann", "label": "plain"} for pair in pairs["pair_id"]])
    report = frontier_report(
        pairs=pairs, verdicts=pd.DataFrame(found), labels=labels, options=ReportOptions(resamples=100)
    )
    lock, structured = (find(report["rows"], protocol=name) for name in ("evidence_lock", "structured"))
    change = lock["order_inconsistency"]["value"] - structured["order_inconsistency"]["value"]
    assert change == pytest.approx(0.095)
    assert lock["first_pull"]["value"] == lock["order_inconsistency"]["value"]
    exact = {row["protocol"]: row["value"] for row in report["agreement_with_humans"] if row["convention"] == "exact"}
    assert exact["evidence_lock"] - exact["structured"] == pytest.approx(-0.043)
    for name, tokens in TOKENS.items():
        row = find(report["rows"], protocol=name)
        assert row["tokens_per_comparison"] == tokens
        assert row["token_ratio"] == pytest.approx(tokens / TOKENS["evidence_lock"])
