"""Well-formed replies made by rule: for baselines, the simulator, planning and tests. The mirror of ``results``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from judging.protocols.comparison import Done, Reply, ReplyKey, Requests, ShownPair, StageRequest, StageView
from judging.protocols.engine import advance
from judging.protocols.stages import SIDES, Protocol, Shape

#: Longest piece of the source that a made note quotes, in characters.
_SPAN = 80


def compose_reply(
    view: StageView,
    *,
    winner: str = "",
    reason: str = "",
    scores: Mapping[str, Mapping[str, float]] | None = None,
) -> str:
    """The JSON text that answers the stage ``view`` describes.

    A verdict stage needs ``winner``, one of the labels offered. ``scores`` are {"A": {criterion: n}, "B": ...} on the
    view's scale; without them every score is the scale's middle. Record stages copy the displayed texts into their
    first field, so that whoever decides on them later decides on the texts. Raises ValueError for a winner that is
    not offered.
    """
    if view.shape is Shape.VERDICT:
        body = _verdict(view, winner=winner, reason=reason, scores=scores)
    elif view.shape is Shape.CLAIMS:
        body = {"claims": []}
    else:
        sides = (view.side,) if view.side else SIDES
        each = {side: _one(view, side, text, scores) for side, text in zip(sides, view.texts, strict=True)}
        body = each[view.side] if view.side else each
    return json.dumps(body, ensure_ascii=False)


def walk(
    protocol: Protocol, pair: ShownPair, answer: Callable[[StageRequest], Reply]
) -> tuple[Done, list[tuple[StageRequest, Reply]]]:
    """Run a comparison to its end with ``answer`` for a judge; the readings, and every request with its reply."""
    replies: dict[ReplyKey, Reply] = {}
    transcript: list[tuple[StageRequest, Reply]] = []
    while isinstance(step := advance(protocol, pair, replies), Requests):
        for request in step.requests:
            replies[request.key] = answer(request)
            transcript.append((request, replies[request.key]))
    return step, transcript


def _verdict(
    view: StageView, *, winner: str, reason: str, scores: Mapping[str, Mapping[str, float]] | None
) -> dict[str, Any]:
    if winner not in view.offers:
        raise ValueError(f"stage {view.stage} does not offer {winner!r}")
    cited = " ".join(view.cite[:2])
    body: dict[str, Any] = {field.name: [] if field.many else "" for field in view.fields}
    if view.criteria:
        body["scores"] = {side: _scores(view, side, scores) for side in SIDES}
    return body | {"reason": f"{reason} [{cited}]".strip() if cited else reason, "winner": winner}


def _one(view: StageView, side: str, text: str, scores: Mapping[str, Mapping[str, float]] | None) -> dict[str, Any]:
    if view.shape is Shape.SCORES:
        return _scores(view, side, scores)
    if view.shape is Shape.NOTES:
        spans = [view.source[:_SPAN]]
        return {criterion.name: {"note": text, "spans": spans} for criterion in view.criteria}
    first, *others = view.fields
    copied: dict[str, Any] = {first.name: [text] if first.many else text}
    return copied | {field.name: [] if field.many else "" for field in others}


def _scores(view: StageView, side: str, scores: Mapping[str, Mapping[str, float]] | None) -> dict[str, float]:
    middle = sum(view.scale) // 2
    given = (scores or {}).get(side, {})
    return {criterion.name: given.get(criterion.name, middle) for criterion in view.criteria}
