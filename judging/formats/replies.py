"""From one stored reply of a foreign judge to a verdict, through the extractor, beside what was recorded of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from annotation.formats.first_second import FIRST, SECOND
from annotation.records import Oddity
from judging.enums import ReplyStyle
from judging.extractor import LABELS, extract
from judging.records import VerdictRecord

#: Of a verdict that was taken over from the file because the reply it was read from is not there.
RECORDED_ONLY = "recorded_verdict"
#: What FastChat and Arena-Hard store where the endpoint never answered.
API_ERROR = "$ERROR$"
_OTHER_SIDE = {FIRST: SECOND, SECOND: FIRST}


def read_reply(
    verdict: VerdictRecord,
    reply: str | None,
    *,
    style: ReplyStyle,
    offered: Sequence[str] = LABELS,
    recorded: str | None = None,
    finish_reason: str | None = None,
    conclusion: str | None = None,
) -> Iterator[VerdictRecord | Oddity]:
    """``verdict`` with the outcome of ``reply``, and an Oddity where ``recorded`` says otherwise.

    ``recorded`` is what the harness made of the reply: A, B or Tie as displayed, '' for none, None where it does not
    say. It never replaces a reading: only where there is no reply at all (None) is it taken over, which is told.
    """
    verdict = replace(verdict, offered=tuple(offered), source="replay")
    if reply is None and recorded:
        message = f"{verdict.pair_id}: the file holds no reply, only the verdict recorded from it."
        yield Oddity(RECORDED_ONLY, message, verdict.row, verdict.pair_id)
        yield replace(verdict, outcome="decided", winner=recorded)
        return
    if reply is not None and reply.strip() == API_ERROR:
        yield replace(verdict, outcome="error", reason="api_error", n_calls=None)
        return
    read = extract(reply, style=style, offered=offered, finish_reason=finish_reason, conclusion=conclusion)
    winner = read.outcome if read.decided else ""
    if recorded is not None and recorded != winner:
        message = f"{verdict.pair_id}: the file records {recorded or 'no verdict'}, its reply reads {read.outcome}"
        message += f" ({read.reason})." if read.reason else "."
        yield Oddity(f"other_reading:{'withheld' if recorded and not winner else 'differs'}", message, verdict.row)
    yield replace(
        verdict,
        outcome="decided" if read.decided else read.outcome,
        winner=winner,
        reason=read.reason or "",
        rationale=read.rationale,
        scores=_by_role(verdict.shown_as_a, read.scores),
    )


def _by_role(shown_as_a: str, scores: tuple[float, float] | None) -> dict[str, dict[str, float]]:
    if scores is None or shown_as_a not in _OTHER_SIDE:
        return {}
    return {shown_as_a: {"overall": scores[0]}, _OTHER_SIDE[shown_as_a]: {"overall": scores[1]}}
