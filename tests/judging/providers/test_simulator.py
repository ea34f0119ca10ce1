"""The simulator: a made-up judge whose table has order effects, refusals and lapses."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from annotation.enums import Tier
from judging.protocols.comparison import PhaseReading, Reply, ShownPair
from judging.protocols.composing import walk
from judging.protocols.registry import PROTOCOLS, get_protocol
from judging.protocols.stages import Protocol
from judging.providers.base import Sight
from judging.providers.simulator import Simulator, read_table

SIGHT = Sight(
    pair_id="p1", tier="moderate", roles=("plain", "cited"), shown_as_a="plain", protocol="ladder", level="L0",
    paraphrase="p1", probe="blind", attack="", attacked_role="", cue_favours="", repeat=0, wave="",
)  # fmt: skip


def judged(sight: Sight, *, simulator: Simulator | None = None) -> PhaseReading:
    protocol = get_protocol(sight.protocol)
    pair = ShownPair(task="t", texts=("one", "two"), level=sight.level, paraphrase=sight.paraphrase)
    simulator = simulator or Simulator()
    return walk(protocol, pair, lambda request: Reply(text=simulator.answer(request, sight).text))[0].readings[0]


def share(label: str, sight: Sight, *, n: int = 600) -> float:
    return Counter(judged(replace(sight, pair_id=f"p{k}")).shown for k in range(n))[label] / n


def test_answers_are_reproducible_and_follow_the_seed() -> None:
    sights = [replace(SIGHT, pair_id=f"p{n}", tier="soft") for n in range(60)]
    first = [judged(each).shown for each in sights]
    assert first == [judged(each).shown for each in sights]
    assert first != [judged(each, simulator=Simulator(seed=1)).shown for each in sights]


def test_level_changes_what_the_table_says() -> None:
    strict = replace(SIGHT, level="L4")
    assert share("A", SIGHT) > 0.9
    assert share("Tie", strict) > 0.75


def test_order_effect_pulls_towards_what_is_shown_first() -> None:
    soft = replace(SIGHT, tier="equivalence")
    assert share("A", soft) - share("B", replace(soft, shown_as_a="cited")) > 0.02


def test_two_orders_of_a_pair_mostly_agree() -> None:
    agreeing = 0
    for n in range(300):
        one = judged(replace(SIGHT, pair_id=f"p{n}", tier="soft", level="L1"))
        other = judged(replace(SIGHT, pair_id=f"p{n}", tier="soft", level="L1", shown_as_a="cited"))
        agreeing += one.shown == {"A": "B", "B": "A"}.get(other.shown, other.shown)
    assert agreeing > 240


def test_refusals_and_lapses_occur_and_are_read_as_such() -> None:
    outcomes = Counter(str(judged(replace(SIGHT, pair_id=f"p{n}")).outcome) for n in range(1500))
    assert 1 <= outcomes["refused"] <= 30
    assert 3 <= outcomes["unparsed"] <= 45


def test_identical_texts_tie() -> None:
    assert share("Tie", replace(SIGHT, tier="identical"), n=100) > 0.9


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)
def test_every_protocol_is_answered_in_its_own_form(protocol: Protocol) -> None:
    level, paraphrases = next(iter(protocol.variants.items()))
    sight = replace(SIGHT, protocol=protocol.name, level=level, paraphrase=paraphrases[0])
    pair = ShownPair(
        task="t",
        texts=("one", "two"),
        level=level,
        paraphrase=paraphrases[0],
        context="The source says so at some length.",
        audited="because",
    )
    simulator = Simulator(profile="steady", seed=5)
    done, _ = walk(protocol, pair, lambda request: Reply(text=simulator.answer(request, sight).text))
    assert {str(reading.outcome) for reading in done.readings} <= {"decided", "scored"}


def test_table_is_complete_and_sums_to_a_hundred() -> None:
    for profile in read_table().values():
        assert set(profile["rates"]) == set(Tier.values())
        for rates in profile["rates"].values():
            assert "other" in rates
            assert {sum(row) for row in rates.values()} == {100}


def test_it_answers_nobody_who_does_not_tell_the_comparison() -> None:
    with pytest.raises(ValueError, match="told the comparison"):
        walk(
            get_protocol("ladder"),
            ShownPair(task="t", texts=("a", "b"), level="L0", paraphrase="p1"),
            lambda request: Reply(text=Simulator().answer(request, None).text),
        )
