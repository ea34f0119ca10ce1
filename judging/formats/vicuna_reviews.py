"""Reviews of the Vicuna blog evaluation: a pair of scores on the first line, then the reasons.

Source: lm-sys/vicuna-blog-eval and early FastChat, Apache-2.0. Keys: review_id, question_id, answer1_id, answer2_id,
reviewer_id (a number in some files, text in others), text, score ([8, 9]; [-1, -1] where none was read). One order
only. The models are in the file's name alone (review_MODEL1_MODEL2.jsonl), so a pair is called
``vicuna-QUESTION-MODEL1_MODEL2``.
"""

from __future__ import annotations

from annotation.formats.cells import Cells
from annotation.formats.first_second import FIRST
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from judging.enums import ReplyStyle
from judging.formats.registry import VerdictFormat, VerdictRows
from judging.formats.replies import read_reply
from judging.records import VerdictRecord

PROTOCOL = "vicuna-review"


def read(source: Source) -> VerdictRows:
    """One verdict a review, read in the scores style (1 to 10)."""
    models = source.path.stem.rpartition("review_")[2]
    for row in rows(source):
        cells = Cells(row, source.problems)
        question, judge = cells.word("question_id", required=True), _reviewer(cells)
        reply, recorded = cells.passage("text", required=True), _recorded(cells)
        if not cells.ok:
            continue
        blank = VerdictRecord(
            pair_id=f"vicuna-{question}-{models}",
            judge=judge,
            protocol=PROTOCOL,
            outcome="unparsed",
            shown_as_a=FIRST,
            n_calls=1,
            row=row.number,
        )
        yield from read_reply(blank, reply, style=ReplyStyle.SCORES, recorded=recorded)


def _reviewer(cells: Cells) -> str:
    """The reviewer's name; a bare number says nothing by itself, and is called reviewer-N."""
    name = cells.word("reviewer_id", required=True)
    return f"reviewer-{name}" if name.isdigit() else name


def _recorded(cells: Cells) -> str | None:
    score = cells.structure("score")
    if score is None:
        return None
    if not isinstance(score, list) or len(score) != 2 or not all(isinstance(one, int | float) for one in score):
        cells.refuse("score", "is not a pair of numbers.", "Write it like [8, 9], or leave it out.")
        return None
    one, two = score
    if one < 0 or two < 0:
        return ""
    return "Tie" if one == two else ("A" if one > two else "B")


def _recognises(sample: Sample) -> bool:
    return sample.has("question_id", "answer1_id", "answer2_id", "text")


FORMAT = VerdictFormat(
    name="vicuna_reviews", words="Reviews of the Vicuna blog evaluation", recognises=_recognises, read=read
)
