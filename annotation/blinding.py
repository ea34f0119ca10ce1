"""What an annotator may see, and the one place where screen order becomes roles and back.

Labelling pages and the annotator's API receive a BlindPair, never a model. A field that is not on it does not
reach an annotator.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from annotation.schemes import Question, Scheme, sides_to_roles


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindPair:
    """A task and two texts as sides A and B, with the questions to answer. Nothing else is known of them."""

    assignment: str
    task: str
    context: str
    a: str
    b: str
    questions: tuple[Question, ...]
    primary: str
    answers: Mapping[str, Any] = field(default_factory=dict)
    comment: str = ""

    def as_json(self) -> dict[str, Any]:
        """The annotator API's answer: an explicit list, so that a new field is a decision."""
        return {
            "assignment": self.assignment,
            "task": self.task,
            "context": self.context,
            "a": self.a,
            "b": self.b,
            "questions": [question_as_json(question) for question in self.questions],
            "primary": self.primary,
            "answers": dict(self.answers),
            "comment": self.comment,
        }


def question_as_json(question: Question) -> dict[str, Any]:
    """A question as shown: the words, keys and values of its choices, but no category and no role."""
    return {
        "name": question.name,
        "ask": question.ask,
        "kind": question.kind,
        "required": question.required,
        "per_candidate": question.per_candidate,
        "low": question.low,
        "high": question.high,
        "low_words": question.low_words,
        "high_words": question.high_words,
        "shown_if": {"question": question.shown_if_question, "is": list(question.shown_if_values)},
        "choices": [{"value": c.value, "words": c.words, "key": c.key} for c in question.choices],
    }


def blind_pair(
    *,
    assignment: str,
    scheme: Scheme,
    task: str,
    context: str | None,
    roles: tuple[str, str],
    texts: tuple[str, str],
    shown_as_a: str,
    answers: Mapping[str, Any],
    comment: str = "",
) -> BlindPair:
    """The pair as one annotator sees it. ``texts`` are in role order, ``answers`` in screen terms (A / B)."""
    by_role = dict(zip(roles, texts, strict=True))
    sides = sides_to_roles(roles, shown_as_a)
    return BlindPair(
        assignment=assignment,
        task=task,
        context=context or "",
        a=by_role[sides["A"]],
        b=by_role[sides["B"]],
        questions=tuple(_without_categories(question) for question in scheme.questions),
        primary=scheme.primary,
        answers=answers,
        comment=comment,
    )


def _without_categories(question: Question) -> Question:
    """A question whose choices know no category: role names never travel with a BlindPair."""
    return replace(question, choices=tuple(replace(choice, category="") for choice in question.choices))
