"""FastChat's pairwise judgments of MT-Bench: two games a row, the second with the two models changed over.

Source: Zheng et al. 2023 (arXiv:2306.05685); fastchat/llm_judge, Apache-2.0. Keys: question_id, model_1, model_2, judge
([model, prompt name]), g1_judgment, g2_judgment (raw replies that end in [[A]], [[B]] or [[C]]), g1_winner, g2_winner
(model_1, model_2, tie, error: already turned back), turn?, tstamp?; and m1_score, m2_score where each answer was graded
alone. Pairs are named as the MT-Bench reader names them. The prompt's name is the paraphrase, because each question has
one prompt only (with a reference for mathematics, of two turns for the second).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from annotation.formats.cells import Cells
from annotation.formats.first_second import FIRST, SECOND
from annotation.formats.mtbench import pair_name
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.records import Oddity
from judging.enums import ReplyStyle
from judging.formats.registry import VerdictFormat, VerdictRows
from judging.formats.replies import read_reply
from judging.records import VerdictRecord

PROTOCOL = "fastchat-pair"
SINGLE_PROTOCOL = "fastchat-single"
#: Grades that differ by no more than this are a tie to FastChat.
TIE_DELTA = 0.1
_WINNERS = {"model_1": "A", "model_2": "B", "tie": "Tie", "error": ""}
_CHANGED_OVER = {"A": "B", "B": "A"}


def read(source: Source) -> VerdictRows:
    """Two verdicts a row, one an order; one without order where the answers were graded alone."""
    for row in rows(source):
        cells = Cells(row, source.problems)
        if cells.has("model") and not cells.has("model_1"):
            remedy = "Give the pairwise judgments (gpt-4_pair.jsonl); grades of single answers compare nothing."
            cells.refuse("model", "is one model alone: this row is no verdict on a pair.", remedy)
            continue
        question, judge = cells.word("question_id", required=True), _judge(cells)
        models = cells.word("model_1", required=True), cells.word("model_2", required=True)
        turn, called_at = cells.whole("turn") or 1, _called_at(cells)
        if cells.ok and models[0] == models[1]:
            cells.refuse("model_2", f"both models are {models[0]!r}.", "A judgment compares two models.")
        if not cells.ok:
            continue
        blank = VerdictRecord(
            pair_id=pair_name(question, turn, models),
            judge=judge[0],
            protocol=PROTOCOL,
            paraphrase=judge[1],
            outcome="unparsed",
            shown_as_a=FIRST if models[0] < models[1] else SECOND,
            n_calls=1,
            called_at=called_at,
            source="replay",
            row=row.number,
        )
        yield from _graded_alone(cells, blank) if cells.has("m1_score") else _games(cells, blank)


def _games(cells: Cells, blank: VerdictRecord) -> Iterator[VerdictRecord | Oddity]:
    changed = replace(blank, shown_as_a=SECOND if blank.shown_as_a == FIRST else FIRST)
    games = ("g1", blank), ("g2", changed)
    replies = [(cells.passage(f"{game}_judgment"), _recorded(cells, f"{game}_winner")) for game, _ in games]
    if not cells.ok:
        return
    for (game, verdict), (reply, winner) in zip(games, replies, strict=True):
        if reply is None and winner is None:
            continue  # a file of one game a row
        shown = _CHANGED_OVER.get(winner or "", winner) if game == "g2" else winner
        yield from read_reply(verdict, reply, style=ReplyStyle.BRACKETS, recorded=shown)
    if all(reply is None and winner is None for reply, winner in replies):
        cells.refuse("g1_judgment", "is missing, and so is the winner.", "Give the replies, or what was read in them.")


def _graded_alone(cells: Cells, blank: VerdictRecord) -> Iterator[VerdictRecord]:
    """A verdict without order from two grades; -1, FastChat's word for no grade, leaves it unparsed."""
    grades = [_grade(cells, name) for name in ("m1_score", "m2_score")]
    if not cells.ok:
        return
    verdict = replace(blank, protocol=SINGLE_PROTOCOL, n_calls=2, shown_as_a="", offered=("A", "B", "Tie"))
    one, two = grades if blank.shown_as_a == FIRST else reversed(grades)
    if one is None or two is None:
        yield replace(verdict, reason="no_verdict")
        return
    winner = "Tie" if abs(one - two) <= TIE_DELTA else ("A" if one > two else "B")
    scores = {FIRST: {"overall": one}, SECOND: {"overall": two}}
    yield replace(verdict, outcome="decided", winner=winner, scores=scores)


def _grade(cells: Cells, name: str) -> float | None:
    return None if cells.word(name) in {"-1", "-1.0"} else cells.number(name)


def _judge(cells: Cells) -> tuple[str, str]:
    """(model, prompt name): a pair in the file, or the model alone."""
    value = cells.structure("judge")
    if isinstance(value, list) and len(value) == 2 and all(isinstance(part, str) and part for part in value):
        return value[0], value[1]
    if isinstance(value, list):
        cells.refuse("judge", "is not a model and a prompt name.", 'Write it like ["gpt-4", "pair-v2"].')
        return "", ""
    return cells.word("judge", required=True), ""


def _recorded(cells: Cells, name: str) -> str | None:
    if not cells.has(name):
        return None
    value = cells.word(name).lower()
    if value not in _WINNERS:
        cells.refuse(name, f"is {value!r}.", f"FastChat writes {', '.join(_WINNERS)}.")
    return _WINNERS.get(value)


def _called_at(cells: Cells) -> str:
    return moment(cells, cells.row.cells.get("tstamp"))


def moment(cells: Cells, stamp: Any) -> str:
    """Seconds since 1970 as an ISO time in UTC; '' where there is none."""
    if stamp is None or stamp == "":
        return ""
    try:
        return datetime.fromtimestamp(float(stamp), tz=UTC).isoformat()
    except (TypeError, ValueError, OverflowError, OSError):
        cells.refuse("tstamp", f"is {stamp!r}.", "Write seconds since 1970, or leave it out.")
        return ""


def _recognises(sample: Sample) -> bool:
    return sample.has("question_id", "judge") and (
        sample.has("model_1", "model_2") or sample.has("model", "judgment", "score")
    )


FORMAT = VerdictFormat(
    name="fastchat", words="FastChat's pairwise judgments of MT-Bench", recognises=_recognises, read=read
)
