"""``extract``: one reply in, one reading out. Nothing unreadable ever becomes a label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from judging.enums import ReplyStyle
from judging.extractor.cleaning import clean, has_thinking, visible
from judging.extractor.json_channel import read_json
from judging.extractor.lenient_json import FoundObject, find_objects
from judging.extractor.refusals import is_refusal
from judging.extractor.result import (
    CONFLICTING,
    CONTENT_FILTER,
    ECHOED,
    EMPTY,
    INVALID_VALUE,
    LABELS,
    MALFORMED,
    REFUSAL,
    REFUSED,
    TRUNCATED,
    UNPARSED,
    ChannelReading,
    Claim,
    Extraction,
)
from judging.extractor.scores_channel import read_scores
from judging.extractor.text_channels import read_arena, read_brackets, read_line

_CUT = {"length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded", "incomplete"}
_FILTERED = {
    "content_filter",
    "content_filtered",
    "safety",
    "recitation",
    "blocklist",
    "prohibited_content",
    "spii",
    "guardrail_intervened",
}
_RATIONALE_KEYS = ("reason", "rationale", "justification", "explanation")


def extract(
    text: str | None,
    *,
    style: ReplyStyle | str,
    offered: Sequence[str] = LABELS,
    finish_reason: str | None = None,
    refused: bool = False,
    scale: tuple[float, float] = (1, 10),
    conclusion: str | None = None,
    shown: Iterable[str] = (),
) -> Extraction:
    """Read the verdict that stands in the channel ``style`` declares.

    ``offered`` are the labels the protocol offers; ``refused`` says that the endpoint marked a refusal in a field of
    its own. ``scale`` bounds scores; ``conclusion`` declares the closing sentence of the line style. ``shown`` are
    the texts the judge was shown: a verdict found only as a quotation of them is no verdict of the judge's.
    Raises ValueError for a style that carries no verdict.
    """
    style = ReplyStyle(style)
    stopped = stopped_reading(text, finish_reason=finish_reason, refused=refused)
    if stopped is not None:
        return _without_label(style, *stopped)
    answer = answer_text(text or "", objects=style in (ReplyStyle.JSON, ReplyStyle.RECORD))
    if answer is None:
        return _without_label(style, UNPARSED, TRUNCATED)
    if not answer:
        return _without_label(style, UNPARSED, EMPTY)
    reading = _read_channel(answer, style=style, scale=scale, conclusion=conclusion)
    return _judge(reading, answer, style=style, offered=offered, shown=shown)


def stopped_reading(text: str | None, *, finish_reason: str | None, refused: bool) -> tuple[str, str] | None:
    """The outcome and reason where how the reply ended settles the matter, else None."""
    ended = (finish_reason or "").strip().casefold()
    if ended in _FILTERED:
        return REFUSED, CONTENT_FILTER
    if refused or ended == "refusal":
        return REFUSED, REFUSAL
    if ended in _CUT:
        return UNPARSED, TRUNCATED
    if text is None or not text.strip():
        return UNPARSED, EMPTY
    return None


def answer_text(raw: str, *, objects: bool) -> str | None:
    """The reply without thinking, chat markup and invisible characters; None when the thinking never ended."""
    seen = visible(raw)
    quoted = []
    if objects and has_thinking(seen):
        quoted = [(found.start, found.end) for found in find_objects(seen) if isinstance(found, FoundObject)]
    cleaned = clean(seen, quoted=quoted)
    return None if cleaned.unfinished_thinking else cleaned.text


def rationale_of(fields: dict[str, object]) -> str:
    """The words a JSON reply gives for its verdict, or ''."""
    by_key = {str(key).strip().casefold(): value for key, value in fields.items()}
    return next((value for key in _RATIONALE_KEYS if isinstance(value := by_key.get(key), str)), "")


def _read_channel(
    answer: str, *, style: ReplyStyle, scale: tuple[float, float], conclusion: str | None
) -> ChannelReading:
    match style:
        case ReplyStyle.JSON:
            return read_json(answer)
        case ReplyStyle.BRACKETS:
            return read_brackets(answer)
        case ReplyStyle.ARENA:
            return read_arena(answer)
        case ReplyStyle.LINE:
            return read_line(answer, conclusion=conclusion)
        case ReplyStyle.SCORES:
            return read_scores(answer, scale=scale)
    raise ValueError(f"a reply of style {style.value} carries no verdict")


def _judge(
    reading: ChannelReading, answer: str, *, style: ReplyStyle, offered: Sequence[str], shown: Iterable[str]
) -> Extraction:
    claims = reading.claims
    if reading.unreadable:
        return _without_label(style, UNPARSED, MALFORMED)
    if not claims:
        return _without_label(style, *((REFUSED, REFUSAL) if is_refusal(answer) else (UNPARSED, reading.nothing)))
    if len({claim.said for claim in claims}) > 1:
        return _without_label(style, UNPARSED, CONFLICTING)
    label = claims[0].label
    if label is None or label not in offered:
        return _without_label(style, UNPARSED, INVALID_VALUE)
    if style != ReplyStyle.SCORES and _all_echoed(claims, shown):
        return _without_label(style, UNPARSED, ECHOED)
    fields = dict(claims[-1].fields)
    return Extraction(
        outcome=label,
        style=style.value,
        repaired=any(claim.repaired for claim in claims),
        strong=all(claim.strong for claim in claims),
        whole_output=claims[0].whole_output,
        rationale=rationale_of(fields) if style == ReplyStyle.JSON else answer,
        fields=fields,
        scores=claims[0].scores,
    )


def _without_label(style: ReplyStyle, outcome: str, reason: str) -> Extraction:
    return Extraction(outcome=outcome, style=style.value, reason=reason)


def _all_echoed(claims: Sequence[Claim], shown: Iterable[str]) -> bool:
    """Whether every claim is word for word a piece of what the judge was shown (a bare label always would be)."""
    material = [_dense(text) for text in shown]
    return all(not claim.whole_output and any(_dense(claim.quote) in text for text in material) for claim in claims)


def _dense(text: str) -> str:
    return "".join(text.split()).casefold()
