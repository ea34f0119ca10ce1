"""Arena-Hard judgments: a model against a baseline, two games a row, the second with the answers changed over.

Source: Li et al. 2024 (arXiv:2406.11939); lmarena/arena-hard-auto, Apache-2.0. Keys: question_id (version 0.1) or uid
(version 2), judge, model, baseline? (version 2), games [{judgment, score}]; a judgment is the reply, or
{"answer": reply}; a game that never came about is null. The baseline is shown as A in the first game. A pair is called
``arena-QUESTION-BASELINE-vs-MODEL``, its first role is the baseline's; version 0.1 does not say which model that was,
and the word ``baseline`` stands for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.formats.cells import Cells
from annotation.formats.first_second import FIRST, SECOND
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.records import Oddity
from judging.enums import ReplyStyle
from judging.formats.fastchat import moment
from judging.formats.registry import VerdictFormat, VerdictRows
from judging.formats.replies import read_reply
from judging.records import VerdictRecord

PROTOCOL = "arena-hard"
_ORDERS = (FIRST, SECOND)
_SCORES = {
    "A>B": "A", "A>>B": "A", "B<A": "A", "B<<A": "A", "B>A": "B", "B>>A": "B", "A<B": "B", "A<<B": "B",
    "A=B": "Tie", "B=A": "Tie",
}  # fmt: skip


def read(source: Source) -> VerdictRows:
    """One verdict a game, read in the arena style."""
    for row in rows(source):
        cells = Cells(row, source.problems)
        question = cells.word("question_id") or cells.word("uid", required=True)
        judge, model = cells.word("judge", required=True), cells.word("model", required=True)
        baseline, called_at = cells.word("baseline") or "baseline", moment(cells, row.cells.get("tstamp"))
        games = _games(cells)
        if not cells.ok:
            continue
        for shown_as_a, (reply, recorded) in zip(_ORDERS, games, strict=False):
            blank = VerdictRecord(
                pair_id=f"arena-{question}-{baseline}-vs-{model}",
                judge=judge,
                protocol=PROTOCOL,
                outcome="error",
                shown_as_a=shown_as_a,
                n_calls=1,
                called_at=called_at,
                reason="no_reply",
                source="replay",
                row=row.number,
            )
            if reply is None and recorded is None:
                yield blank
            else:
                yield from read_reply(blank, reply, style=ReplyStyle.ARENA, recorded=recorded)
        if len(games) == 1:
            yield Oddity("one_game", f"{question}: only the first game was played.", row.number)


def _games(cells: Cells) -> list[tuple[str | None, str | None]]:
    """(reply, what was read in it) of one or two games; (None, None) for a game that never came about."""
    value = cells.structure("games")
    if not isinstance(value, list) or not 1 <= len(value) <= len(_ORDERS):
        cells.refuse("games", "is not a list of one or two games.", "Take Arena-Hard's own judgment files.")
        return []
    return [(None, None) if game is None else _game(cells, game) for game in value]


def _game(cells: Cells, game: Any) -> tuple[str | None, str | None]:
    reply = game.get("judgment") if isinstance(game, Mapping) else None
    if isinstance(reply, Mapping):
        reply = reply.get("answer")
    if not isinstance(game, Mapping) or not isinstance(reply, str | None):
        cells.refuse("games", "holds a game whose judgment is no text.", "Take Arena-Hard's own judgment files.")
        return None, None
    score = game.get("score")
    if "score" not in game:
        return reply, None
    # A score of another kind, as of graded answers, is no verdict that could be compared.
    return reply, _SCORES.get("".join(str(score or "").split()).upper().strip("[]"), "")


def _recognises(sample: Sample) -> bool:
    return sample.has("games", "judge", "model")


FORMAT = VerdictFormat(name="arena_hard", words="Arena-Hard judgments", recognises=_recognises, read=read)
