"""MT-Bench votes (human judgements, or a judge's in the same shape): who preferred which model's answer.

Source: Zheng et al. 2023 (arXiv:2306.05685); votes CC-BY-4.0. Keys: question_id, model_a, model_b, turn, judge,
winner (model_a, model_b, tie, "tie (inconsistent)"), and in full copies conversation_a and conversation_b.

Votes name the two models in either order; a pair here is the question, the turn and the two models in alphabetical
order, and votes are turned to it. Copies without conversations give pairs without text (scoreable, never labelled or
judged); their questions are read from a ``question.jsonl`` in the same folder, where there is one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from annotation.enums import Tier
from annotation.formats.cells import Cells
from annotation.formats.first_second import FIRST, INCONSISTENT_TIE, ROLES, SECOND, TIE, read_category, swapped
from annotation.formats.registry import Format, LabelRows, PairRows
from annotation.formats.seen import Seen
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.records import LabelRecord, Oddity, PairRecord

CATEGORIES = {"model_a": FIRST, "model_b": SECOND, "tie": TIE, INCONSISTENT_TIE: TIE}
QUESTIONS = "question.jsonl"


def pair_name(question: str, turn: int, models: tuple[str, str]) -> str:
    """What the pair of two models' answers is called, whichever of the two comes first in ``models``."""
    one, two = sorted(models)
    return f"mtb-{question}-t{turn}-{one}-vs-{two}"


@dataclass(frozen=True, slots=True)
class _Vote:
    cells: Cells
    question: str
    turn: int
    models: tuple[str, str]
    turned: bool

    @property
    def pair_id(self) -> str:
        return pair_name(self.question, self.turn, self.models)


def read_pairs(source: Source) -> PairRows:
    """One pair for each question, turn and two models, at its first vote; cluster is the question."""
    questions = _questions(source)
    seen = Seen()
    untold = True
    try:
        for vote in _votes(source):
            if seen.earlier(vote.cells.row.number, vote.pair_id) is not None:
                continue
            task, texts = _texts(vote, questions)
            if not vote.cells.ok:
                continue
            if not task:
                task = f"MT-Bench question {vote.question}, turn {vote.turn}"
                if untold:
                    untold = False
                    message = f"The file holds no questions; put {QUESTIONS} beside it to have them."
                    yield Oddity("task_not_in_file", message, vote.cells.row.number)
            yield PairRecord(
                pair_id=vote.pair_id,
                task=task,
                roles=ROLES,
                candidates=texts,
                tier=Tier.PREFERENCE,
                cluster=f"mtb-{vote.question}",
                domain=questions.get(vote.question, _NO_QUESTION)[0],
                source_dataset="MT-Bench",
                source_id=vote.question,
                source_licence="CC-BY-4.0",
                meta={"models": list(vote.models), "turn": vote.turn},
            )
    finally:
        seen.close()


def read_labels(source: Source) -> LabelRows:
    """One label a vote. A judge's second vote on a pair is kept as judge ``name#2`` and told."""
    seen = Seen()
    try:
        for vote in _votes(source):
            cells = vote.cells
            judge = cells.word("judge", required=True)
            winner = cells.word("winner", required=True)
            category = read_category(cells, "winner", winner, CATEGORIES) if cells.ok else None
            if category is None or not cells.ok:
                continue
            number = cells.row.number
            if winner.lower() == INCONSISTENT_TIE:
                message = f"{vote.pair_id}: {judge} said {INCONSISTENT_TIE!r}; it counts as Tie."
                yield Oddity("inconsistent_tie", message, number, vote.pair_id)
            name = judge
            times = 1
            while seen.earlier(number, vote.pair_id, name) is not None:
                times += 1
                name = f"{judge}#{times}"
            if times > 1:
                message = f"{vote.pair_id}: {judge} voted {times} times; this vote is kept as {name}."
                yield Oddity("voted_twice", message, number, vote.pair_id)
            label = swapped(category) if vote.turned else category
            yield LabelRecord(pair_id=vote.pair_id, annotator=name, label=label, row=number)
    finally:
        seen.close()


def _votes(source: Source) -> Iterator[_Vote]:
    for row in rows(source):
        cells = Cells(row, source.problems)
        question = cells.word("question_id", required=True)
        models = cells.word("model_a", required=True), cells.word("model_b", required=True)
        turn = cells.whole("turn") or 1
        if cells.ok and models[0] == models[1]:
            cells.refuse("model_b", f"both models are {models[0]!r}.", "A vote compares two models.")
        if cells.ok:
            turned = models[0] > models[1]
            yield _Vote(cells, question, turn, (models[1], models[0]) if turned else models, turned)


_NO_QUESTION: tuple[str, list[str]] = ("", [])


def _questions(source: Source) -> dict[str, tuple[str, list[str]]]:
    """{question id: (category, turns)} from the file beside the votes; empty where there is none."""
    path = source.path.parent / QUESTIONS
    if not path.is_file():
        return {}
    found: dict[str, tuple[str, list[str]]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), start=1):
        try:
            item = json.loads(line) if line.strip() else {}
            if item:
                found[str(item["question_id"])] = (str(item.get("category") or ""), [str(t) for t in item["turns"]])
        except (ValueError, KeyError, TypeError):
            source.problems.add(number, QUESTIONS, "is not a list of MT-Bench questions.", "Repair it or take it away.")
            return {}
    return found


def _texts(vote: _Vote, questions: dict[str, tuple[str, list[str]]]) -> tuple[str, tuple[str | None, str | None]]:
    """(task, the two answers): of a second turn the task holds both questions and the answer is the second one."""
    asked_a, answer_a = _conversation(vote, "conversation_a")
    asked_b, answer_b = _conversation(vote, "conversation_b")
    asked = questions.get(vote.question, _NO_QUESTION)[1][: vote.turn] or asked_a or asked_b
    task = "\n\n".join(text if at == 1 else f"[turn {at}] {text}" for at, text in enumerate(asked, start=1))
    return task, (answer_b, answer_a) if vote.turned else (answer_a, answer_b)


def _conversation(vote: _Vote, name: str) -> tuple[list[str], str | None]:
    """(questions asked up to the turn, the answer of that turn) from a list of {role, content}."""
    messages: Any = vote.cells.structure(name)
    if messages is None:
        return [], None
    try:
        asked = [str(message["content"]) for message in messages if message["role"] == "user"]
        answers = [message["content"] for message in messages if message["role"] != "user"]
    except (TypeError, KeyError):
        vote.cells.refuse(name, "is not a list of role and content.", "Take MT-Bench's own export.")
        return [], None
    answer = answers[vote.turn - 1] if len(answers) >= vote.turn else None
    return asked[: vote.turn], vote.cells.as_passage(name, answer)


def _recognises(sample: Sample) -> bool:
    return sample.has("question_id", "model_a", "model_b", "winner")


FORMAT = Format(name="mtbench", words="MT-Bench votes", recognises=_recognises, pairs=read_pairs, labels=read_labels)
