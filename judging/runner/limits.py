"""Rate limits per key, shared by every worker through one row a key: requests and tokens a minute, and pauses."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db.models import Q
from django.utils import timezone

from judging.models import Judge, RateBucket
from judging.runner.jobs import Flight

if TYPE_CHECKING:
    from judging.runner.journal import Journalled

MINUTE = 60.0
#: The share of a minute's allowance that may be used at once.
BURST = 1 / 6


def bucket_name(judge: Judge) -> str:
    """The bucket of the judge's key at its endpoint: judges that share a key share its limits."""
    return hashlib.sha256(f"{judge.base_url}|{judge.key_name}".encode()).hexdigest()[:32]


def admit(flights: Sequence[Flight], *, result: Journalled) -> list[Flight]:
    """Those of ``flights`` whose key allows another request now; the others go to ``result.held``. In a transaction."""
    names = sorted({flight.asked.bucket for flight in flights if flight.asked.bucket})
    if not names:
        return list(flights)
    now = timezone.now()
    rows = RateBucket.objects.select_for_update().filter(name__in=names).order_by("name")
    buckets = {row.name: _Level(row, now) for row in rows}
    admitted = []
    for flight in flights:
        level = buckets.get(flight.asked.bucket) or _Level(None, now)
        if flight.asked.bucket:
            buckets[flight.asked.bucket] = level
        wait = level.take(flight, flight.asked.parameters)
        if wait <= 0:
            admitted.append(flight)
            continue
        result.held.append(flight)
        until = now + dt.timedelta(seconds=wait)
        result.held_until = until if result.held_until is None else min(result.held_until, until)
    for name, level in buckets.items():
        level.store(name)
    return admitted


def pause(bucket: str, *, until: dt.datetime) -> None:
    """Let no worker send under this key before ``until``; a longer pause stands."""
    now = timezone.now()
    RateBucket.objects.get_or_create(name=bucket, defaults={"updated_at": now})
    RateBucket.objects.filter(Q(name=bucket), Q(paused_until__isnull=True) | Q(paused_until__lt=until)).update(
        paused_until=until
    )


class _Level:
    """How far a key's allowance is used: it drains with time, and a request that would overflow it has to wait."""

    def __init__(self, row: RateBucket | None, now: dt.datetime) -> None:
        self.now = now
        seconds = max(0.0, (now - row.updated_at).total_seconds()) if row else 0.0
        self.seconds = seconds
        self.requests = row.requests if row else 0.0
        self.tokens = row.tokens if row else 0.0
        self.paused_until = row.paused_until if row else None
        self.drained = False
        self.changed = False

    def take(self, flight: Flight, parameters: Any) -> float:
        """Seconds to wait; 0 where the request is taken."""
        if self.paused_until and self.paused_until > self.now:
            return (self.paused_until - self.now).total_seconds()
        rpm, tpm = float(parameters.get("rpm") or 0), float(parameters.get("tpm") or 0)
        if not rpm and not tpm:
            return 0.0
        if not self.drained:
            self.requests = max(0.0, self.requests - self.seconds * rpm / MINUTE)
            self.tokens = max(0.0, self.tokens - self.seconds * tpm / MINUTE)
            self.drained = self.changed = True
        # As the limiters of the large providers count: a likely prompt and the longest reply.
        size = flight.prompt_at_most // 2 + flight.completion_at_most
        wait = max(
            _wait(self.requests, 1, rpm),
            # A single request beyond the whole allowance must not wait for ever.
            _wait(self.tokens, min(size, tpm * BURST), tpm),
        )
        if wait <= 0:
            self.requests += 1
            self.tokens += size
        return wait

    def store(self, name: str) -> None:
        if self.changed:
            values = {"requests": self.requests, "tokens": self.tokens, "updated_at": self.now}
            RateBucket.objects.update_or_create(name=name, defaults=values)


def _wait(level: float, size: float, per_minute: float) -> float:
    if not per_minute:
        return 0.0
    over = level + size - max(per_minute * BURST, 1.0)
    return max(0.0, over * MINUTE / per_minute)
