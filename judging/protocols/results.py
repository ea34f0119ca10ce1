"""Reading the replies of one stage into what later stages may see: a record per candidate, scores, or a verdict."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judging.enums import Outcome
from judging.extractor import Extraction, extract
from judging.extractor.records import RecordReading, read_record
from judging.extractor.result import INVALID_VALUE, MISSING_KEY, REFUSED
from judging.protocols.comparison import Reply, ShownPair
from judging.protocols.spans import occurs_in
from judging.protocols.stages import SIDES, Shape, Stage

NO_LOCKED_NOTES = "no_locked_notes"
UNCITED = "cites_no_locked_note"

_NOTE_ID = re.compile(r"\b([AB]\d{1,2})\b")

Scores = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageResult:
    """``outcome`` is None where the stage could be read; else it is the comparison's outcome, for ``reason``."""

    outcome: Outcome | None = None
    reason: str = ""
    record: Mapping[str, Any] = field(default_factory=dict)
    scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    verdict: Extraction | None = None
    repaired: bool = False


def read_stage(
    stage: Stage, replies: Mapping[str, Reply], *, pair: ShownPair, earlier: Mapping[str, StageResult]
) -> StageResult:
    """The stage's result from its replies by side ("" where it asks once). Pure: equal replies, equal result."""
    if stage.shape is Shape.VERDICT:
        return _verdict(stage, replies[""], pair=pair, earlier=earlier)
    if stage.shape is Shape.CLAIMS:
        return _claims(replies[""])
    bodies: dict[str, Mapping[str, Any]] = {}
    repaired = False
    for side, reading in _bodies(stage, replies):
        if reading.outcome:
            return _failed(reading.outcome, reading.reason or "")
        repaired |= reading.repaired
        bodies[side] = reading.fields
    match stage.shape:
        case Shape.NOTES:
            return _notes(stage, bodies, pair=pair, repaired=repaired)
        case Shape.SCORES:
            return _scored(stage, bodies, repaired=repaired)
        case _:
            return _record(stage, bodies, repaired=repaired)


def _bodies(stage: Stage, replies: Mapping[str, Reply]) -> list[tuple[str, RecordReading]]:
    """One reading per candidate, whether the stage asked once for both or once for each."""
    own_keys = [item.name for item in (stage.fields or stage.criteria)]
    if stage.per_candidate:
        return [(side, _read(replies[side], own_keys)) for side in SIDES]
    joint = _read(replies[""], SIDES)
    if joint.outcome:
        return [("A", joint)]
    readings = []
    for side in SIDES:
        body = joint.fields[side.casefold()]
        lowered = {str(k).strip().casefold(): v for k, v in body.items()} if isinstance(body, dict) else {}
        if any(key.casefold() not in lowered for key in own_keys):
            return [(side, RecordReading(outcome="unparsed", reason=MISSING_KEY))]
        readings.append((side, RecordReading(fields=lowered, repaired=joint.repaired)))
    return readings


def _read(reply: Reply, keys: Sequence[str]) -> RecordReading:
    return read_record(reply.text, keys=keys, finish_reason=reply.finish_reason, refused=reply.refused)


def _record(stage: Stage, bodies: Mapping[str, Mapping[str, Any]], *, repaired: bool) -> StageResult:
    record: dict[str, dict[str, Any]] = {}
    for side, body in bodies.items():
        record[side] = {}
        for item in stage.fields:
            value = _texts(body[item.name.casefold()])
            if value is None:
                return _failed("unparsed", INVALID_VALUE)
            record[side][item.name] = value if item.many else "; ".join(value)
    return StageResult(record=record, repaired=repaired)


def _texts(value: Any) -> list[str] | None:
    """A list of statements from a list, one statement, or nothing; None where the value is none of these."""
    if value is None:
        return []
    if isinstance(value, str):
        return [value] if value.strip() else []
    if isinstance(value, bool) or not isinstance(value, list | int | float):
        return None
    if not isinstance(value, list):
        return [str(value)]
    if not all(isinstance(item, str | int | float) and not isinstance(item, bool) for item in value):
        return None
    return [str(item) for item in value if str(item).strip()]


