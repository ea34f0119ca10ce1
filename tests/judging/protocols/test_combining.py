"""What a protocol is not defined for is refused while planning, with what to do instead."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.errors import Refused
from judging.protocols.combining import check_combination
from judging.protocols.registry import PROTOCOLS, get_protocol


@pytest.mark.parametrize(
    ("name", "combination"),
    [
        ("ladder", {"level": "L3", "paraphrase": "p2"}),
        ("ladder", {"level": "L4-like", "paraphrase": "boundary"}),
        ("ladder", {"level": "L0", "paraphrase": "p1", "attack": "verbosity", "attacked_role": "cited"}),
        ("scot", {"probe": "reveal_after"}),
        ("pbp", {"probe": "placebo"}),
        ("cue_baseline", {"probe": ""}),
        ("trace_v2", {"attack": "confidence", "attacked_role": "plain"}),
        ("likert", {"judge_may_tie": True}),
        ("standard", {"judge_may_tie": True}),
        ("unsupported_claims", {"has_audited": True}),
    ],
)
def test_defined_combinations_pass(name: str, combination: dict[str, Any]) -> None:
    check_combination(get_protocol(name), **combination)


@pytest.mark.parametrize(
    ("name", "combination", "message"),
    [
        ("ladder", {}, "no default level; choose one of: L0, L1, L2, L3, L4, L4-like"),
        ("ladder", {"level": "L5", "paraphrase": "p1"}, "no level 'L5'"),
        ("ladder", {"level": "L1", "paraphrase": "p4"}, "no paraphrase 'p4'; choose one of: p1, p2, p3"),
        ("ladder", {"level": "L4", "paraphrase": "boundary"}, "no paraphrase 'boundary'"),
        ("trace_v2", {"level": "L1"}, "has no levels"),
        ("trace_v2", {"paraphrase": "p1"}, "has no paraphrases"),
        ("trace_v2", {"probe": "truth"}, "not defined under the probe truth; it is under: blind"),
        ("likert", {"probe": "reveal_after"}, "not defined under the probe reveal_after"),
        ("scot", {"probe": "masked"}, "There is no probe 'masked'"),
        ("scot", {"attack": "length", "attacked_role": "a"}, "There is no attack 'length'"),
        ("scot", {"attack": "verbosity"}, "An attack names the role"),
        ("scot", {"attacked_role": "llm"}, "An attack names the role"),
        ("scot", {"probe": "truth", "attack": "verbosity", "attacked_role": "llm"}, "clean Blind text"),
        ("cue_baseline", {"judge_may_tie": True}, "forced choice, and this judge may say Tie"),
        ("unsupported_claims", {}, "name the run whose verdicts to check"),
        ("unsupported_claims", {"has_audited": True, "attack": "verbosity", "attacked_role": "a"}, "not defined under"),
    ],
)
def test_undefined_combinations_are_refused_with_a_reason(name: str, combination: dict[str, Any], message: str) -> None:
    with pytest.raises(Refused, match=message):
        check_combination(get_protocol(name), **combination)


def test_only_forced_choice_withholds_the_tie() -> None:
    assert [protocol.name for protocol in PROTOCOLS if protocol.pairwise and not protocol.offers_tie] == [
        "cue_baseline"
    ]


def test_a_protocol_with_a_reveal_is_defined_under_every_probe_and_no_other_is() -> None:
    for protocol in PROTOCOLS:
        assert (protocol.reveal is not None) == ("reveal_after" in protocol.probes)
