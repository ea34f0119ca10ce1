"""The raw rows of a verdicts file: JSONL or CSV in, (row number, cells) out. Knows no meaning, no Django."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from annotation.errors import InputFileError, Problem

RawRow = tuple[int, dict[str, Any] | Problem]

#: A rationale may be long; the csv module's own limit of 128 KiB is an accident of its history.
LONGEST_CELL = 16 * 1024 * 1024


def iterate_rows(path: Path) -> Iterator[RawRow]:
    """Yield (row, cells) of a .jsonl / .ndjson / .csv file; a row that cannot be read comes as its Problem.

    ``row`` counts lines of the file from 1 (for CSV the header is row 1). Raises InputFileError for a file of
    another kind, one that is missing, or one that is not UTF-8.
    """
    readers = {".jsonl": _json_rows, ".ndjson": _json_rows, ".csv": _csv_rows}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        _refuse(path, None, "file", f"is of the unknown kind {path.suffix!r}.", "Give a .jsonl or .csv file.")
    try:
        yield from reader(path)
    except FileNotFoundError:
        _refuse(path, None, "file", "does not exist.", "Check the path.")
    except IsADirectoryError:
        _refuse(path, None, "file", "is a folder.", "Give the file inside it.")
    except UnicodeDecodeError as error:
        _refuse(path, None, "file", f"is not UTF-8 (byte {error.start}).", "Save it as UTF-8.")


def _json_rows(path: Path) -> Iterator[RawRow]:
    with path.open(encoding="utf-8-sig", newline="\n") as lines:
        for row, line in enumerate(lines, start=1):
            if line.strip():
                yield row, _json_object(path, row, line)


def _json_object(path: Path, row: int, line: str) -> dict[str, Any] | Problem:
    try:
        body = json.loads(line, parse_constant=_no_such_number, object_pairs_hook=_unique_keys)
    except (ValueError, RecursionError) as error:
        return Problem(
            str(path), row, "row", f"is not JSON ({error}).", "Write one JSON object on each line."
        )
    if not isinstance(body, dict):
        return Problem(str(path), row, "row", "is not a JSON object.", "Write one JSON object on each line.")
    return body


def _no_such_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a JSON number")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    body = dict(pairs)
    if len(body) != len(pairs):
        raise ValueError("a key occurs twice in one object")
    return body


def _csv_rows(path: Path) -> Iterator[RawRow]:
    csv.field_size_limit(LONGEST_CELL)
    with path.open(encoding="utf-8-sig", newline="") as lines:
        reader = csv.reader(lines, strict=True)
        try:
            header = [name.strip() for name in next(reader, [])]
            if not header:
                _refuse(path, None, "header", "is missing.", "Name the columns in the first row.")
            twice = sorted({name for name in header if header.count(name) > 1})
            if twice:
                _refuse(path, 1, twice[0], "names two columns.", "Give every column its own name.")
            start = reader.line_num + 1
            for cells in reader:
                if cells:
                    yield start, _named(path, start, header, cells)
                start = reader.line_num + 1
        except csv.Error as error:
            _refuse(path, reader.line_num, "row", f"is not CSV ({error}).", "Quote cells that hold quotes.")


def _named(path: Path, row: int, header: list[str], cells: list[str]) -> dict[str, Any] | Problem:
    if len(cells) != len(header):
        message = f"has {len(cells)} cells under {len(header)} columns."
        return Problem(str(path), row, "row", message, "Quote cells that hold commas or line breaks.")
    return dict(zip(header, cells, strict=True))


def _refuse(path: Path, row: int | None, field: str, message: str, remedy: str) -> NoReturn:
    raise InputFileError([Problem(str(path), row, field, message, remedy)])
