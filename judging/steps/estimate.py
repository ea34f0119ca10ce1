"""What a plan will cost: calls, tokens and dollars at the least, likely and at the most, before anything is sent."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from annotation.models import Pair
from judging.enums import VerdictSource
from judging.models import Condition, Judge
from judging.prices import Price, as_usd, price_of
from judging.protocols.comparison import Reply, StageRequest
from judging.protocols.composing import compose_reply, walk
from judging.protocols.registry import get_protocol
from judging.protocols.stages import Shape
from judging.providers.base import view_scores
from judging.providers.registry import is_in_process, provider_of
from judging.showing import placebo_side, show
from judging.tokens import likely_tokens, tokens_at_least, tokens_at_most

#: Pairs whose requests are written out to measure their length.
SAMPLE = 12
#: Words of a reason that the measured replies do not hold, in tokens.
REASON_TOKENS = 40
#: Characters of an earlier verdict's reasoning, where a protocol checks one.
TYPICAL_REASONING = 600


@dataclass(frozen=True, slots=True)
class Range:
    """At the least: short replies. Likely: usual ones. At the most: replies of full length, each call sent once."""

    low: Fraction = Fraction(0)
    likely: Fraction = Fraction(0)
    high: Fraction = Fraction(0)

    def __add__(self, other: Range) -> Range:
        return Range(self.low + other.low, self.likely + other.likely, self.high + other.high)

    def times(self, factor: Fraction | int) -> Range:
        return Range(self.low * factor, self.likely * factor, self.high * factor)

    def as_json(self) -> dict[str, int]:
        return {"min": round(self.low), "likely": round(self.likely), "max": round(self.high)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Sums over a plan's unanswered comparisons. ``unpriced`` names the models the price table does not know."""

    calls: Range = Range()
    tokens: Range = Range()
    usd_nano: Range = Range()
    unpriced: tuple[str, ...] = ()

    def __add__(self, other: Estimate) -> Estimate:
        return Estimate(
            calls=self.calls + other.calls,
            tokens=self.tokens + other.tokens,
            usd_nano=self.usd_nano + other.usd_nano,
            unpriced=tuple(dict.fromkeys((*self.unpriced, *other.unpriced))),
        )

    def as_json(self) -> dict[str, Any]:
        usd = {name: as_usd(nano) for name, nano in self.usd_nano.as_json().items()}
        return {
            "calls": self.calls.as_json(),
            "tokens": self.tokens.as_json(),
            "usd": None if self.unpriced else usd,
            "unpriced": list(self.unpriced),
        }


def estimate_condition(*, condition: Condition, pairs: Sequence[Pair], unanswered: int) -> Estimate:
    """The estimate of ``unanswered`` comparisons under ``condition``, measured on a sample of ``pairs``."""
    if not unanswered or not pairs:
        return Estimate()
    sample = pairs[:: max(1, len(pairs) // SAMPLE)][:SAMPLE]
    total = Estimate()
    for pair in sample:
        total = total + _one(condition, pair)
    share = Fraction(unanswered, len(sample))
    return replace(
        total, calls=total.calls.times(share), tokens=total.tokens.times(share), usd_nano=total.usd_nano.times(share)
    )


def _one(condition: Condition, pair: Pair) -> Estimate:
    protocol = get_protocol(condition.protocol)
    favours = placebo_side(pair, condition.probe)
    audited = "x" * TYPICAL_REASONING if protocol.needs_audited else ""
    shown = show(pair=pair, condition=condition, order=1, cue_favours=favours, audited=audited).shown
    _, transcript = walk(protocol, shown, _well_formed)
    judge = condition.judge
    counts = [_tokens(judge, request, reply) for request, reply in transcript]
    prompt = Range(*(Fraction(sum(each[0][i] for each in counts)) for i in range(3)))
    completion = Range(*(Fraction(sum(each[1][i] for each in counts)) for i in range(3)))
    price = price_of(model=judge.model, base_url=judge.base_url, on=dt.datetime.now(dt.UTC).date())
    first_stage = sum(2 if stage.per_candidate else 1 for stage in protocol.stages[:1])
    calls = Range(Fraction(first_stage), Fraction(len(transcript)), Fraction(len(transcript)))
    if _without_tokens(judge):
        prompt = completion = Range()
    return Estimate(
        calls=calls,
        tokens=prompt + completion,
        usd_nano=_usd(price, prompt, completion),
        unpriced=() if price else (judge.model,),
    )


def _tokens(judge: Judge, request: StageRequest, reply: Reply) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    limit = int(judge.parameters.get("max_tokens") or request.max_tokens)
    written = len(reply.text or "")
    prompt = (
        tokens_at_least(request.messages),
        likely_tokens(request.messages),
        tokens_at_most(request.messages),
    )
    completion = (min(limit, written // 6), min(limit, written // 4 + REASON_TOKENS), limit)
    return prompt, completion


def _usd(price: Price | None, prompt: Range, completion: Range) -> Range:
    if price is None:
        return Range()
    return Range(
        *(
            Fraction(price.usd_nano(1_000_000 * int(p), 1_000_000 * int(c)), 1_000_000)
            for p, c in zip(
                (prompt.low, prompt.likely, prompt.high),
                (completion.low, completion.likely, completion.high),
                strict=True,
            )
        )
    )


def _well_formed(request: StageRequest) -> Reply:
    view = request.view
    winner = view.offers[0] if view.shape is Shape.VERDICT else ""
    return Reply(text=compose_reply(view, winner=winner, scores=view_scores(view, winner)))


def _without_tokens(judge: Judge) -> bool:
    return is_in_process(judge.provider) and provider_of(judge).source == VerdictSource.BASELINE
