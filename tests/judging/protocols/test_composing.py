"""Replies made by rule are well formed, read back as meant, and keep to the schema that is sent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from judging.enums import Probe
from judging.protocols.comparison import StageView
from judging.protocols.composing import compose_reply, walk
from judging.protocols.registry import PROTOCOLS, get_protocol
from judging.protocols.stages import Protocol
from tests.judging.protocols.golden import FULL, SHORT, scripted_judge, shown_pair


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """The part of JSON Schema that our schemas use."""
    kind = schema["type"]
    if kind == "object":
        return (
            isinstance(value, dict)
            and value.keys() == schema["properties"].keys() == set(schema["required"])
            and schema["additionalProperties"] is False
            and all(fits(value[name], inner) for name, inner in schema["properties"].items())
        )
    if kind == "array":
        return isinstance(value, list) and all(fits(item, schema["items"]) for item in value)
    if kind == "integer":
        return isinstance(value, int) and schema["minimum"] <= value <= schema["maximum"]
    return isinstance(value, {"string": str, "boolean": bool}[kind]) and value in schema.get("enum", [value])


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.key)
def test_composed_replies_keep_to_the_schema_of_their_request(protocol: Protocol) -> None:
    _, exchange = walk(protocol, shown_pair(protocol, (FULL, SHORT)), scripted_judge)
    for request, reply in exchange:
        assert fits(json.loads(reply.text or ""), dict(request.schema)), request.key


def test_a_label_that_is_not_offered_is_not_composed() -> None:
    protocol = get_protocol("cue_baseline")
    _, exchange = walk(protocol, shown_pair(protocol, (FULL, SHORT), Probe.BLIND), scripted_judge)
    view: StageView = exchange[0][0].view
    with pytest.raises(ValueError, match="does not offer 'Tie'"):
        compose_reply(view, winner="Tie")


def test_record_stages_copy_the_texts_so_that_later_stages_decide_on_them() -> None:
    _, exchange = walk(get_protocol("trace_v2"), shown_pair(get_protocol("trace_v2"), (FULL, SHORT)), scripted_judge)
    assert FULL in exchange[-1][0].view.texts[0]
