"""What was spent, in whole numbers: calls, tokens and billionths of a dollar; and what a budget still allows.

An attempt is charged its most when it is written down, before it is sent. When it ends the difference is given back.
So the run's sums always cover what is in flight, and what a dead worker left behind is charged already.
"""

from __future__ import annotations

from dataclasses import dataclass

from judging.models import Run
from judging.runner.jobs import Attempted, Flight


@dataclass(frozen=True, slots=True)
class Spend:
    calls: int = 0
    tokens: int = 0
    usd_nano: int = 0

    def __add__(self, other: Spend) -> Spend:
        return Spend(self.calls + other.calls, self.tokens + other.tokens, self.usd_nano + other.usd_nano)

    def __sub__(self, other: Spend) -> Spend:
        return Spend(self.calls - other.calls, self.tokens - other.tokens, self.usd_nano - other.usd_nano)

    @classmethod
    def of(cls, run: Run) -> Spend:
        return cls(run.spent_calls, run.spent_tokens, run.spent_usd_nano)

    def store(self, run: Run) -> None:
        Run.objects.filter(pk=run.pk).update(
            spent_calls=max(0, self.calls), spent_tokens=max(0, self.tokens), spent_usd_nano=max(0, self.usd_nano)
        )

    def over(self, run: Run) -> str:
        """Which budget of ``run`` this would exceed; '' where it fits."""
        if run.budget_calls is not None and self.calls > run.budget_calls:
            return "calls"
        if run.budget_tokens is not None and self.tokens > run.budget_tokens:
            return "tokens"
        if run.budget_usd_nano is not None and self.usd_nano > run.budget_usd_nano:
            return "dollars"
        return ""


def most(flight: Flight) -> Spend:
    """What a flight is charged while it is in flight; exactly its use where it was answered in the process."""
    if flight.instant is not None:
        return used(flight, flight.instant)
    return Spend(1, flight.prompt_at_most + flight.completion_at_most, flight.usd_nano_at_most or 0)


def used(flight: Flight, end: Attempted) -> Spend:
    """What an ended attempt is charged."""
    prompt, completion, usd_nano = charge(flight, end)
    if prompt is None:
        return Spend()
    return Spend(1, prompt + (completion or 0), usd_nano or 0)


def charge(flight: Flight, end: Attempted) -> tuple[int | None, int | None, int | None]:
    """The charge that stands in the attempt: tokens of either kind, and billionths of a dollar where there is a price.

    All None where the endpoint refused the request and charges nothing. Where it did not tell its usage the most is
    charged, as where it never answered.
    """
    if not end.charged:
        return None, None, None
    prompt = flight.prompt_at_most if end.prompt_tokens is None else end.prompt_tokens
    completion = flight.completion_at_most if end.completion_tokens is None else end.completion_tokens
    price = flight.asked.price
    return prompt, completion, None if price is None else price.usd_nano(prompt, completion)
