"""A scheme's questions as form controls, and posted fields as answers. Pages only; the API takes answers as they are.

A question is shown as one group of controls, or as two (A and B) where each candidate is asked about. Every choice
has a key: the one its scheme declares, or its place in the group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from annotation.schemes import Question
from annotation.schemes.scheme import SIDES

#: Keys that belong to the page itself; a choice that declares one gets its place in the group instead.
PAGE_KEYS = frozenset("ufc?")


@dataclass(frozen=True, slots=True)
class Option:
    value: str
    words: str
    key: str
    checked: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Controls of one name: radio buttons, check boxes or one text field. ``side`` is A or B where both are asked."""

    field: str
    side: str
    options: tuple[Option, ...]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Control:
    question: Question
    number: int
    groups: tuple[Group, ...]

    @property
    def input_type(self) -> str:
        return {"multi": "checkbox", "text": "text"}.get(self.question.kind, "radio")


def controls(questions: Sequence[Question], answers: Mapping[str, Any]) -> list[Control]:
    """The questions in order, numbered from 1, with what is already answered (in screen terms)."""
    return [
        Control(question, number, _groups(question, answers.get(question.name)))
        for number, question in enumerate(questions, 1)
    ]


def answers_from(post: QueryDict, questions: Sequence[Question]) -> dict[str, Any]:
    """The posted fields as answers in screen terms; what was left open is left out. Checks nothing else."""
    answers: dict[str, Any] = {}
    for question in questions:
        field = field_of(question)
        given: Any
        if question.per_candidate:
            given = {side: post[f"{field}-{side}"] for side in SIDES if post.get(f"{field}-{side}")}
        elif question.kind == "multi":
            given = post.getlist(field)
        else:
            given = post.get(field, "")
        if given:
            answers[question.name] = given
    return answers


def field_of(question: Question) -> str:
    return f"q-{question.name}"


def _groups(question: Question, given: Any) -> tuple[Group, ...]:
    field = field_of(question)
    if question.kind == "text":
        return (Group(field, "", (), str(given or "")),)
    if question.per_candidate:
        sides = given if isinstance(given, Mapping) else {}
        return tuple(Group(f"{field}-{side}", side, _options(question, sides.get(side))) for side in SIDES)
    return (Group(field, "", _options(question, given)),)


def _options(question: Question, given: Any) -> tuple[Option, ...]:
    chosen = {str(each) for each in given} if isinstance(given, list) else {str(given)}
    if question.kind == "scale":
        offered = [(str(number), str(number), str(number % 10)) for number in range(question.low, question.high + 1)]
    else:
        offered = [(choice.value, choice.words, choice.key) for choice in question.choices]
    taken = {key for _, _, key in offered if key not in PAGE_KEYS}
    free = iter([digit for digit in "1234567890" if digit not in taken])
    return tuple(
        Option(value, words, key if key and key not in PAGE_KEYS else next(free, ""), value in chosen)
        for value, words, key in offered
    )
