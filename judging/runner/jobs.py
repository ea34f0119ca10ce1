"""The units of work: a claimed comparison on its way to a verdict, and one request on its way to a reply."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from judging.models import Condition
from judging.prices import Price
from judging.protocols.comparison import Done, Reply, ReplyKey, Requests, StageRequest
from judging.protocols.engine import advance
from judging.protocols.stages import Protocol
from judging.providers.registry import Provider
from judging.showing import Showing
from judging.tokens import tokens_at_most

#: Raise when the key of a call is made differently: stored replies are then not found any more.
KEY_FORMAT = 1

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A condition at work: what its comparisons have in common."""

    condition: Condition
    protocol: Protocol
    provider: Provider
    in_process: bool
    price: Price | None
    bucket: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A reply a job may use, sent now or found stored; or, with ``error``, that the call failed for good.

    Tokens are None where the provider did not tell its usage.
    """

    call_id: int
    reply: Reply | None
    error: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    usd_nano: int | None = None
    latency_ms: int | None = None
    model_returned: str = ""
    snapshot: str = ""
    called_at: dt.datetime | None = None


@dataclass(slots=True, kw_only=True)
class Job:
    """One claimed comparison. ``numbers`` are the last reading's numbers by phase, where it was asked before."""

    comparison_id: int
    pair_id: int
    order: int
    repeat: int
    asked: Asked
    showing: Showing
    numbers: dict[str, int] = field(default_factory=dict)
    replies: dict[ReplyKey, Reply] = field(default_factory=dict)
    answers: dict[ReplyKey, Answered] = field(default_factory=dict)
    error: str = ""

    def step(self) -> Requests | Done:
        return advance(self.asked.protocol, self.showing.shown, self.replies)

    def take(self, key: ReplyKey, answered: Answered) -> None:
        self.answers[key] = answered
        if answered.reply is None:
            self.error = answered.error
        else:
            self.replies[key] = answered.reply


@dataclass(slots=True, kw_only=True)
class Flight:
    """One request on its way, for every job that waits for it. ``most`` is what it is charged until it is answered."""

    key: str
    body: dict[str, Any]
    payload: bytes
    payload_sha: str
    asked: Asked
    prompt_at_most: int
    completion_at_most: int
    usd_nano_at_most: int | None
    waiting: list[tuple[Job, ReplyKey]]
    call_id: int = 0
    number: int = 0
    tries: int = 0
    throttled: int = 0
    started_at: dt.datetime | None = None
    #: Set where the provider answers in the process: the attempt is then written down together with its reply.
    instant: Attempted | None = None


@dataclass(slots=True, kw_only=True)
class Attempted:
    """How one sending ended. ``reply`` is set exactly when it was answered; ``charged`` says who bears the cost of
    one that was not: an endpoint that refused it charges nothing, one that never answered is charged the most."""

    state: str
    finished_at: dt.datetime
    reply: bytes | None = None
    charged: bool = True
    http_status: int | None = None
    error_code: str = ""
    error_detail: str = ""
    finish_reason: str = ""
    model_returned: str = ""
    snapshot: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    latency_ms: int | None = None
    sent: bytes | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


def make_flight(job: Job, request: StageRequest, *, study_id: int) -> Flight:
    """The flight of a job's request. Equal keys are equal requests for one pair, order and repeat under one judge."""
    asked = job.asked
    body = request_body(asked, request)
    payload = canonical(body)
    sha = hashlib.sha256(payload).hexdigest()
    judge, condition = asked.condition.judge, asked.condition
    identity = (
        KEY_FORMAT,
        study_id,
        sha,
        judge.provider,
        judge.config_hash,
        asked.protocol.key,
        job.pair_id,
        job.order,
        job.repeat,
        request.stage,
        condition.wave,
    )
    prompt = 0 if asked.in_process else tokens_at_most(request.messages)
    completion = 0 if asked.in_process else int(asked.parameters.get("max_tokens") or request.max_tokens)
    return Flight(
        key=hashlib.sha256(repr(identity).encode()).hexdigest(),
        body=body,
        payload=payload,
        payload_sha=sha,
        asked=asked,
        prompt_at_most=prompt,
        completion_at_most=completion,
        usd_nano_at_most=None if asked.price is None else asked.price.usd_nano(prompt, completion),
        waiting=[(job, request.key)],
    )


def request_body(asked: Asked, request: StageRequest) -> dict[str, Any]:
    """The request as first built. What answers in the process gets the same messages a model would get."""
    if not asked.in_process:
        body = asked.provider.body(request)  # type: ignore[union-attr]
        if asked.condition.seed:
            body["seed"] = int(asked.condition.seed)
        return body
    return {
        "model": asked.condition.judge.name,
        "messages": [{"role": message.role, "content": message.content} for message in request.messages],
    }


def canonical(body: Mapping[str, Any]) -> bytes:
    """The bytes that are hashed, stored and sent."""
    return _ENCODER.encode(body).encode("utf-8", "surrogatepass")
