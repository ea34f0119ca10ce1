"""Stored replies, used again without paying."""

from __future__ import annotations

from judging.models import Attempt
from judging.protocols.comparison import Reply
from judging.providers.registry import read_reply
from judging.runner.jobs import Answered, Asked


def answered_of(attempt: Attempt, asked: Asked) -> Answered:
    """The answer of a stored, answered attempt, as its provider reads it today."""
    body = bytes(attempt.reply.body) if attempt.reply else b""
    answer = read_reply(asked.condition.judge, body, finish_reason=attempt.finish_reason)
    told = attempt.usage_reported
    return Answered(
        call_id=attempt.call_id,
        reply=Reply(text=answer.text, finish_reason=attempt.finish_reason or None, refused=answer.refused),
        prompt_tokens=attempt.prompt_tokens if told else None,
        completion_tokens=attempt.completion_tokens if told else None,
        usd_nano=attempt.usd_nano if told else None,
        latency_ms=attempt.latency_ms,
        model_returned=attempt.model_returned,
        snapshot=attempt.snapshot,
        called_at=attempt.started_at,
    )
