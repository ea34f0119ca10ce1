"""Rows of CSV and TSV files: strict about quotes and widths, because a lost comma shifts every later cell."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import zip_longest

from annotation.formats.encoding import open_text
from annotation.formats.problems import ProblemLog
from annotation.formats.source import Container, Source

_LARGEST_CELL = 2**31 - 1  # Python's own limit is 128 kB, less than a long candidate


def read(source: Source) -> Iterator[tuple[int, dict[str, str]]]:
    """(record number, cells) with the header as record 1; wholly empty records are passed over but
    counted."""
    csv.field_size_limit(_LARGEST_CELL)
    number = 0
    try:
        with open_text(source.path, newline="") as handle:
            delimiter = "\t" if source.container is Container.TSV else _delimiter(handle.readline())
            handle.seek(0)
            header: list[str] | None = None
            for number, record in enumerate(csv.reader(handle, delimiter=delimiter, strict=True), start=1):
                if not any(record):
                    continue
                if header is None:
                    header = header_names(record, source.problems, number)
                    if header is None:
                        return
                    continue
                cells = fit(header, record, source.problems, number)
                if cells is not None:
                    yield number, cells
    except csv.Error as error:
        message = f"is not well-formed CSV ({error})."
        source.problems.add(number + 1, "record", message, "Check quotes: a quote inside quotes is written twice.")
    except UnicodeDecodeError as error:
        source.problems.add(number + 1, "record", f"cannot be decoded ({error.reason}).", "Save the file as UTF-8.")


def _delimiter(first_line: str) -> str:
    """Comma, semicolon (what spreadsheets write where the comma is the decimal mark) or tab: the
    commonest."""
    return max(",;\t", key=first_line.count)


def header_names(record: list[str], log: ProblemLog, number: int) -> list[str] | None:
    """Column names without the spaces around them; None after noting a name that occurs twice."""
    names = [name.strip("\ufeff \t\r\n") for name in record]
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        log.add(number, "header", f"names {', '.join(twice)} more than once.", "Give every column its own name.")
        return None
    return names


def fit(header: list[str], record: list[str], log: ProblemLog, number: int) -> dict[str, str] | None:
    """The record under its column names; None after noting that it is wider or narrower than the header."""
    extra = [cell for cell in record[len(header) :] if cell]
    nameless = [cell for name, cell in zip(header, record, strict=False) if not name and cell]
    if len(record) < len(header) or extra or nameless:
        message = f"has {len(record)} cells where the header names {sum(map(bool, header))} columns."
        log.add(number, "record", message, "Quote cells that hold the delimiter, or name the missing column.")
        return None
    return {name: cell for name, cell in zip_longest(header, record[: len(header)], fillvalue="") if name}
