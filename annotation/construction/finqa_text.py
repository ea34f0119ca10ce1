"""Puts a FinQA item into words: table rows and report sentences as evidence, its program as arithmetic."""

from __future__ import annotations

import re

from annotation.construction.body import Body, Statement
from annotation.construction.finqa_answer import answer_format, answer_text
from annotation.construction.finqa_chain import chain_of
from annotation.construction.items import FinqaItem
from annotation.construction.program import TABLE_OPERATIONS, ProgramError, cell_number, number_of, table_row
from annotation.construction.recipe import Unfit
from annotation.construction.tidy import sentence_case, tidy_question, tidy_report

#: Wider rows are cut to the cells the arithmetic uses.
_WIDE = 4
_DATED = re.compile(r"(?:19|20)\d\d|\d{1,2}/\d{1,2}/\d{2,4}")
_FOOTNOTE = re.compile(r"\s*\((?:\d{1,2}|[a-z])\)")
_UNIT = re.compile(
    r"((?:\$ )?in (?:thousands|millions|billions)(?: of [\w. ]+)?|(?:thousands|millions|billions) of [\w ]+|^millions$)"
)
_IN_TEXT = re.compile(r"\d[\d,]*\.?\d*|\.\d+")


def task_of(item: FinqaItem) -> str:
    """The question, ending in a question mark."""
    question = tidy_question(tidy_report(item.question))
    return question if question.endswith(("?", ".", "!")) else question + "?"


def full_body(item: FinqaItem, *, hidden: frozenset[int] = frozenset()) -> Body:
    """Evidence, arithmetic and the right answer; the arithmetic leaves out the ``hidden`` steps. Raises ``Unfit``."""
    answer = answer_text(item)
    return Body(evidence_of(item), chain_of(item, hidden).words(answer, answer_format(item)), answer)


def evidence_of(item: FinqaItem) -> tuple[Statement, ...]:
    """The gold rows and sentences that hold the program's figures; where none is named, those that can be found.

    Gold rows without any figure of the program are left out unless nothing else is left. Raises ``Unfit`` where a
    figure of the program stands nowhere in the report.
    """
    rows, texts = _where(item)
    statements = [_row_statement(item, number, hop) for hop, number in enumerate(rows)]
    statements += [_text_statement(item, number, len(rows) + hop) for hop, number in enumerate(texts)]
    found = [statement for statement in statements if statement.text]
    if not found:
        raise Unfit("no row or sentence of its report holds its figures")
    return tuple(found)


def _where(item: FinqaItem) -> tuple[list[int], list[int]]:
    """The rows and sentences to show: gold ones that are used, then the first that hold what is still missing."""
    rows = [
        table_row(step.arguments[0], item.table) for step in item.program.steps if step.operation in TABLE_OPERATIONS
    ]
    texts: list[int] = []
    for literal in item.program.literals():
        value = _value(literal)
        if any(_row_holds(item, row, value) for row in rows) or any(_text_holds(item, text, value) for text in texts):
            continue
        row = _first(item, [*item.gold_rows, *range(len(item.table))], value)
        gold_text = next((number for number in item.gold_texts if _text_holds(item, number, value)), None)
        if gold_text is not None and row not in item.gold_rows:
            texts.append(gold_text)
        elif row is not None:
            rows.append(row)
        else:
            text = next((number for number in range(len(item.texts)) if _text_holds(item, number, value)), None)
            if text is not None:
                texts.append(text)
            elif not _spoken(item.question, value) and not _everyday(value):
                raise Unfit(f"the figure {literal} of its program stands nowhere in its report")
    if not rows and not texts:
        return sorted(item.gold_rows), sorted(item.gold_texts)
    return sorted(set(rows)), sorted(set(texts))


def _first(item: FinqaItem, candidates: list[int], value: float) -> int | None:
    return next((row for row in candidates if _row_holds(item, row, value)), None)


