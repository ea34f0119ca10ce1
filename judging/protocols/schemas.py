"""The JSON schema and the spelled-out form of a stage's reply, both made from the stage's declaration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judging.protocols.stages import SIDES, Shape, Stage

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}


def reply_schema(stage: Stage) -> dict[str, Any]:
    """A closed JSON schema: every property required, none besides; property order is the order of writing."""
    match stage.shape:
        case Shape.VERDICT:
            return _verdict(stage)
        case Shape.RECORD:
            return _by_side(stage, _closed({field.name: _TEXTS if field.many else _TEXT for field in stage.fields}))
        case Shape.NOTES:
            note = _closed({"note": _TEXT, "spans": _TEXTS})
            return _by_side(stage, _closed({criterion.name: note for criterion in stage.criteria}))
        case Shape.SCORES:
            return _by_side(stage, _scores(stage))
        case Shape.CLAIMS:
            claim = _closed({"claim": _TEXT, "supported": {"type": "boolean"}})
            return _closed({"claims": {"type": "array", "items": claim}})


def criteria_lines(stage: Stage) -> str:
    return "\n".join(f"- {criterion.name}: {criterion.about}" for criterion in stage.criteria)


def field_lines(stage: Stage) -> str:
    kinds = {True: "list of short statements", False: "text"}
    return "\n".join(f'- "{field.name}" ({kinds[field.many]}): {field.about}' for field in stage.fields)


def offer_words(stage: Stage) -> str:
    """The labels offered, as a prompt lists them: '"A", "B" or "Tie"'."""
    quoted = [f'"{label}"' for label in stage.offers]
    return ", ".join(quoted[:-1]) + " or " + quoted[-1] if quoted else ""


def _verdict(stage: Stage) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for field in stage.fields:
        properties[field.name] = _TEXTS if field.many else _TEXT
    if stage.criteria:
        properties["scores"] = _closed({side: _scores(stage) for side in SIDES})
    # What is demanded before the verdict is written before it.
    properties["reason"] = _TEXT
    properties["winner"] = {"type": "string", "enum": list(stage.offers)}
    if not stage.fields and not stage.criteria and not stage.cites:
        properties = {"winner": properties["winner"], "reason": _TEXT}
    return _closed(properties)


def _scores(stage: Stage) -> dict[str, Any]:
    low, high = stage.scale
    number = {"type": "integer", "minimum": low, "maximum": high}
    return _closed({criterion.name: number for criterion in stage.criteria})


def _by_side(stage: Stage, one: Mapping[str, Any]) -> dict[str, Any]:
    return dict(one) if stage.per_candidate else _closed(dict.fromkeys(SIDES, one))


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
