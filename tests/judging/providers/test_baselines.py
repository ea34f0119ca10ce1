"""Baselines: rules that decide from a stage's displayed texts alone."""

from __future__ import annotations

import json

import pytest

from judging.protocols.comparison import Reply, ReplyKey, ShownPair, StageRequest
from judging.protocols.composing import walk
from judging.protocols.registry import get_protocol
from judging.providers.baselines import RULES, Baseline
from tests.judging.material import verdict_view

SHORT, LONG = "Vienna.", "It is Vienna, the capital of Austria, on the Danube."


def says(rule: str, a: str, b: str, *, seed: int = 0, offers: tuple[str, ...] = ("A", "B", "Tie")) -> str:
    view = verdict_view(a, b, offers=offers)
    request = StageRequest(
        key=ReplyKey("only", "judge"), messages=(), view=view, schema={}, schema_name="", max_tokens=10
    )
    return str(json.loads(Baseline(RULES[rule], seed=seed).answer(request).text or "")["winner"])


@pytest.mark.parametrize(
    ("rule", "a", "b", "winner"),
    [
        ("always_tie", SHORT, LONG, "Tie"),
        ("first", SHORT, LONG, "A"),
        ("second", SHORT, LONG, "B"),
        ("longer", SHORT, LONG, "B"),
        ("longer", LONG, SHORT, "A"),
        ("longer", SHORT, "Munich.", "Tie"),
        ("shorter", SHORT, LONG, "A"),
        ("more_citations", "Yes [1][2].", "Yes [1].", "A"),
        ("more_citations", "Yes.", "Yes (Source: Atlas).", "B"),
        ("more_citations", "Yes [1, 2].", "No [3].", "Tie"),
        ("overlap", "Vienna lies on the Danube.", "On the Danube lies Vienna.", "Tie"),
        ("overlap", "Vienna.", "Budapest, Belgrade and Bratislava follow downstream.", "B"),
        ("overlap", "", "", "Tie"),
    ],
)
def test_rule_decides(rule: str, a: str, b: str, winner: str) -> None:
    assert says(rule, a, b) == winner


@pytest.mark.parametrize("rule", sorted(RULES))
def test_rule_answers_the_same_way_every_time(rule: str) -> None:
    assert len({says(rule, SHORT, LONG, seed=3) for _ in range(5)}) == 1


@pytest.mark.parametrize("rule", [name for name, rule in RULES.items() if not rule.may_tie])
def test_rule_that_may_not_tie_never_leaves_a_forced_choice(rule: str) -> None:
    assert {says(rule, SHORT, f"{LONG} {n}", seed=n, offers=("A", "B")) for n in range(40)} <= {"A", "B"}


def test_random_follows_its_seed_and_uses_every_label() -> None:
    drawn = [says("random", f"a{n}", f"b{n}", seed=1) for n in range(90)]
    assert {label: drawn.count(label) > 15 for label in ("A", "B", "Tie")} == dict.fromkeys(("A", "B", "Tie"), True)
    assert drawn != [says("random", f"a{n}", f"b{n}", seed=2) for n in range(90)]


@pytest.mark.parametrize(
    ("rule", "winner"), [("longer", "B"), ("shorter", "A"), ("more_citations", "B"), ("first", "A")]
)
def test_second_stage_decides_from_the_texts_the_record_copied(rule: str, winner: str) -> None:
    pair = ShownPair(task="Which city?", texts=(SHORT, f"{LONG} [1]"))
    baseline = Baseline(RULES[rule])
    done, transcript = walk(get_protocol("trace_v2"), pair, lambda request: Reply(text=baseline.answer(request).text))
    assert len(transcript) == 2
    assert done.readings[0].shown == winner


def test_scores_agree_with_the_winner_where_a_protocol_wants_both() -> None:
    pair = ShownPair(task="Which city?", texts=(LONG, SHORT))
    baseline = Baseline(RULES["longer"])
    done, _ = walk(get_protocol("scot"), pair, lambda request: Reply(text=baseline.answer(request).text))
    assert (done.readings[0].shown, done.readings[0].mismatch) == ("A", False)