def _value(literal: str) -> float:
    try:
        return abs(number_of(literal))
    except ProgramError as error:
        raise Unfit(f"its program takes {literal!r} for a number") from error


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-9 * max(1.0, abs(one))


def _row_holds(item: FinqaItem, row: int, value: float) -> bool:
    return any(_cell_holds(cell, value) for cell in item.table[row][1:])


def _cell_holds(cell: str, value: float) -> bool:
    number = cell_number(cell)
    if number is None:
        return False
    return _same(abs(number), value) or ("%" in cell and _same(abs(number) * 100, value))


def _text_holds(item: FinqaItem, number: int, value: float) -> bool:
    return _spoken(item.texts[number], value)


def _spoken(text: str, value: float) -> bool:
    found = [float(match.replace(",", "")) for match in _IN_TEXT.findall(text) if match.strip(".,")]
    return any(_same(number, value) or _same(number, value * 100) for number in found)


def _everyday(value: float) -> bool:
    """Counts and units that nobody looks up: how many years, per hundred, per thousand."""
    return value in {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 100, 1000, 1_000_000}


def _row_statement(item: FinqaItem, number: int, hop: int) -> Statement:
    header, row = item.table[0], item.table[number]
    used = [
        column for column in range(1, len(row)) if any(_cell_holds(row[column], one) for one in _figures(item, row))
    ]
    shown = [column for column in range(1, len(row)) if column in used or not _lost_dash(row[column])]
    if len(shown) > _WIDE and used:
        shown = used
    values = ", ".join(_cell_words(row[column], header[column] if column < len(header) else "") for column in shown)
    label = _FOOTNOTE.sub("", tidy_report(row[0])).rstrip(":.* ") or "This row"
    unit = _unit(header[0]) if number else ""
    text = f"{label}{f' ({unit})' if unit else ''}: {values}" if values else ""
    return Statement(sentence_case(text), "Report table", f"row {number + 1}", hop)


def _lost_dash(cell: str) -> bool:
    """Whether a cell is empty: a dash, or what is left of one (U+2013 and U+2014 lost their escape)."""
    return not re.search(r"\w", cell) or cell.replace("$", "").strip() in {"2013", "2014"}


def _cell_words(cell: str, header: str) -> str:
    value = tidy_report(cell)
    name = _heading(header)
    # some tables have lost their header: a first row of amounts names nothing
    named = bool(_DATED.search(name)) or (bool(re.search(r"[A-Za-z]", name)) and not name.startswith("$"))
    return f"{value} ({name})" if named else value


def _heading(text: str) -> str:
    """A column's name without footnote marks, its inner brackets turned into commas (it will stand in brackets)."""
    name = _FOOTNOTE.sub("", tidy_report(text)).rstrip("*").strip()
    return re.sub(r" ?\(([^()]*)\)?", r", \1", name).strip(" ,")


def _unit(header: str) -> str:
    match = _UNIT.search(tidy_report(header))
    return match.group(1) if match else ""


def _figures(item: FinqaItem, row: tuple[str, ...]) -> list[float]:
    """The figures the program takes, or all of a row that it sums up as a whole."""
    named = {step.arguments[0] for step in item.program.steps if step.operation in TABLE_OPERATIONS}
    if row[0] in named:
        return [abs(value) for cell in row[1:] if (value := cell_number(cell)) is not None]
    return [_value(literal) for literal in item.program.literals()]


def _text_statement(item: FinqaItem, number: int, hop: int) -> Statement:
    text = tidy_report(item.texts[number])
    # FinQA's splitter cuts at "u.s." and "inc."; a piece that starts nowhere needs the one before it
    if number and re.match(r"\d+ ?,|[,;)]", item.texts[number].strip()):
        text = tidy_report(f"{item.texts[number - 1].strip().removesuffix('.')} {item.texts[number]}")
    if not re.search(r"\w", text):
        return Statement("", "", "", hop)
    return Statement(sentence_case(text), "Report text", f"sentence {number + 1}", hop)
