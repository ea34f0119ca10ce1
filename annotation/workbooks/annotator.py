"""An annotator's workbook: the guideline, their own pairs in their own order, a drop-down for every answer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from django.db import transaction
from openpyxl import Workbook, load_workbook
from openpyxl.utils import get_column_letter, quote_sheetname
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from annotation import schemes
from annotation.blinding import BlindPair
from annotation.enums import AssignmentState
from annotation.errors import InputFileError, Problem, Refused, TiebreakError
from annotation.formats.xlsx_rows import unescaped
from annotation.models import Assignment, RoundAnnotator, User
from annotation.schemes import Question, Scheme
from annotation.schemes.scheme import SIDES
from annotation.steps.label import as_blind_pair, submit_label
from annotation.workbooks.sheets import lines, put, table

PAIRS, GUIDELINE, CHOICES = "Pairs", "Guideline", "Choices"
FIXED = ("item", "task", "context", "A", "B")
COMMENT = "comment"
MOST_PROBLEMS = 50


@dataclass(frozen=True, slots=True)
class Column:
    """One answer column: a question, or one side of a question asked of each candidate, or one of its options."""

    title: str
    question: Question
    side: str = ""
    option: str = ""

    @property
    def offered(self) -> list[str]:
        if self.option:
            return ["yes"]
        if self.question.kind == "scale":
            return [str(number) for number in range(self.question.low, self.question.high + 1)]
        return [choice.words for choice in self.question.choices]


@dataclass(frozen=True, slots=True)
class Taken:
    """What an import did: pairs submitted, already there with the same answers, and left empty."""

    submitted: int
    unchanged: int
    empty: int


def write_workbook(place: RoundAnnotator, to: Path | BinaryIO) -> None:
    """Write the workbook of ``place``: opaque ids, texts as A and B, what was already answered. Nothing else."""
    scheme = schemes.from_canonical(place.round.scheme)
    book = Workbook()
    pairs = book.active
    assert isinstance(pairs, Worksheet)  # noqa: S101 - a new workbook has one plain sheet
    pairs.title = PAIRS
    columns = answer_columns(scheme)
    header = [*FIXED, *(column.title for column in columns), COMMENT]
    count = table(pairs, header, _rows(place, columns), widths=[14, 40, 30, 60, 60, *[18] * len(columns), 30])
    _add_drop_downs(book, pairs, columns, count)
    lines(book.create_sheet(GUIDELINE), _guideline(place, scheme))
    book.save(to)


def read_workbook(place: RoundAnnotator, path: Path, *, user: User) -> Taken:
    """Submit what a workbook holds, all of it or nothing. Raises InputFileError naming row and column.

    A row without any answer is left to do. The same answers again change nothing.
    """
    scheme = schemes.from_canonical(place.round.scheme)
    columns = answer_columns(scheme)
    given = list(_given(path, columns))
    problems: list[Problem] = []
    taken = {"submitted": 0, "unchanged": 0, "empty": 0}
    with transaction.atomic():
        for row, item, answers, comment in given:
            if not answers and not comment:
                taken["empty"] += 1
                continue
            try:
                taken[_submit(place, user, item, answers, comment)] += 1
            except TiebreakError as error:
                problems.append(Problem(path.name, row, f"item {item}", error.message, "Correct this row."))
        if problems:
            raise InputFileError(problems[:MOST_PROBLEMS], more=max(0, len(problems) - MOST_PROBLEMS))
    return Taken(**taken)


def answer_columns(scheme: Scheme) -> list[Column]:
    """The answer columns of a scheme, in its order."""
    columns: list[Column] = []
    for question in scheme.questions:
        if question.per_candidate:
            columns += [Column(f"{question.ask} ({side})", question, side=side) for side in SIDES]
        elif question.kind == "multi":
            columns += [Column(f"{question.ask} {c.words}", question, option=c.value) for c in question.choices]
        else:
            columns.append(Column(question.ask, question))
    return columns


def _rows(place: RoundAnnotator, columns: list[Column]) -> Iterator[list[str]]:
    own = (
        Assignment.objects.filter(annotator=place)
        .exclude(state=AssignmentState.RELEASED)
        .select_related("annotator", "round", "item__pair", "draft")
        .order_by("position")
    )
    for assignment in own.iterator(chunk_size=200):
        shown = as_blind_pair(assignment)
        fixed = [shown.assignment, shown.task, shown.context, shown.a, shown.b]
        yield [*fixed, *(_shown_answer(column, shown) for column in columns), shown.comment]


def _shown_answer(column: Column, shown: BlindPair) -> str:
    answer = shown.answers.get(column.question.name)
    if answer is None:
        return ""
    if column.option:
        return "yes" if column.option in answer else ""
    if column.side:
        return str(answer.get(column.side, ""))
    choice = column.question.choice(str(answer))
    return choice.words if choice else str(answer)


def _add_drop_downs(book: Workbook, pairs: Worksheet, columns: list[Column], count: int) -> None:
    """Validation lists stand in a sheet of their own: written into the rule they may hold 255 characters at most."""
    choices = book.create_sheet(CHOICES)
    for place, column in enumerate(columns, 1):
        if column.question.kind == "text":
            continue
        for row, words in enumerate(column.offered, 1):
            put(choices, row, place, words)
        letter, target = get_column_letter(place), get_column_letter(len(FIXED) + place)
        source = f"{quote_sheetname(CHOICES)}!${letter}$1:${letter}${len(column.offered)}"
        rule = DataValidation(type="list", formula1=source, allow_blank=True, showErrorMessage=True)
        rule.error = "Choose one of the list."
        pairs.add_data_validation(rule)
        rule.add(f"{target}2:{target}{max(2, count + 1)}")
    choices.sheet_state = "hidden"


def _guideline(place: RoundAnnotator, scheme: Scheme) -> str:
    latest = place.round.guidelines.order_by("-version").first()
    how = (
        f"Answer on the sheet “{PAIRS}”, one row a pair, with the drop-downs. Leave a row empty to do it later. "
        "Do not change the column “item”, and do not add or sort columns."
    )
    return f"{latest.text if latest else ''}\n\n# {scheme.title}\n{how}"


def _given(path: Path, columns: list[Column]) -> Iterator[tuple[int, str, dict[str, Any], str]]:
    """(row, item, answers in screen terms, comment) of every row; InputFileError for a sheet that is not ours."""
    try:
        book = load_workbook(path, read_only=True)
        sheet = book[PAIRS]
    except (InvalidFileException, KeyError, ValueError, OSError) as error:
        problem = f"is no workbook with a sheet {PAIRS} ({error})."
        raise _bad(path, None, "file", problem, "Use the one you were given.") from None
    rows = sheet.iter_rows(values_only=True)
    header = [_text(cell) for cell in next(rows, ())]
    wanted = [*FIXED, *(column.title for column in columns), COMMENT]
    if header[: len(wanted)] != wanted:
        raise _bad(path, 1, "header", "is not the one that was written.", "Put the columns back as they were.")
    for number, cells in enumerate(rows, 2):
        values = [_text(cell) for cell in cells] + [""] * (len(wanted) - len(cells))
        if any(values):
            answers = _answers(path, number, columns, values[len(FIXED) :])
            yield number, values[0], answers, values[len(wanted) - 1]
    book.close()


def _answers(path: Path, row: int, columns: list[Column], values: list[str]) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    for column, words in zip(columns, values, strict=False):
        if not words:
            continue
        question = column.question
        if column.option:
            if words.casefold() != "yes":
                raise _bad(path, row, column.title, f"is {words!r}.", "Write yes, or leave it empty.")
            answers.setdefault(question.name, []).append(column.option)
        elif column.side:
            answers.setdefault(question.name, {})[column.side] = words
        elif question.kind == "single":
            chosen = next((choice for choice in question.choices if choice.words == words), None)
            if chosen is None:
                raise _bad(path, row, column.title, f"is {words!r}.", f"Use one of {', '.join(column.offered)}.")
            answers[question.name] = chosen.value
        else:
            answers[question.name] = words
    return answers


def _submit(place: RoundAnnotator, user: User, item: str, answers: Mapping[str, Any], comment: str) -> str:
    assignment = (
        Assignment.objects.filter(annotator=place, public_id=item)
        .select_related("annotator", "round", "item__pair", "draft")
        .first()
    )
    if assignment is None:
        raise Refused("is none of your pairs.", code="no_such_assignment")
    scheme = schemes.from_canonical(place.round.scheme)
    if assignment.state == AssignmentState.SUBMITTED:
        shown = as_blind_pair(assignment)
        if scheme.clean(shown.answers) == scheme.clean(answers) and shown.comment == comment:
            return "unchanged"
    said = repr((sorted(scheme.clean(answers).items()), comment))
    submit_label(
        user=user,
        public_id=item,
        answers=answers,
        comment=comment,
        client_key=f"workbook-{assignment.revision}-{hashlib.sha256(said.encode()).hexdigest()[:32]}",
    )
    return "submitted"


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return unescaped(str(cell))


def _bad(path: Path, row: int | None, field: str, message: str, remedy: str) -> InputFileError:
    return InputFileError([Problem(path.name, row, field, message, remedy)])
