"""Masked and locked stages see neither the original texts nor anything that tells the roles."""

from __future__ import annotations

import json

import pytest

from judging.enums import Probe
from judging.protocols.comparison import Reply, ShownPair, StageRequest
from judging.protocols.composing import compose_reply, walk
from judging.protocols.lock import prompt_files
from judging.protocols.prompts import read_prompt
from judging.protocols.registry import PROTOCOLS
from judging.protocols.stages import Protocol, Shape, Source

TASK, CONTEXT = "TASKMARK what happened?", "SOURCEMARK the source says it did happen on a Monday."
TEXTS = ("TEXTMARK_A it happened", "TEXTMARK_B it did not")
CUES, REVEALED = ("CUEMARK_ONE", "CUEMARK_TWO"), ("CUEMARK_TWO", "CUEMARK_ONE")
SPAN = "it did happen on a Monday"


def judge(request: StageRequest) -> Reply:
    """Writes records in words of its own, as a masking stage should."""
    view = request.view
    sides = (view.side,) if view.side else ("A", "B")
    if view.shape is Shape.RECORD:
        body = {
            side: {field.name: ["own words"] if field.many else "own words" for field in view.fields} for side in sides
        }
    elif view.shape is Shape.NOTES:
        note = {"note": "own words", "spans": [SPAN]}
        body = {side: {criterion.name: note for criterion in view.criteria} for side in sides}
    else:
        return Reply(text=compose_reply(view, winner="A" if view.offers else "", reason="own words"))
    return Reply(text=json.dumps(body[view.side] if view.side else body))


def exchange(protocol: Protocol, probe: Probe) -> list[StageRequest]:
    level, paraphrases = next(iter(protocol.variants.items()))
    pair = ShownPair(
        task=TASK,
        texts=TEXTS,
        context=CONTEXT,
        level=level,
        paraphrase=paraphrases[0],
        probe=probe,
        cues=None if probe is Probe.BLIND else CUES,
        revealed=REVEALED if probe is Probe.REVEAL_AFTER else None,
        audited="AUDITMARK",
    )
    _, sent = walk(protocol, pair, judge)
    return [request for request, _ in sent]


def everything(request: StageRequest) -> str:
    """All that leaves for a provider of any kind."""
    return "\n".join(message.content for message in request.messages) + repr(request.view)


CASES = [
    pytest.param(protocol, probe, id=f"{protocol.name}-{probe.value}")
    for protocol in PROTOCOLS
    for probe in sorted(protocol.probes)
]


@pytest.mark.parametrize(("protocol", "probe"), CASES)
def test_every_stage_sees_exactly_what_it_whitelists(protocol: Protocol, probe: Probe) -> None:
    for request in exchange(protocol, probe):
        if request.phase == "after":
            continue
        stage = protocol.stage(request.stage.partition("/")[0])
        seen = everything(request)
        side = request.view.side
        assert ("TASKMARK" in seen) == (Source.TASK in stage.inputs)
        assert ("SOURCEMARK" in seen) == (Source.CONTEXT in stage.inputs)
        assert ("TEXTMARK_A" in seen) == (stage.sees_candidates and side != "B")
        assert ("TEXTMARK_B" in seen) == (stage.sees_candidates and side != "A")
        assert ("AUDITMARK" in seen) == (Source.AUDITED in stage.inputs)
        assert ("CUEMARK" in seen) == (stage.sees_candidates and probe is not Probe.BLIND)


@pytest.mark.parametrize(("protocol", "probe"), CASES)
def test_views_show_cues_to_no_provider_without_language(protocol: Protocol, probe: Probe) -> None:
    assert all("CUEMARK" not in repr(request.view) for request in exchange(protocol, probe))


@pytest.mark.parametrize(
    "name", ["trace_v1", "trace_v2", "trace_v2_each", "trace_v2_blanked", "trace_v2_no_support_facts"]
)
def test_trace_compares_from_task_and_records_alone(name: str) -> None:
    protocol = next(each for each in PROTOCOLS if each.name == name)
    last = exchange(protocol, Probe.BLIND)[-1]
    seen = everything(last)
    assert protocol.last.inputs == (Source.TASK, "normalise")
    assert "own words" in seen
    assert not any(mark in seen for mark in ("TEXTMARK", "SOURCEMARK"))


def test_pbp_scores_and_ranks_without_texts_and_without_labels_until_the_reveal() -> None:
    protocol = next(each for each in PROTOCOLS if each.name == "pbp")
    notes, score, rank, reveal = exchange(protocol, Probe.REVEAL_AFTER)
    assert "CUEMARK_ONE" in everything(notes)
    for locked in (score, rank):
        assert not any(mark in everything(locked) for mark in ("TEXTMARK", "SOURCEMARK", "TASKMARK", "CUEMARK"))
    assert "CUEMARK_ONE" in reveal.messages[-1].content
    assert "TEXTMARK" not in everything(reveal)


def test_blanked_stage_is_shown_the_final_answers_and_nothing_else_of_the_records() -> None:
    protocol = next(each for each in PROTOCOLS if each.name == "trace_v2_blanked")
    last = exchange(protocol, Probe.BLIND)[-1].messages[-1].content
    assert last.count("own words") == 2
    assert last.count("(withheld)") == 10


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.key)
def test_no_prompt_names_a_role_or_a_tier(protocol: Protocol) -> None:
    words = "\n".join(read_prompt(name) for name in prompt_files(protocol)).casefold()
    assert not any(word in words for word in ("plain", "extractive", "llm", "tier", "conflict", "moderate"))
