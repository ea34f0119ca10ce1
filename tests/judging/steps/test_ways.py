"""The short text that names ways of asking."""

from __future__ import annotations

import pytest

from annotation.errors import Refused
from judging.steps.ways import Way, each_role, parse_ways


def levels(text: str) -> list[tuple[str, str]]:
    return [(way.level, way.paraphrase) for way in parse_ways(text)]


def test_range_of_levels_takes_each_levels_first_paraphrase() -> None:
    assert levels("ladder:L1-L3") == [("L1", "p1"), ("L2", "p1"), ("L3", "p1")]


def test_level_whose_name_holds_a_hyphen_is_no_range() -> None:
    assert levels("ladder:L4-like,L0") == [("L4-like", "boundary"), ("L0", "p1")]


def test_paraphrases_are_listed_or_all() -> None:
    assert levels("ladder:L0:p2,p3") == [("L0", "p2"), ("L0", "p3")]
    assert len(levels("ladder:all:all")) == 16


def test_hyphens_in_a_name_stand_for_underscores() -> None:
    assert parse_ways("trace-v2") == [Way(protocol="trace_v2")]


def test_probes_and_attacks_multiply() -> None:
    ways = parse_ways("scot;probe=blind,truth,flip")
    assert [way.probe for way in ways] == ["blind", "truth", "flip"]
    attacked = parse_ways("scot;attack=verbosity@llm,confidence")
    assert [(way.attack, way.attacked_role) for way in attacked] == [("verbosity", "llm"), ("confidence", "")]


def test_attack_on_no_named_role_is_made_on_each() -> None:
    ways = each_role(parse_ways("scot;attack=verbosity"), ("llm", "extractive"))
    assert [way.attacked_role for way in ways] == ["llm", "extractive"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nothing", "no protocol 'nothing'"),
        ("ladder:L3-L1", "no levels 'L3-L1'"),
        ("ladder:L0;attack=loud", "no attack 'loud'"),
        ("ladder:L0;mood=calm", "no setting of a protocol"),
        ("ladder:L0;seed=x", "no whole number"),
    ],
)
def test_text_that_names_no_way_is_refused(text: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        parse_ways(text)
