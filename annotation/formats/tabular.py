"""Rows of any container as (true row number, cells), streaming.

Row numbers count as a person counts who opens the file: lines in JSON Lines, elements in a JSON array,
records with the header as row 1 in CSV, TSV and XLSX, records from 1 in Parquet.

A CSV or XLSX cell is always text: NA, None, null and 007 stay what they are, an empty cell is the empty
text, and ``\\N`` alone in a cell (``NULL_MARKER``) says null where null is not the same as empty.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from annotation.formats import csv_rows, json_rows, parquet_rows, xlsx_rows
from annotation.formats.encoding import why_unstorable
from annotation.formats.problems import ProblemLog
from annotation.formats.source import Container, Sample, Source

#: How a CSV, TSV or XLSX cell says that there is no text, as PostgreSQL's COPY writes it.
NULL_MARKER = "\\N"
#: How many rows a format may look at to recognise its own.
SAMPLED_ROWS = 20


@dataclass(frozen=True, slots=True)
class Row:
    """One row. ``typed`` tells JSON and Parquet values (None is null) from cells that can only be text."""

    number: int
    cells: Mapping[str, Any]
    typed: bool


def rows(source: Source) -> Iterator[Row]:
    """Every row of the source, one at a time; what cannot be read or stored is noted in ``source.problems``.

    A row that holds U+0000, half a character or a byte that is not UTF-8, at any depth, is noted and left out.
    """
    for row in _all(source):
        trouble = next(unstorable_in(row.cells, ""), None)
        if trouble is None:
            yield row
        else:
            source.problems.add(row.number, *trouble)


def unstorable_in(value: Any, path: str) -> Iterator[tuple[str, str, str]]:
    """(field, message, remedy) of every text inside ``value``, keys included, that could not be stored."""
    if isinstance(value, str):
        if trouble := why_unstorable(value):
            yield path, *trouble
    elif isinstance(value, dict):
        for key, inner in value.items():
            if trouble := why_unstorable(key):
                yield f"{path}.{key!a}".lstrip("."), *trouble
            if not _plainly_sound(inner):
                yield from unstorable_in(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for inner in value:
            if not _plainly_sound(inner):
                yield from unstorable_in(inner, path)
    elif isinstance(value, float) and not math.isfinite(value):
        yield path, "is a number too large to keep.", "Write it as text, or leave it out."


def _plainly_sound(value: Any) -> bool:
    # nearly every value of nearly every row ends here: a file of a million rows pays for each step
    return value is None or (isinstance(value, str) and value.isascii() and "\x00" not in value)


def _all(source: Source) -> Iterator[Row]:
    match source.container:
        case Container.CSV | Container.TSV:
            for number, cells in csv_rows.read(source):
                yield Row(number, cells, False)
        case Container.XLSX:
            for number, cells in xlsx_rows.read(source):
                yield Row(number, cells, False)
        case Container.PARQUET:
            for number, cells in parquet_rows.read(source):
                yield Row(number, cells, True)
        case _:
            yield from _json(source)


def _json(source: Source) -> Iterator[Row]:
    for number, value in _json_values(source):
        if isinstance(value, dict):
            yield Row(number, value, True)
        else:
            kind = type(value).__name__
            source.problems.add(number, "row", f"is a JSON {kind}, not an object.", "Write one object a row.")


def _json_values(source: Source) -> Iterator[tuple[int, Any]]:
    match source.container:
        case Container.JSONL:
            yield from json_rows.json_lines(source)
        case Container.JSON_ARRAY:
            yield from json_rows.json_array(source)
        case _:
            document = json_rows.json_document(source)
            if document is not None:
                yield 1, document


def sample(source: Source) -> Sample:
    """The first rows of the source, read apart from the real reading; problems met here stay with the
    sample."""
    probe = Source(source.path, source.container, ProblemLog(source.problems.file))
    first = tuple(row.cells for row in islice(rows(probe), SAMPLED_ROWS))
    names = frozenset(name for cells in first for name in cells)
    return Sample(source.container, first, names, probe.problems)
