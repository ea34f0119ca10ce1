"""Any endpoint that speaks OpenAI's chat completions: OpenAI, DeepSeek, vLLM, llama.cpp, Ollama and others."""

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
from judging.providers.quirks import Body, Quirk, QuirkMemory

GARBAGE = "garbage"
_KEPT = ("id", "created", "service_tier", "provider")
_DETAILS = (("completion_tokens_details", "reasoning_tokens"), ("prompt_tokens_details", "cached_tokens"))
_FILTER_CODES = {"content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation"}


def _without(name: str) -> Quirk:
    return Quirk(
        name=f"no_{name}",
        parameters=(name,),
        pattern=re.compile(rf"\b{name}\b", re.IGNORECASE),
        applies=lambda body: name in body,
        adapt=lambda body: body.pop(name),
    )


def _format(body: Mapping[str, Any]) -> str:
    return str((body.get("response_format") or {}).get("type", ""))


def _rename_max_tokens(body: Body) -> None:
    body["max_completion_tokens"] = body.pop("max_tokens")


def _merge_system(body: Body) -> None:
    """Put what the system message says before the first user message."""
    system = [message["content"] for message in body["messages"] if message["role"] == "system"]
    others = [dict(message) for message in body["messages"] if message["role"] != "system"]
    first = next((message for message in others if message["role"] == "user"), None)
    if first is not None:
        first["content"] = "\n\n".join([*system, first["content"]])
    body["messages"] = others


def _ask_for_object(body: Body) -> None:
    body["response_format"] = {"type": "json_object"}


_SCHEMA_WORDS = re.compile(r"response_?format|json_?schema|structured.?output|guided|grammar", re.IGNORECASE)