def _notes(stage: Stage, bodies: Mapping[str, Mapping[str, Any]], *, pair: ShownPair, repaired: bool) -> StageResult:
    """Lock what can be locked: a note keeps only spans that occur in the source, and falls without them."""
    source = pair.context or pair.task
    record: dict[str, Any] = {}
    for side, body in bodies.items():
        locked: list[dict[str, Any]] = []
        struck: list[dict[str, Any]] = []
        cited = 0
        for number, criterion in enumerate(stage.criteria, start=1):
            raw = body[criterion.name.casefold()]
            if not isinstance(raw, dict) or not isinstance(raw.get("note"), str):
                return _failed("unparsed", INVALID_VALUE)
            spans = _texts(raw.get("spans"))
            if spans is None:
                return _failed("unparsed", INVALID_VALUE)
            found = [span for span in spans if occurs_in(span, source)]
            cited += len(spans)
            note = {"id": f"{side}{number}", "criterion": criterion.name, "note": raw["note"], "spans": found}
            keeps = bool(found) or (not spans and not criterion.needs_span)
            (locked if keeps else struck).append(note)
            struck += [{"id": note["id"], "span": span} for span in spans if span not in found]
        if not locked:
            return _failed("unparsed", NO_LOCKED_NOTES)
        record[side] = {"notes": locked, "struck": struck, "spans_cited": cited}
    return StageResult(record=record, repaired=repaired)


def _scored(stage: Stage, bodies: Mapping[str, Mapping[str, Any]], *, repaired: bool) -> StageResult:
    scores = read_scores_by_side(stage, bodies)
    if scores is None:
        return _failed("unparsed", INVALID_VALUE)
    return StageResult(record=scores, scores=scores, repaired=repaired)


def read_scores_by_side(stage: Stage, bodies: Mapping[str, Any]) -> Scores | None:
    """{"A": {criterion: n}, "B": ...}, or None where a score is absent, no number, or outside the declared scale."""
    low, high = stage.scale
    scores: Scores = {}
    by_side = {str(side).strip().upper(): body for side, body in bodies.items()}
    for side in SIDES:
        body = by_side.get(side)
        lowered = {str(k).strip().casefold(): v for k, v in body.items()} if isinstance(body, dict) else {}
        scores[side] = {}
        for criterion in stage.criteria:
            value = _number(lowered.get(criterion.name.casefold()))
            if value is None or not low <= value <= high:
                return None
            scores[side][criterion.name] = value
    return scores


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, str) and re.fullmatch(r"\s*\d+(?:\.\d+)?\s*", value):
        return float(value)
    return None


def _claims(reply: Reply) -> StageResult:
    reading = _read(reply, ("claims",))
    if reading.outcome:
        return _failed(reading.outcome, reading.reason or "")
    claims = reading.fields["claims"]
    if not isinstance(claims, list):
        return _failed("unparsed", INVALID_VALUE)
    kept = []
    for claim in claims:
        if not isinstance(claim, dict) or not isinstance(claim.get("supported"), bool):
            return _failed("unparsed", INVALID_VALUE)
        kept.append({"claim": str(claim.get("claim", "")), "supported": claim["supported"]})
    counts = {"claims": float(len(kept)), "unsupported": float(sum(not claim["supported"] for claim in kept))}
    return StageResult(record={"claims": kept}, scores={"reasoning": counts}, repaired=reading.repaired)


def _verdict(stage: Stage, reply: Reply, *, pair: ShownPair, earlier: Mapping[str, StageResult]) -> StageResult:
    verdict = extract(
        reply.text,
        style=stage.style,
        offered=stage.offers,
        finish_reason=reply.finish_reason,
        refused=reply.refused,
        shown=pair.texts,
    )
    if not verdict.decided:
        return StageResult(
            outcome=Outcome.REFUSED if verdict.outcome == REFUSED else Outcome.UNPARSED,
            reason=verdict.reason or "",
            verdict=verdict,
        )
    scores: Mapping[str, Mapping[str, float]] = {}
    lowered = {str(k).strip().casefold(): v for k, v in verdict.fields.items()}
    if stage.criteria:
        body = lowered.get("scores")
        if not isinstance(body, dict):
            return _failed("unparsed", MISSING_KEY)
        read = read_scores_by_side(stage, body)
        if read is None:
            return _failed("unparsed", INVALID_VALUE)
        scores = read
    if stage.cites and not _cites_locked_note(verdict.rationale, earlier[stage.cites]):
        return _failed("unparsed", UNCITED)
    record: dict[str, Any] = {"winner": verdict.outcome, "reason": verdict.rationale}
    for item in stage.fields:
        value = _texts(lowered.get(item.name.casefold()))
        if item.name.casefold() not in lowered:
            return _failed("unparsed", MISSING_KEY)
        record[item.name] = value if item.many else "; ".join(value or [])
    return StageResult(record=record, scores=scores, verdict=verdict, repaired=verdict.repaired)


def _cites_locked_note(rationale: str, notes: StageResult) -> bool:
    """Every note named is locked, and at least one is named."""
    locked = {note["id"] for side in SIDES for note in notes.record[side]["notes"]}
    cited = set(_NOTE_ID.findall(rationale))
    return bool(cited) and cited <= locked


def _failed(outcome: str, reason: str) -> StageResult:
    return StageResult(outcome=Outcome.REFUSED if outcome == REFUSED else Outcome.UNPARSED, reason=reason)
