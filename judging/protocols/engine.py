"""The engine: from a comparison and the replies so far to the next requests, or to what the comparison yielded.

Pure and deterministic. Everything is computed anew from the stored replies each time, so a run that was killed goes
on from them alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judging.enums import Outcome, Phase
from judging.protocols.comparison import Done, Message, PhaseReading, Reply, ReplyKey, Requests, ShownPair, StageRequest
from judging.protocols.leaks import scan
from judging.protocols.rendering import reveal_message, stage_keys, stage_requests, stage_view
from judging.protocols.results import StageResult, read_stage
from judging.protocols.schemas import reply_schema
from judging.protocols.stages import SIDES, Protocol, Shape, Stage

#: The second phase was never asked, because the first gave no verdict to revise.
NOTHING_TO_REVISE = "first_verdict_unreadable"

Replies = Mapping[ReplyKey, Reply]


def advance(protocol: Protocol, pair: ShownPair, replies: Replies) -> Requests | Done:
    """The requests to send next, or one reading per phase when nothing is left to ask.

    ``replies`` holds every stored reply by (phase, stage); plain tuples will do as keys. Replies to requests the
    engine never made are not looked at.
    """
    phases = protocol.phases(pair.probe)
    results: dict[str, StageResult] = {}
    for stage in protocol.stages:
        keys = stage_keys(stage, phase=phases[0])
        if any(key not in replies for key in keys.values()):
            requests = stage_requests(protocol, stage, pair, phase=phases[0], cues=pair.cues, earlier=results)
            return Requests(tuple(request for request in requests if request.key not in replies))
        by_side = {side: replies[key] for side, key in keys.items()}
        results[stage.name] = read_stage(stage, by_side, pair=pair, earlier=results)
        if results[stage.name].outcome is not None:
            break
    first = _reading(protocol, pair, phases[0], results)
    if len(phases) == 1:
        return Done((first,))
    if first.outcome is not Outcome.DECIDED:
        return Done((first, _never_asked(protocol, first)))
    return _reveal(protocol, pair, replies, results=results, first=first)


def _reveal(
    protocol: Protocol,
    pair: ShownPair,
    replies: Replies,
    *,
    results: dict[str, StageResult],
    first: PhaseReading,
) -> Requests | Done:
    """The same conversation, one turn longer: the true labels are told and the last question is asked again."""
    stage = protocol.reveal
    if stage is None:
        raise ValueError(f"{protocol.key} does not declare a reveal")
    key = ReplyKey(Phase.AFTER.value, stage.name)
    if key not in replies:
        return Requests((_reveal_request(protocol, stage, pair, replies, results=results, key=key),))
    answer = read_stage(stage, {"": replies[key]}, pair=pair, earlier=results)
    revised = results | {protocol.last.name: answer}
    return Done((first, _reading(protocol, pair, Phase.AFTER, revised)))


def _reveal_request(
    protocol: Protocol,
    stage: Stage,
    pair: ShownPair,
    replies: Replies,
    *,
    results: Mapping[str, StageResult],
    key: ReplyKey,
) -> StageRequest:
    asked = stage_requests(protocol, protocol.last, pair, phase=Phase.BEFORE, cues=pair.cues, earlier=results)[0]
    answered = Message("assistant", replies[asked.key].text or "")
    return StageRequest(
        key=key,
        messages=(*asked.messages, answered, reveal_message(protocol, pair)),
        view=stage_view(protocol.last, pair, side="", earlier=results),
        schema=reply_schema(stage),
        schema_name=f"{protocol.name}_{stage.name}",
        max_tokens=stage.max_tokens,
    )


def _reading(protocol: Protocol, pair: ShownPair, phase: Phase, results: Mapping[str, StageResult]) -> PhaseReading:
    name, final = list(results.items())[-1]
    records = {stage: dict(result.record) for stage, result in results.items() if result.record}
    masked = [stage for stage in protocol.stages if stage.shape is Shape.RECORD and stage.name in records]
    scanned = protocol.scans_records and bool(masked)
    leaks = tuple(
        leak for stage in masked if scanned for leak in scan(records[stage.name], task=pair.task, texts=pair.texts)
    )
    common: dict[str, Any] = {
        "phase": phase,
        "offered": protocol.offers,
        "record": records,
        "leaks": leaks,
        "scanned": scanned,
        "repaired": any(result.repaired for result in results.values()),
        "scores": next((result.scores for result in reversed(list(results.values())) if result.scores), {}),
    }
    if final.outcome is not None:
        return PhaseReading(outcome=final.outcome, reason=final.reason, stage=name, **common)
    if final.verdict is None:
        return PhaseReading(outcome=Outcome.SCORED, **common)
    stated = final.verdict.outcome
    computed = _computed(protocol, common["scores"])
    by_scores = protocol.verdict_from == "scores"
    return PhaseReading(
        outcome=Outcome.DECIDED,
        shown=computed if by_scores else stated,
        rationale=final.verdict.rationale,
        stated=stated,
        computed=computed,
        mismatch=stated != computed if computed else None,
        **common,
    )


def _computed(protocol: Protocol, scores: Mapping[str, Mapping[str, float]]) -> str:
    """The winner the weighted scores give; scores nearer to each other than the declared band tie."""
    weighing = _weighing_stage(protocol)
    if weighing is None or not all(side in scores for side in SIDES):
        return ""
    weights = {criterion.name: criterion.weight for criterion in weighing.criteria}
    total = sum(weights.values())
    means = [sum(weights[name] * scores[side][name] for name in weights) / total for side in SIDES]
    difference = means[0] - means[1]
    if abs(difference) <= protocol.tie_band + 1e-9:
        return "Tie"
    return "A" if difference > 0 else "B"


def _weighing_stage(protocol: Protocol) -> Stage | None:
    scored = [stage for stage in protocol.stages if stage.criteria and stage.shape is not Shape.NOTES]
    return scored[-1] if scored else None


def _never_asked(protocol: Protocol, first: PhaseReading) -> PhaseReading:
    return PhaseReading(
        phase=Phase.AFTER,
        outcome=Outcome.UNPARSED,
        reason=NOTHING_TO_REVISE,
        stage=first.stage,
        offered=protocol.offers,
    )
