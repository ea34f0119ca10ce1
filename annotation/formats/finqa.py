"""FinQA questions: the original nested shape, and flattened copies (question, program and answer at the top).

Source: Chen et al. 2021, https://github.com/czyssrs/FinQA; MIT. In flattened copies ``answer`` is the program's
result and the gold rows are not named. A program that cannot be read, or does not yield the recorded result,
excludes its item by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from annotation.construction.items import FinqaItem
from annotation.construction.program import ProgramError, parse_program, run_program
from annotation.formats.cells import Cells
from annotation.formats.registry import Format
from annotation.formats.source import Sample, Source, open_source
from annotation.formats.tabular import Row, rows
from annotation.records import Excluded, Oddity

NAME = "finqa"
LICENCE = "MIT"

_EVIDENCE = re.compile(r"(table|text)_(\d+)")


def read_items(path: str | Path) -> Iterator[FinqaItem | Excluded | Oddity]:
    """Every question of the file, streaming. JSON array, JSON Lines and Parquet are taken.

    Raises ``InputFileError`` at the end of the file when a row is malformed, naming every such row and field.
    """
    source = open_source(path)
    yield from read_source(source)
    source.problems.raise_if_any()


def read_source(source: Source) -> Iterator[FinqaItem | Excluded | Oddity]:
    """The same over a source someone else opened; the opener raises its problems at the end."""
    seen: set[str] = set()
    for row in rows(source):
        cells = Cells(row, source.problems)
        made = _item(cells, row)
        yield from cells.oddities
        if made is None:
            continue
        name = made.item_id
        if name in seen:
            yield Excluded(name, "an earlier row of the file has the same id", row.number)
            continue
        seen.add(name)
        yield made


def _item(cells: Cells, row: Row) -> FinqaItem | Excluded | None:
    name = cells.word("id", required=True)
    inner = _inner(cells, row)
    question = inner.passage("question", required=True)
    program_text = inner.passage("program", required=True)
    nested = "exe_ans" in inner.row.cells
    result = inner.row.cells.get("exe_ans" if nested else "answer")
    # a flattened copy has the program's result alone, a nested one the printed answer beside it
    printed = inner.row.cells.get("answer") if nested else ""
    if isinstance(result, bool) or not isinstance(result, str | int | float):
        inner.refuse("exe_ans" if nested else "answer", "is no number, yes or no.", "Take FinQA's own file.")
    table = _table(cells, row.cells.get("table"))
    texts = _texts(cells, row.cells.get("pre_text"), "pre_text") + _texts(
        cells, row.cells.get("post_text"), "post_text"
    )
    if not (cells.ok and inner.ok):
        return None
    try:
        program = parse_program(program_text or "")
        yields = run_program(program, table)[-1]
    except ProgramError as error:
        return Excluded(name, f"its program cannot be used: {error}", row.number)
    recorded = _result(result)
    if not _same(yields, recorded):
        return Excluded(name, f"its program yields {yields}, the file records {recorded}", row.number)
    gold_rows, gold_texts = _gold(inner.row.cells.get("gold_inds"))
    return FinqaItem(
        item_id=name,
        question=(question or "").strip(),
        printed_answer="" if printed is None else str(printed).strip(),
        result=yields,
        program=program,
        table=table,
        texts=texts,
        gold_rows=tuple(number for number in gold_rows if number < len(table)),
        gold_texts=tuple(number for number in gold_texts if number < len(texts)),
    )


def _inner(cells: Cells, row: Row) -> Cells:
    """The cells that hold the question: those under ``qa``, else the row's own."""
    inner = row.cells.get("qa")
    if isinstance(inner, Mapping):
        return Cells(Row(row.number, inner, row.typed), cells.log)
    return cells


def _table(cells: Cells, value: Any) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, list) or not all(isinstance(line, list) for line in value):
        cells.refuse("table", "is not a list of rows.", "Take FinQA's own file.")
        return ()
    return tuple(tuple("" if cell is None else str(cell) for cell in line) for line in value)


def _texts(cells: Cells, value: Any, field: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(line, str) for line in value):
        cells.refuse(field, "is not a list of sentences.", "Take FinQA's own file.")
        return ()
    return tuple(value)


def _gold(value: Any) -> tuple[list[int], list[int]]:
    found: dict[str, list[int]] = {"table": [], "text": []}
    for key in value if isinstance(value, Mapping) else ():
        match = _EVIDENCE.fullmatch(str(key))
        if match:
            found[match.group(1)].append(int(match.group(2)))
    return sorted(found["table"]), sorted(found["text"])


def _result(value: Any) -> float | str:
    if isinstance(value, str):
        text = value.strip().lower()
        try:
            return float(text)
        except ValueError:
            return text
    return float(value)


def _same(yields: float | str, recorded: float | str) -> bool:
    """FinQA stores results to five decimals."""
    if isinstance(yields, str) or isinstance(recorded, str):
        return yields == recorded
    return abs(yields - recorded) <= 6e-6 + 1e-9 * abs(recorded)


def _recognises(sample: Sample) -> bool:
    return sample.has("qa", "table", "pre_text") or sample.has("question", "program", "table")


FORMAT = Format(name=NAME, words="FinQA questions (source items)", recognises=_recognises, items=read_source)
