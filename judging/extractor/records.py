"""Reading the object of a stage that writes a record instead of a verdict, by the same conservative rules."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from judging.extractor.extract import answer_text, stopped_reading
from judging.extractor.lenient_json import BrokenObject, decode_whole_string, find_objects
from judging.extractor.refusals import is_refusal
from judging.extractor.result import (
    CONFLICTING,
    EMPTY,
    MALFORMED,
    MISSING_KEY,
    REFUSAL,
    REFUSED,
    TRUNCATED,
    UNPARSED,
)

NO_RECORD = "no_record"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordReading:
    """One object with lower-cased keys, or ``outcome`` refused / unparsed with the ``reason``."""

    fields: Mapping[str, Any] = field(default_factory=dict)
    outcome: str = ""
    reason: str | None = None
    repaired: bool = False


def read_record(
    text: str | None, *, keys: Collection[str], finish_reason: str | None = None, refused: bool = False
) -> RecordReading:
    """The one outermost object that has all of ``keys`` (cased as they may be; an object may lie in a list).

    Two such objects that differ, and an object that cannot be read to its end, leave the reply unparsed.
    """
    stopped = stopped_reading(text, finish_reason=finish_reason, refused=refused)
    if stopped is not None:
        return RecordReading(outcome=stopped[0], reason=stopped[1])
    answer = answer_text(text or "", objects=True)
    if not answer:
        return RecordReading(outcome=UNPARSED, reason=TRUNCATED if answer is None else EMPTY)
    wanted = {key.casefold() for key in keys}
    objects, broken, repaired = _objects(answer)
    complete = [fields for fields in objects if wanted <= fields.keys()]
    if not complete:
        if not objects and is_refusal(answer):
            return RecordReading(outcome=REFUSED, reason=REFUSAL)
        reason = MALFORMED if broken else MISSING_KEY if objects else NO_RECORD
        return RecordReading(outcome=UNPARSED, reason=reason)
    if broken:
        return RecordReading(outcome=UNPARSED, reason=MALFORMED)
    if len({json.dumps(fields, sort_keys=True, default=str) for fields in complete}) > 1:
        return RecordReading(outcome=UNPARSED, reason=CONFLICTING)
    return RecordReading(fields=complete[0], repaired=repaired)


def _objects(answer: str) -> tuple[list[dict[str, Any]], bool, bool]:
    encoded_twice = decode_whole_string(answer)
    text = encoded_twice if encoded_twice is not None else answer
    objects: list[dict[str, Any]] = []
    broken = False
    repaired = encoded_twice is not None
    for found in find_objects(text):
        if isinstance(found, BrokenObject):
            broken = True
            continue
        repaired |= found.repaired
        objects.append({name.strip().casefold(): value for name, value in found.members})
    return objects, broken, repaired
