"""From a stage and what it may see to the messages of a request. What is not whitelisted has no way in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from judging.protocols.comparison import Message, ReplyKey, ShownPair, StageRequest, StageView
from judging.protocols.prompts import block, disarm, fill, read_prompt
from judging.protocols.results import StageResult
from judging.protocols.schemas import criteria_lines, field_lines, offer_words, reply_schema
from judging.protocols.stages import SIDES, Protocol, Shape, Source, Stage

#: What any prompt of a stage may name without declaring it as an input: its own declaration, spelled out.
DECLARED = ("instruction", "offers", "criteria", "fields", "low", "high")
CUE_PROMPT = "shared/cue.txt"

#: Stands in a record for the content of a field that an ablation withholds.
BLANK = "(withheld)"

Cues = tuple[str, str] | None


def stage_requests(
    protocol: Protocol, stage: Stage, pair: ShownPair, *, phase: str, cues: Cues, earlier: Mapping[str, StageResult]
) -> tuple[StageRequest, ...]:
    """The stage's request, or its two where it asks once for each candidate."""
    return tuple(
        StageRequest(
            key=key,
            messages=_messages(protocol, stage, pair, side=side, cues=cues, earlier=earlier),
            view=stage_view(stage, pair, side=side, earlier=earlier),
            schema=reply_schema(stage),
            schema_name=f"{protocol.name}_{stage.name}",
            max_tokens=stage.max_tokens,
        )
        for side, key in stage_keys(stage, phase=phase).items()
    )


def stage_keys(stage: Stage, *, phase: str) -> dict[str, ReplyKey]:
    """Where the stage's replies are found, by side ("" where it asks once)."""
    sides = SIDES if stage.per_candidate else ("",)
    return {side: ReplyKey(str(phase), f"{stage.name}/{side}" if side else stage.name) for side in sides}


def reveal_message(protocol: Protocol, pair: ShownPair) -> Message:
    """The turn that tells the true labels and asks for the verdict again."""
    if protocol.reveal is None or pair.revealed is None:
        raise ValueError(f"{protocol.key} has nothing to reveal")
    values = declared_values(protocol, protocol.reveal, pair)
    values["revealed"] = "\n".join(_cue_line(side, pair.revealed) for side in SIDES)
    return Message("user", fill(read_prompt(protocol.reveal.user), values))


def stage_view(stage: Stage, pair: ShownPair, *, side: str, earlier: Mapping[str, StageResult]) -> StageView:
    """What a provider without language may see: the stage's own displayed texts, never more than the prompt shows."""
    sides = (side,) if side else SIDES
    if stage.sees_candidates:
        texts = tuple(pair.texts[SIDES.index(one)] for one in sides)
    elif stage.earlier:
        texts = tuple("\n".join(_record_text(stage, earlier[name], one) for name in stage.earlier) for one in sides)
    else:
        texts = (pair.audited,)
    cite = _locked_ids(earlier[stage.cites]) if stage.cites else ()
    shows_source = Source.CONTEXT in stage.inputs and stage.shape is Shape.NOTES
    return StageView(
        stage=stage.name,
        side=side,
        texts=texts,
        shape=stage.shape,
        style=stage.style,
        offers=stage.offers,
        fields=stage.fields,
        criteria=stage.criteria,
        scale=stage.scale,
        cite=cite,
        source=(pair.context or pair.task) if shows_source else "",
    )


def declared_values(protocol: Protocol, stage: Stage, pair: ShownPair) -> dict[str, str]:
    """Values for the names in ``DECLARED``."""
    instruction = ""
    if pair.level or pair.paraphrase:
        instruction = read_prompt(variant_prompt(protocol, pair.level, pair.paraphrase))
    return {
        "instruction": instruction,
        "offers": offer_words(stage),
        "criteria": criteria_lines(stage),
        "fields": field_lines(stage),
        "low": str(stage.scale[0]),
        "high": str(stage.scale[1]),
    }


def variant_prompt(protocol: Protocol, level: str, paraphrase: str) -> str:
    """The prompt file of one level and paraphrase."""
    return f"{protocol.prompts}/{level}.{paraphrase}.txt"


def _messages(
    protocol: Protocol,
    stage: Stage,
    pair: ShownPair,
    *,
    side: str,
    cues: Cues,
    earlier: Mapping[str, StageResult],
) -> tuple[Message, ...]:
    declared = declared_values(protocol, stage, pair)
    values = declared | {
        name: _input(stage, name, pair, side=side, cues=cues, earlier=earlier) for name in stage.inputs
    }
    return (
        Message("system", fill(read_prompt(stage.system), declared)),
        Message("user", fill(read_prompt(stage.user), values)),
    )


def _input(
    stage: Stage, name: str, pair: ShownPair, *, side: str, cues: Cues, earlier: Mapping[str, StageResult]
) -> str:
    match name:
        case Source.TASK:
            return block("task_text", pair.task)
        case Source.CONTEXT:
            return block("source_text", pair.context) if pair.context else ""
        case Source.CANDIDATES:
            return "\n\n".join(_candidate(one, f"candidate_{one.lower()}", pair, cues) for one in SIDES)
        case Source.CANDIDATE:
            return _candidate(side, "candidate_text", pair, cues)
        case Source.AUDITED:
            return block("judge_reasoning", pair.audited)
    return "\n\n".join(block(f"record_{one.lower()}", _record_text(stage, earlier[name], one)) for one in SIDES)


def _candidate(side: str, name: str, pair: ShownPair, cues: Cues) -> str:
    shown = block(name, pair.texts[SIDES.index(side)])
    return f"{_cue_line(side, cues)}\n{shown}" if cues else shown


def _cue_line(side: str, cues: tuple[str, str]) -> str:
    label = " ".join(disarm(cues[SIDES.index(side)]).split())
    return fill(read_prompt(CUE_PROMPT), {"side": side, "label": label})


def _record_text(stage: Stage, result: StageResult, side: str) -> str:
    """The part of an earlier record that this stage displays for one candidate, as indented JSON."""
    body: Any = result.record[side]
    if "notes" in body:
        body = body["notes"]
    elif stage.blanked:
        body = {name: BLANK if name in stage.blanked else value for name, value in body.items()}
    return json.dumps(body, ensure_ascii=False, indent=1)


def _locked_ids(notes: StageResult) -> tuple[str, ...]:
    return tuple(note["id"] for side in SIDES for note in notes.record[side]["notes"])
