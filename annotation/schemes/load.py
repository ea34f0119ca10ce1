"""Reading scheme files: every problem names the file, the line and the remedy."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from annotation.enums import TARGET_BOUNDARY, TARGET_TIE, Tier
from annotation.errors import InputFileError, Problem
from annotation.schemes.scheme import SIDES, Question, Scheme, SchemeChoice
from annotation.targets import UNCLEAR

FOLDER = Path(__file__).parent
KINDS = ("single", "multi", "scale", "text")
TARGET_WORDS = ("role", TARGET_TIE, TARGET_BOUNDARY, UNCLEAR)
_SCHEME_KEYS = {"name", "version", "title", "primary", "role_names", "questions", "targets"}
_QUESTION_KEYS = {
    "name", "ask", "kind", "required", "choices", "per_candidate", "low", "high", "low_words", "high_words", "shown_if",
}  # fmt: skip
_CHOICE_KEYS = {"value", "words", "key", "side", "category"}


def available() -> list[str]:
    """The names of all schemes in the schemes folder."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load(name: str) -> Scheme:
    """The scheme called ``name``; InputFileError where there is none or its file is bad."""
    path = FOLDER / f"{name}.toml"
    if name not in available():
        known = ", ".join(available())
        raise InputFileError([Problem(name, None, "scheme", "There is no such scheme.", f"Use one of {known}.")])
    return parse(path.read_text(encoding="utf-8"), source=path.name)


