"""What one stretch of work may take on, and what it has done so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from judging.runner.spending import Spend


@dataclass(slots=True)
class Tally:
    """What one stretch of work has done so far."""

    done: int = 0
    failed: int = 0
    sent: int = 0
    reused: int = 0
    spent: Spend = field(default_factory=Spend)
    outcomes: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one stretch of work may take on; None is no limit. ``wait_for_others``: stay until the run has ended."""

    comparisons: int | None = None
    seconds: float | None = None
    wait_for_others: bool = True
