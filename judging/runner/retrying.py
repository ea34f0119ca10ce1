"""When to try again, and how long to wait first."""

from __future__ import annotations

import random
from dataclasses import dataclass

from judging.runner.jobs import Flight

#: Sendings of one call in one stretch of work, before it is given up; a resumed run starts anew.
MAX_TRIES = 8
#: How often an endpoint may ask to come back later; such answers cost nothing and say nothing against the call.
MAX_THROTTLED = 40
FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0
#: At most this share is added to every wait, never taken off: nobody comes back before the time they were told.
JITTER = 0.25


@dataclass(frozen=True, slots=True)
class Setback:
    """A sending that did not succeed. ``wait`` is what the endpoint asked for, in seconds; ``at_once`` that its
    cause is mended already."""

    throttled: bool = False
    at_once: bool = False
    wait: float | None = None


def may_retry(flight: Flight, setback: Setback) -> bool:
    """Count the setback, and say whether the flight is worth another try."""
    if setback.throttled:
        flight.throttled += 1
        return flight.throttled < MAX_THROTTLED
    flight.tries += 1
    return flight.tries < MAX_TRIES


def wait_before_retry(flight: Flight, setback: Setback) -> float:
    """Seconds: what the endpoint asked for or a doubling wait, whichever is longer, and some jitter on top."""
    if setback.at_once:
        return 0.0
    doubling = min(LONGEST_WAIT, FIRST_WAIT * 2 ** max(0, flight.tries + flight.throttled - 1))
    wait = doubling if setback.wait is None else max(setback.wait, min(doubling, setback.wait + FIRST_WAIT))
    return wait + random.uniform(0, JITTER * wait + 0.05)