def parse(text: str, *, source: str) -> Scheme:
    """A scheme from TOML text. All problems are collected into one InputFileError."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        row = int(line.group(1)) if line else None
        raise InputFileError([Problem(source, row, "TOML", f"{error}.", "Correct the syntax.")]) from None
    return _Parser(text, source).scheme(raw)


@lru_cache(maxsize=64)
def from_canonical(text: str) -> Scheme:
    """The scheme that a round keeps, as ``Scheme.canonical`` wrote it."""
    body = json.loads(text)
    questions = tuple(
        Question(
            **{
                **question,
                "choices": tuple(SchemeChoice(**choice) for choice in question["choices"]),
                "shown_if_values": tuple(question["shown_if_values"]),
            }
        )
        for question in body["questions"]
    )
    return Scheme(**{**body, "questions": questions})


class _Parser:
    """Collects the problems of one file, with the line each stands in."""

    def __init__(self, text: str, source: str) -> None:
        self.lines = text.splitlines()
        self.source = source
        self.problems: list[Problem] = []

    def wrong(self, near: str, field: str, message: str, remedy: str) -> None:
        bare = near.replace(" ", "")
        row = next(
            (number for number, line in enumerate(self.lines, 1) if bare and bare in line.replace(" ", "")), None
        )
        self.problems.append(Problem(self.source, row, field, message, remedy))

    def scheme(self, raw: Mapping[str, Any]) -> Scheme:
        for key in sorted(set(raw) - _SCHEME_KEYS):
            self.wrong(key, key, "No scheme has this key.", f"Use {', '.join(sorted(_SCHEME_KEYS))}.")
        for key in ("name", "version", "title"):
            if not isinstance(raw.get(key), str) or not raw[key]:
                self.wrong(key, key, "The scheme needs this text.", f'Write {key} = "...".')
        questions = tuple(self.question(each) for each in raw.get("questions", []) if isinstance(each, Mapping))
        if not questions:
            self.wrong("", "questions", "The scheme asks nothing.", "Add a [[questions]] block.")
        self._unique_names(questions)
        primary = raw.get("primary", "")
        asked = next((question for question in questions if question.name == primary), None)
        if primary and asked is None:
            self.wrong("primary", "primary", f"There is no question {primary!r}.", "Name one of the questions.")
        if asked is not None and asked.kind != "single":
            self.wrong("primary", "primary", "The primary question must be single choice.", "Name another question.")
        targets = self.targets(raw.get("targets", {}), asked)
        if self.problems:
            raise InputFileError(self.problems)
        return Scheme(
            name=raw["name"],
            version=raw["version"],
            title=raw["title"],
            primary=primary,
            questions=questions,
            role_names=dict(raw.get("role_names", {})),
            targets=targets,
        )

    def _unique_names(self, questions: tuple[Question, ...]) -> None:
        seen: set[str] = set()
        for question in questions:
            if question.name in seen:
                self.wrong(
                    f'name = "{question.name}"', "name", f"{question.name!r} is asked twice.", "Rename one of them."
                )
            if question.shown_if_question and question.shown_if_question not in seen:
                self.wrong(
                    f'name = "{question.name}"',
                    "shown_if",
                    f"{question.name!r} depends on {question.shown_if_question!r}, which is not asked before it.",
                    "Name an earlier question.",
                )
            seen.add(question.name)

    def question(self, raw: Mapping[str, Any]) -> Question:
        name = str(raw.get("name", ""))
        near = f'name = "{name}"'
        for key in sorted(set(raw) - _QUESTION_KEYS):
            self.wrong(key, key, "No question has this key.", f"Use {', '.join(sorted(_QUESTION_KEYS))}.")
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            self.wrong(near, "name", f"{name!r} is no question name.", "Use lower-case letters, digits and _.")
        if not raw.get("ask"):
            self.wrong(near, "ask", f"Question {name!r} has no words.", 'Write ask = "...".')
        kind = raw.get("kind", "")
        if kind not in KINDS:
            self.wrong(near, "kind", f"{kind!r} is no kind of question.", f"Use {', '.join(KINDS)}.")
        choices = tuple(self.choice(each, name) for each in raw.get("choices", []))
        if kind in {"single", "multi"} and len(choices) < 2:
            self.wrong(near, "choices", f"Question {name!r} offers no choice.", "Declare two or more choices.")
        self._unique_choices(choices, name)
        low, high = raw.get("low", 1), raw.get("high", 5)
        if kind == "scale" and not (isinstance(low, int) and isinstance(high, int) and low < high):
            self.wrong(near, "low", "A scale runs from a whole number to a larger one.", "Correct low and high.")
        shown_if = raw.get("shown_if", {})
        return Question(
            name=name,
            ask=str(raw.get("ask", "")),
            kind=kind,
            required=bool(raw.get("required", True)),
            choices=choices,
            per_candidate=bool(raw.get("per_candidate", False)),
            low=low,
            high=high,
            low_words=str(raw.get("low_words", "")),
            high_words=str(raw.get("high_words", "")),
            shown_if_question=str(shown_if.get("question", "")),
            shown_if_values=tuple(shown_if.get("is", ())),
        )

    def choice(self, raw: Mapping[str, Any], question: str) -> SchemeChoice:
        for key in sorted(set(raw) - _CHOICE_KEYS):
            self.wrong(key, key, "No choice has this key.", f"Use {', '.join(sorted(_CHOICE_KEYS))}.")
        value, side, key = str(raw.get("value", "")), str(raw.get("side", "")), str(raw.get("key", ""))
        if not value:
            self.wrong(
                f'name = "{question}"', "value", f"A choice of {question!r} has no value.", 'Write value = "...".'
            )
        if side and side not in SIDES:
            self.wrong(f'value = "{value}"', "side", f"{side!r} is no side.", "Use A or B.")
        if not side and value in SIDES:
            self.wrong(
                f'value = "{value}"', "side", f"{value} without a side cannot be mapped.", f'Add side = "{value}".'
            )
        if len(key) > 1:
            self.wrong(f'value = "{value}"', "key", f"{key!r} is more than one key.", "Use a single character.")
        return SchemeChoice(
            value=value, words=str(raw.get("words", value)), key=key, side=side, category=str(raw.get("category", ""))
        )

    def _unique_choices(self, choices: tuple[SchemeChoice, ...], question: str) -> None:
        for field in ("value", "key"):
            used = [getattr(choice, field) for choice in choices if getattr(choice, field)]
            for twice in sorted({one for one in used if used.count(one) > 1}):
                self.wrong(f'name = "{question}"', field, f"Question {question!r} uses {twice!r} twice.", "Change one.")
        sides = [choice.side for choice in choices if choice.side]
        if sides and sorted(sides) != list(SIDES):
            self.wrong(
                f'name = "{question}"', "side", "A and B must each be offered exactly once.", "Offer both sides."
            )

    def targets(self, raw: Mapping[str, Any], primary: Question | None) -> dict[str, dict[str, str]]:
        templates = {choice.category_for("{role}") for choice in primary.choices} if primary else set()
        tables = {tier: dict(table) for tier, table in raw.items()}
        for missing in sorted(templates - set(tables.get("default", {}))):
            self.wrong("[targets", "targets", f"Category {missing!r} has no target.", "Add it to [targets.default].")
        for tier, table in tables.items():
            if tier != "default" and tier not in Tier.values():
                self.wrong(tier, "targets", f"{tier!r} is no tier.", f"Use default or {', '.join(Tier.values())}.")
            for category, target in table.items():
                if category not in templates:
                    self.wrong(category, "targets", f"{category!r} is no primary category.", "Correct its name.")
                if target not in TARGET_WORDS:
                    self.wrong(category, "targets", f"{target!r} is no target.", f"Use {', '.join(TARGET_WORDS)}.")
        return tables
