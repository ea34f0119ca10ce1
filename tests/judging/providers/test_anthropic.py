"""Anthropic's messages: what is sent, and how replies are read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from judging.errors import ProviderError
from judging.protocols.comparison import Message, ReplyKey, StageRequest
from judging.providers.anthropic import MEMORY, AnthropicMessages
from tests.judging.material import verdict_view

REQUEST = StageRequest(
    key=ReplyKey("only", "judge"),
    messages=(Message("system", "Judge."), Message("user", "A or B?")),
    view=verdict_view("a", "b"),
    schema={},
    schema_name="s",
    max_tokens=300,
)


@pytest.fixture
def provider() -> AnthropicMessages:
    MEMORY.forget()
    return AnthropicMessages(base_url="https://api.anthropic.com/v1", model="m")


def reply(**more: Any) -> bytes:
    body = {
        "id": "msg_1",
        "model": "m-20250101",
        "content": [{"type": "text", "text": "A"}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 10, "cache_read_input_tokens": 5, "output_tokens": 2},
    }
    return json.dumps(body | more).encode()


def test_system_stands_beside_the_messages(provider: AnthropicMessages) -> None:
    assert provider.body(REQUEST) == {
        "model": "m", "max_tokens": 300, "messages": [{"role": "user", "content": "A or B?"}], "system": "Judge.",
        "temperature": 0.0,
    }  # fmt: skip
    assert provider.headers("k")["x-api-key"] == "k"
    assert "x-api-key" not in provider.headers("")


def test_text_usage_and_model_are_read(provider: AnthropicMessages) -> None:
    answer = provider.read(reply())
    assert (answer.text, answer.finish_reason, answer.refused, answer.model_returned) == (
        "A", "end_turn", False, "m-20250101",
    )  # fmt: skip
    assert (answer.prompt_tokens, answer.completion_tokens) == (15, 2)


def test_thinking_is_never_the_answer(provider: AnthropicMessages) -> None:
    assert provider.read(reply(content=[{"type": "thinking", "thinking": "A wins"}])).text is None


def test_refusal_is_marked(provider: AnthropicMessages) -> None:
    assert provider.read(reply(content=[], stop_reason="refusal")).refused


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"type": "error", "error": {}}'])
def test_what_is_no_message_is_an_error(provider: AnthropicMessages, body: bytes) -> None:
    with pytest.raises(ProviderError):
        provider.read(body)


def test_refused_temperature_is_remembered(provider: AnthropicMessages) -> None:
    body = provider.body(REQUEST)
    error = json.dumps({"type": "error", "error": {"message": "`temperature` is deprecated for this model."}}).encode()
    assert provider.learn(400, error, body) == "no_temperature"
    assert "temperature" not in provider.adapted(body)
    assert "temperature" in body
