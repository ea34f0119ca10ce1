"""Providers that answer without leaving the process: no hands, no waiting, the same journal."""

from __future__ import annotations

import time
from typing import cast

from django.utils import timezone

from judging.enums import AttemptState
from judging.protocols.comparison import StageRequest
from judging.providers.base import InProcessProvider
from judging.runner.jobs import Attempted, Job


def answer_here(job: Job, request: StageRequest) -> Attempted:
    """Ask a provider that answers in this process."""
    provider = cast(InProcessProvider, job.asked.provider)
    started = time.perf_counter()
    sight = job.showing.sight if provider.sees_behind else None
    answer = provider.answer(request, sight)
    return Attempted(
        state=AttemptState.OK.value,
        finished_at=timezone.now(),
        reply=(answer.text or "").encode("utf-8", "replace"),
        finish_reason=answer.finish_reason,
        model_returned=answer.model_returned,
        prompt_tokens=answer.prompt_tokens,
        completion_tokens=answer.completion_tokens,
        latency_ms=round((time.perf_counter() - started) * 1000),
        metadata=answer.metadata,
    )