QUIRKS = (
    Quirk(
        name="max_completion_tokens",
        parameters=("max_tokens",),
        pattern=re.compile(r"max_completion_tokens"),
        applies=lambda body: "max_tokens" in body,
        adapt=_rename_max_tokens,
    ),
    Quirk(
        name="no_schema",
        parameters=("response_format",),
        pattern=_SCHEMA_WORDS,
        applies=lambda body: _format(body) == "json_schema",
        adapt=_ask_for_object,
    ),
    Quirk(
        name="no_object",
        parameters=("response_format",),
        pattern=re.compile(rf"{_SCHEMA_WORDS.pattern}|json_?object", re.IGNORECASE),
        applies=lambda body: _format(body) == "json_object",
        adapt=lambda body: body.pop("response_format"),
    ),
    _without("temperature"),
    _without("top_p"),
    _without("seed"),
    _without("reasoning_effort"),
    Quirk(
        name="no_system",
        parameters=("messages",),
        pattern=re.compile(r"system.{0,40}(?:role|message|prompt)|role.{0,40}system|roles must alternate", re.I | re.S),
        applies=lambda body: any(message["role"] == "system" for message in body["messages"]),
        adapt=_merge_system,
    ),
)
MEMORY = QuirkMemory(QUIRKS)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAiChat:
    """One model at one address. ``parameters`` are the judge's own; the rest is the stage's."""

    base_url: str
    model: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    source: VerdictSource = field(default=VerdictSource.LIVE, init=False)
    may_tie: bool = field(default=False, init=False)

    @property
    def url(self) -> str:
        return f"{self.base_url}/chat/completions"

    def headers(self, key: str) -> dict[str, str]:
        headers = {"Content-Type": "application/json"}
        return headers | {"Authorization": f"Bearer {key}"} if key else headers

    def body(self, request: StageRequest) -> Body:
        given = self.parameters
        body: Body = {
            "model": self.model,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
            "max_tokens": int(given.get("max_tokens") or request.max_tokens),
        }
        temperature = given.get("temperature", request.temperature)
        if temperature is not None:
            body["temperature"] = temperature
        for name in ("top_p", "seed", "reasoning_effort"):
            if name in given:
                body[name] = given[name]
        wanted = given.get("format", "schema")
        if wanted == "schema":
            schema = {"name": request.schema_name, "strict": True, "schema": dict(request.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif wanted == "object":
            body["response_format"] = {"type": "json_object"}
        return body

    def adapted(self, body: Body) -> Body:
        return MEMORY.adapted((self.url, self.model), body)

    def learn(self, status: int, reply: bytes, sent: Mapping[str, Any]) -> str:
        # llama-cpp-python answers 500 to a schema; other endpoints 400, 422 or 501 to what they do not know.
        if status not in (400, 422, 500, 501):
            return ""
        return MEMORY.learn((self.url, self.model), reply, sent)

    def read(self, reply: bytes) -> Answer:
        """Raises ProviderError for what is no chat completion; a filtered prompt is a refusal, though it be an error.

        Reasoning beside the content is never taken for the answer: an empty content stays empty.
        """
        body = _object(reply)
        error = body.get("error")
        if error and not body.get("choices"):
            return _filtered(error)
        choices = body.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(choice, dict) or not isinstance(message, dict):
            raise ProviderError("The reply holds no choice with a message.", code=GARBAGE)
        text, refusal = _content(message)
        usage = body.get("usage") if isinstance(body.get("usage"), dict) else {}
        return Answer(
            text=refusal if refusal and not text else text,
            finish_reason=_text(choice.get("finish_reason")),
            refused=bool(refusal),
            model_returned=_text(body.get("model")),
            snapshot=_text(body.get("system_fingerprint")),
            prompt_tokens=count_of(usage, "prompt_tokens"),
            completion_tokens=count_of(usage, "completion_tokens"),
            metadata=_metadata(body, message, usage),
        )


def count_of(usage: Any, name: str) -> int | None:
    """A token count as told, or None where it is absent or no whole number from 0."""
    value = usage.get(name) if isinstance(usage, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 2**31 or value != int(value):
        return None
    return int(value)


def _object(reply: bytes) -> dict[str, Any]:
    try:
        body = json.loads(reply)
    except (ValueError, RecursionError):
        raise ProviderError("The reply is not JSON.", code=GARBAGE) from None
    if not isinstance(body, dict):
        raise ProviderError("The reply is no JSON object.", code=GARBAGE)
    return body


def _filtered(error: Any) -> Answer:
    code = error.get("code") if isinstance(error, dict) else None
    inner = error.get("innererror") if isinstance(error, dict) else None
    codes = {str(code), str(inner.get("code")) if isinstance(inner, dict) else ""}
    if codes & _FILTER_CODES:
        return Answer(text=None, finish_reason="content_filter", refused=True)
    raise ProviderError("The reply is an error.", code="error_in_reply")


def _content(message: Mapping[str, Any]) -> tuple[str | None, str]:
    """The words of a message, None where it has none, and those of a refusal."""
    refusal = _text(message.get("refusal"))
    content = message.get("content")
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict)]
        refusal = refusal or "".join(_text(part.get("refusal")) for part in parts)
        content = "".join(
            _text(part.get("text")) for part in parts if part.get("type", "text") in ("text", "output_text")
        )
    return (content if isinstance(content, str) else None), refusal


def _metadata(body: Mapping[str, Any], message: Mapping[str, Any], usage: Any) -> dict[str, Any]:
    kept = {name: value for name in _KEPT if _is_plain(value := body.get(name))}
    reasoning = message.get("reasoning_content") or message.get("reasoning")
    if isinstance(reasoning, str) and reasoning:
        kept["reasoning_characters"] = len(reasoning)
    for group, name in _DETAILS if isinstance(usage, dict) else ():
        count = count_of(usage.get(group), name) if group in usage else None
        if count is not None:
            kept[name] = count
    return kept


def _is_plain(value: Any) -> bool:
    return (isinstance(value, str) and len(value) <= 200) or isinstance(value, int)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
