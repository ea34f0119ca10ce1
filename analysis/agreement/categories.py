"""Which categories a labels file speaks of: declared in a list, by a scheme, or not at all.

A and B become roles first: a label beside ``shown_as_a`` names a side of the screen, and agreement is about
answers. Categories that are all numbers are scores; anything else is words in declared order.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from annotation.errors import InputFileError, Problem, Refused
from annotation.records import LabelRecord
from annotation.schemes import Question, Scheme

SIDES = ("A", "B")
#: What spreadsheets and data frames write where a value is missing: no annotator's answer.
MISSING_WORDS = frozenset({"nan", "<na>", "nat", "#n/a"})
#: Stands for a role that no label names, so that q counts its category all the same.
UNSEEN_ROLE = "(other role)"


@dataclass(frozen=True, slots=True)
class CategoryLabels:
    """One value per record, and the declared categories in scale order (None where none are declared)."""

    values: tuple[Hashable, ...]
    declared: tuple[Hashable, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Categories:
    """Where categories come from: ``listed``, else ``scheme``, else what occurs. ``roles`` names both roles."""

    listed: tuple[str, ...] = ()
    scheme: Scheme | None = None
    roles: tuple[str, ...] = ()

    def read(self, records: Sequence[LabelRecord], *, file: str) -> CategoryLabels:
        """The records' labels as values of the categories; InputFileError names every row that has none."""
        problems: list[Problem] = []
        question = self._question(records, file)
        roles = _Roles.of(records, self.roles)
        words = [self._word(record, question, roles, file, problems) for record in records]
        declared = self._declared(words, question, roles)
        if declared is not None and len(set(declared)) < len(declared):
            raise InputFileError([Problem(file, None, "categories", "A category is named twice.", "Name each once.")])
        if declared is None:
            labels = [word for word in words if word is not None]
            numbers = [as_number(label) for label in labels]
            values: list[Hashable] = list(labels) if None in numbers else list(numbers)
        else:
            values = [
                _value(word, record, declared, file, problems)
                for word, record in zip(words, records, strict=True)
                if word is not None
            ]
        if problems:
            raise InputFileError(problems[:50], more=max(0, len(problems) - 50))
        return CategoryLabels(tuple(values), declared)

    def _question(self, records: Sequence[LabelRecord], file: str) -> Question | None:
        if self.scheme is None:
            return None
        name = next((record.question for record in records if record.question), "") or self.scheme.primary
        try:
            question = self.scheme.question(name)
        except Refused as error:
            raise InputFileError([Problem(file, None, "question", error.message, "Name another scheme.")]) from None
        if question.kind not in {"single", "scale"} or question.per_candidate:
            message = f"{name!r} has no single category per pair to agree on."
            raise InputFileError([Problem(file, None, "question", message, "Choose a single-choice question.")])
        return question

    def _word(
        self,
        record: LabelRecord,
        question: Question | None,
        roles: _Roles,
        file: str,
        problems: list[Problem],
    ) -> str | None:
        """The label as a category, sides turned into roles; None after noting a problem."""
        label = record.label
        if not isinstance(label, str):
            remedy = "Choose a single-choice question with --question."
            problems.append(Problem(file, record.row, "label", "Several options are no one category.", remedy))
            return None
        if label.strip().lower() in MISSING_WORDS:
            remedy = "Remove the row: a pair that was not labelled needs none."
            problems.append(Problem(file, record.row, "label", "marks a missing value and is no answer.", remedy))
            return None
        choice = question.choice(label) if question else None
        sided = choice.side if choice else (label if label in SIDES and record.shown_as_a else "")
        if sided and not record.shown_as_a:
            remedy = "Fill in shown_as_a, or write the category."
            problems.append(Problem(file, record.row, "shown_as_a", f"{label} names a side of the screen.", remedy))
            return None
        if not sided:
            return choice.category_for("") if choice else label
        role = record.shown_as_a if sided == SIDES[0] else roles.other(record)
        if role is None:
            message = f"{label} is the role that is not {record.shown_as_a!r}, and no row names it."
            remedy = "Name both with --roles."
            problems.append(Problem(file, record.row, "shown_as_a", message, remedy))
            return None
        return choice.category_for(self.scheme.role_name(role)) if choice and self.scheme else role

    def _declared(
        self, words: Sequence[str | None], question: Question | None, roles: _Roles
    ) -> tuple[Hashable, ...] | None:
        if self.listed:
            declared: Sequence[str] = self.listed
        elif self.scheme is not None and question is not None:
            declared = _scheme_categories(self.scheme, question, roles.known, words)
        else:
            return None
        numbers = [as_number(category) for category in declared]
        return tuple(declared) if None in numbers else tuple(numbers)


