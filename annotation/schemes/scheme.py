"""A label scheme as declared in its TOML file: questions, categories and what each means as a target."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from annotation.enums import TARGET_TIE
from annotation.errors import Refused

SIDES = ("A", "B")


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeChoice:
    """One answer on screen. A choice with a side means a role on the server, never A or B."""

    value: str
    words: str
    key: str = ""
    side: str = ""
    category: str = ""

    def category_for(self, role_name: str) -> str:
        """The category stored for this choice; ``role_name`` is the name of the role shown on its side."""
        if self.side:
            return (self.category or "{role}").replace("{role}", role_name)
        return self.category or self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """``kind`` is single, multi, scale or text. A scale may be asked of each candidate."""

    name: str
    ask: str
    kind: str
    required: bool = True
    choices: tuple[SchemeChoice, ...] = ()
    per_candidate: bool = False
    low: int = 1
    high: int = 5
    low_words: str = ""
    high_words: str = ""
    shown_if_question: str = ""
    shown_if_values: tuple[str, ...] = ()

    def choice(self, value: str) -> SchemeChoice | None:
        return next((choice for choice in self.choices if choice.value == value), None)

    def is_shown(self, answers: Mapping[str, Any]) -> bool:
        """Whether this question is asked, given the answers so far."""
        return not self.shown_if_question or answers.get(self.shown_if_question) in self.shown_if_values


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """The questions of a round. ``digest`` changes with any change of content."""

    name: str
    version: str
    title: str
    primary: str
    questions: tuple[Question, ...]
    role_names: Mapping[str, str] = field(default_factory=dict)
    targets: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def canonical(self) -> str:
        """The scheme as canonical JSON: what a round keeps and what ``digest`` hashes."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.canonical.encode()).hexdigest()

    def question(self, name: str) -> Question:
        for question in self.questions:
            if question.name == name:
                return question
        raise Refused(f"Scheme {self.name} has no question {name!r}.", code="unknown_question")

    @property
    def primary_question(self) -> Question | None:
        return self.question(self.primary) if self.primary else None

    def role_name(self, role: str) -> str:
        return self.role_names.get(role, role)

    def categories(self, question: str, roles: tuple[str, str]) -> list[str]:
        """The declared categories in scale order: the q of AC1 and Brennan-Prediger counts these."""
        asked = self.question(question)
        if asked.kind == "scale":
            return [str(number) for number in range(asked.low, asked.high + 1)]
        found: list[str] = []
        sided = 0
        for choice in asked.choices:
            # The first sided choice stands for role 1 and the second for role 2, whatever was on screen.
            role = roles[min(sided, 1)]
            sided += bool(choice.side)
            category = choice.category_for(self.role_name(role))
            if category not in found:
                found.append(category)
        return found

    def meanings(self, roles: tuple[str, str], *, tier: str | None = None) -> dict[str, str]:
        """{primary category: target} in a tier: a role, ``tie``, ``boundary`` or ``unclear`` (excluded)."""
        declared = {**self.targets.get("default", {}), **self.targets.get(tier or "", {})}
        found: dict[str, str] = {}
        for template, target in declared.items():
            for role in roles if "{role}" in template else roles[:1]:
                category = template.replace("{role}", self.role_name(role))
                found[category] = role if target == "role" else target
        return found

    def ties(self, roles: tuple[str, str]) -> list[str]:
        """The primary categories that mean a tie."""
        return [category for category, target in self.meanings(roles).items() if target == TARGET_TIE]

    def clean(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """The answers as given on screen, checked against the scheme. Unknown or missing ones are refused."""
        unknown = sorted(set(answers) - {question.name for question in self.questions})
        if unknown:
            raise Refused(f"There is no question {unknown[0]!r} in this round.", code="unknown_question")
        cleaned: dict[str, Any] = {}
        for question in self.questions:
            given = answers.get(question.name)
            if given in (None, "", [], {}):
                if question.required and question.is_shown(answers):
                    raise Refused(f"“{question.ask}” has no answer yet.", code="missing_answer")
                continue
            if not question.is_shown(answers):
                continue
            cleaned[question.name] = _checked(question, given)
        return cleaned

    def to_roles(self, answers: Mapping[str, Any], *, roles: tuple[str, str], shown_as_a: str) -> dict[str, Any]:
        """Cleaned screen answers in roles: the form in which they are stored."""
        side_role = sides_to_roles(roles, shown_as_a)
        stored: dict[str, Any] = {}
        for name, given in answers.items():
            question = self.question(name)
            if question.per_candidate:
                stored[name] = {side_role[side]: number for side, number in given.items()}
            elif question.kind in {"single", "multi"}:
                values = [given] if question.kind == "single" else given
                mapped = [self._category(question, value, side_role) for value in values]
                stored[name] = mapped[0] if question.kind == "single" else mapped
            else:
                stored[name] = given
        return stored

    def to_sides(self, stored: Mapping[str, Any], *, roles: tuple[str, str], shown_as_a: str) -> dict[str, Any]:
        """Stored answers as this annotator saw them; the inverse of ``to_roles``."""
        side_role = sides_to_roles(roles, shown_as_a)
        role_side = {role: side for side, role in side_role.items()}
        shown: dict[str, Any] = {}
        for name, given in stored.items():
            question = self.question(name)
            if question.per_candidate:
                shown[name] = {role_side[role]: number for role, number in given.items()}
            elif question.kind in {"single", "multi"}:
                by_category = {
                    self._category(question, choice.value, side_role): choice.value for choice in question.choices
                }
                shown[name] = by_category[given] if question.kind == "single" else [by_category[c] for c in given]
            else:
                shown[name] = given
        return shown

    def _category(self, question: Question, value: str, side_role: Mapping[str, str]) -> str:
        choice = question.choice(value)
        assert choice is not None  # noqa: S101 - clean() let only declared values through
        return choice.category_for(self.role_name(side_role[choice.side]) if choice.side else "")


def sides_to_roles(roles: tuple[str, str], shown_as_a: str) -> dict[str, str]:
    """{"A": role, "B": role} for a recorded order; Refused for a role that the pair does not have."""
    if shown_as_a not in roles:
        raise Refused(f"{shown_as_a!r} is none of the roles {roles[0]} and {roles[1]}.", code="unknown_role")
    other = roles[1] if shown_as_a == roles[0] else roles[0]
    return {"A": shown_as_a, "B": other}


def _checked(question: Question, given: Any) -> Any:
    if question.kind == "scale":
        return _checked_scale(question, given)
    if question.kind == "text":
        if not isinstance(given, str):
            raise Refused(f"“{question.ask}” takes text.", code="invalid_answer")
        return given
    values = given if question.kind == "multi" else [given]
    if not isinstance(values, list):
        raise Refused(f"“{question.ask}” takes a list of choices.", code="invalid_answer")
    for value in values:
        if not isinstance(value, str) or question.choice(value) is None:
            raise Refused(f"“{question.ask}” does not offer {value!r}.", code="invalid_answer")
    return list(_in_declared_order(question, values)) if question.kind == "multi" else given


def _in_declared_order(question: Question, values: list[str]) -> Iterator[str]:
    return (choice.value for choice in question.choices if choice.value in values)


def _checked_scale(question: Question, given: Any) -> Any:
    if question.per_candidate:
        if not isinstance(given, Mapping) or set(given) != set(SIDES):
            raise Refused(f"“{question.ask}” needs a number for A and for B.", code="missing_answer")
        return {side: _checked_number(question, given[side]) for side in SIDES}
    return _checked_number(question, given)


def _checked_number(question: Question, given: Any) -> int:
    if isinstance(given, str) and given.isascii() and given.isdigit():
        given = int(given)
    if isinstance(given, bool) or not isinstance(given, int) or not question.low <= given <= question.high:
        raise Refused(
            f"“{question.ask}” takes a whole number from {question.low} to {question.high}.", code="invalid_answer"
        )
    return given
