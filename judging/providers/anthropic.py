"""Anthropic's messages endpoint, over plain HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from judging.enums import VerdictSource
from judging.errors import ProviderError
from judging.protocols.comparison import StageRequest
from judging.providers.base import Answer
from judging.providers.openai import GARBAGE, count_of
from judging.providers.quirks import Body, Quirk, QuirkMemory

API_VERSION = "2023-06-01"

MEMORY = QuirkMemory(
    tuple(
        Quirk(
            name=f"no_{name}",
            parameters=(name,),
            pattern=re.compile(rf"\b{name}\b"),
            applies=lambda body, name=name: name in body,  # type: ignore[misc]
            adapt=lambda body, name=name: body.pop(name),  # type: ignore[misc]
        )
        for name in ("temperature", "top_p")
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnthropicMessages:
    """One model. The form of the reply is asked for in the prompt's own words; no schema is sent."""

    base_url: str
    model: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    source: VerdictSource = field(default=VerdictSource.LIVE, init=False)
    may_tie: bool = field(default=False, init=False)

    @property
    def url(self) -> str:
        return f"{self.base_url}/messages"

    def headers(self, key: str) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "anthropic-version": API_VERSION}
        return headers | {"x-api-key": key} if key else headers

    def body(self, request: StageRequest) -> Body:
        system = "\n\n".join(message.content for message in request.messages if message.role == "system")
        body: Body = {
            "model": self.model,
            "max_tokens": int(self.parameters.get("max_tokens") or request.max_tokens),
            "messages": [
                {"role": message.role, "content": message.content}
                for message in request.messages
                if message.role != "system"
            ],
        }
        if system:
            body["system"] = system
        temperature = self.parameters.get("temperature", request.temperature)
        if temperature is not None:
            body["temperature"] = temperature
        if "top_p" in self.parameters:
            body["top_p"] = self.parameters["top_p"]
        return body

    def adapted(self, body: Body) -> Body:
        return MEMORY.adapted((self.url, self.model), body)

    def learn(self, status: int, reply: bytes, sent: Mapping[str, Any]) -> str:
        return MEMORY.learn((self.url, self.model), reply, sent) if status == 400 else ""

    def read(self, reply: bytes) -> Answer:
        """Raises ProviderError for what is no message. Thinking blocks are never taken for the answer."""
        try:
            body = json.loads(reply)
        except (ValueError, RecursionError):
            raise ProviderError("The reply is not JSON.", code=GARBAGE) from None
        blocks = body.get("content") if isinstance(body, dict) else None
        if not isinstance(body, dict) or not isinstance(blocks, list):
            raise ProviderError("The reply is no message.", code=GARBAGE)
        texts = [
            block["text"]
            for block in blocks
            if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
        ]
        usage = body.get("usage")
        stop = body.get("stop_reason")
        return Answer(
            text="".join(texts) if texts else None,
            finish_reason=stop if isinstance(stop, str) else "",
            refused=stop == "refusal",
            model_returned=body["model"] if isinstance(body.get("model"), str) else "",
            prompt_tokens=_prompt_tokens(usage),
            completion_tokens=count_of(usage, "output_tokens"),
            metadata={"id": body["id"]} if isinstance(body.get("id"), str) else {},
        )


def _prompt_tokens(usage: Any) -> int | None:
    """All that was read, from the cache or not."""
    told = count_of(usage, "input_tokens")
    if told is None:
        return None
    cached = ("cache_creation_input_tokens", "cache_read_input_tokens")
    return told + sum(count_of(usage, name) or 0 for name in cached)