@dataclass(frozen=True, slots=True)
class _Roles:
    """The roles of a file, and of each pair where the file has more than two."""

    known: tuple[str, ...]
    of_pair: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, records: Sequence[LabelRecord], named: Sequence[str]) -> _Roles:
        shown: dict[str, set[str]] = {}
        for record in records:
            if record.shown_as_a:
                shown.setdefault(record.pair_id, set()).add(record.shown_as_a)
        everywhere = sorted({role for roles in shown.values() for role in roles})
        return cls(tuple(named) or tuple(everywhere), {pair: frozenset(roles) for pair, roles in shown.items()})

    def other(self, record: LabelRecord) -> str | None:
        """The role that was shown as B: the pair's other one, or the file's where it knows two."""
        for candidates in (self.of_pair.get(record.pair_id, frozenset()), self.known):
            others = set(candidates) - {record.shown_as_a}
            if len(others) == 1 and len(candidates) == 2:
                return others.pop()
        return None


def as_number(label: str) -> float | int | None:
    """The finite number a label is written as, or None."""
    if "_" in label:
        return None  # Python reads 1_000 as a number; nobody else does
    try:
        return int(label)  # exact, however long
    except ValueError:
        pass
    try:
        number = float(label)
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    return int(number) if number.is_integer() else number


def _value(
    word: str,
    record: LabelRecord,
    declared: Sequence[Hashable],
    file: str,
    problems: list[Problem],
) -> Hashable:
    value: Hashable = word if any(isinstance(category, str) for category in declared) else as_number(word)
    if value not in declared:
        shown = ", ".join(str(category) for category in declared)
        remedy = f"Declared are {shown}."
        if record.shown_as_a and record.label in SIDES:
            remedy += " A and B beside shown_as_a are read as roles."
        problems.append(Problem(file, record.row, "label", f"{word!r} is no declared category.", remedy))
    return value


def _scheme_categories(
    scheme: Scheme, question: Question, roles: Sequence[str], words: Sequence[str | None]
) -> list[str]:
    """The scheme's categories for these roles; roles that no row names are read off the labels or left open."""
    if not any(choice.side for choice in question.choices):
        return scheme.categories(question.name, (UNSEEN_ROLE, UNSEEN_ROLE))
    found = list(roles) or _roles_in_labels(question, words)
    found += [UNSEEN_ROLE] * (2 - len(found))
    categories = scheme.categories(question.name, (found[0], found[1]))
    for role in found[2:]:
        categories += [one for one in scheme.categories(question.name, (role, role)) if one not in categories]
    return categories


def _roles_in_labels(question: Question, words: Sequence[str | None]) -> list[str]:
    """The role names inside labels such as "plain_more_correct", by the scheme's own templates."""
    sided = [choice for choice in question.choices if choice.side]
    plain = {choice.category_for("") for choice in question.choices if not choice.side}
    templates = [re.compile(re.escape(choice.category_for("\0")).replace("\0", "(.+)")) for choice in sided]
    named = set()
    for word in {word for word in words if word is not None} - plain:
        for template in templates:
            if match := template.fullmatch(word):
                named.add(match.group(1))
    # More than two cannot all be roles of these pairs: then nothing is guessed, and the labels are refused.
    return sorted(named) if len(named) <= 2 else []
