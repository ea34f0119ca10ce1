"""Rows of an XLSX workbook's first sheet, read as a stream (openpyxl's read-only mode)."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import openpyxl
from openpyxl.utils.exceptions import InvalidFileException

from annotation.formats.csv_rows import header_names
from annotation.formats.source import Source

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_ONLY_ZEROS = re.compile(r"0+")


@dataclass(frozen=True, slots=True)
class Unusable:
    """A cell without a value that could be trusted: a formula never computed, an error value, a date.

    ``typed`` is what was typed, where a long text may have been meant: libraries that write workbooks make a
    formula of every text that begins with "=".
    """

    what: str
    remedy: str
    typed: str = ""


#: What the library raises where the archive, its XML or the workbook's own references are damaged, at the start or
#: in the middle of a sheet. XML that is not well-formed is a SyntaxError.
_DAMAGE = (
    InvalidFileException, zipfile.BadZipFile, zlib.error, SyntaxError, EOFError, OSError, NotImplementedError,
    KeyError, IndexError, ValueError, TypeError, AttributeError, RuntimeError, OverflowError, struct.error,
)  # fmt: skip

_ERROR = Unusable("is a spreadsheet error value.", "Repair the formula or type the text.")
_DATE = Unusable("was turned into a date by the spreadsheet.", "Format the column as text and type it again.")


def read(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """(sheet row, cells) with the header as the first row that is not empty; empty rows are passed over.

    Text stays text; numbers become the text the sheet shows for identifiers (7 formatted 000 is 007); booleans
    are kept as they are. Text that begins with "=" was made a formula by the sheet: its stored result is read.
    """
    try:
        with _workbook(source, formulas=True) as texts, _workbook(source, formulas=False) as values:
            yield from _sheet(source, texts.worksheets[0], values.worksheets[0])
    except _DAMAGE as error:
        source.problems.add(None, "file", f"is not a readable workbook ({_brief(error)}).", "Save it again as XLSX.")


def _workbook(source: Source, *, formulas: bool) -> closing[Any]:
    return closing(openpyxl.load_workbook(source.path, read_only=True, data_only=not formulas))


def _brief(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _sheet(source: Source, texts: Any, values: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    header: list[str] | None = None
    for number, (row, stored) in enumerate(zip(texts.iter_rows(), values.iter_rows(), strict=True), start=1):
        cells = [_value(cell, result) for cell, result in zip(row, stored, strict=True)]
        if all(cell == "" for cell in cells):
            continue
        if header is None:
            header = header_names([str(cell) for cell in cells], source.problems, number)
            if header is None:
                return
            continue
        cells += [""] * (len(header) - len(cells))
        nameless = [
            cell for name, cell in zip(header + [""] * len(cells), cells, strict=False) if not name and cell != ""
        ]
        if nameless:
            source.problems.add(number, "row", "has a cell under no column name.", "Name the column or empty the cell.")
            continue
        yield number, {name: cell for name, cell in zip(header, cells, strict=False) if name}


def _value(cell: Any, stored: Any) -> str | bool | Unusable:
    value, kind = cell.value, getattr(cell, "data_type", "n")
    if kind == "f":
        value, kind = stored.value, getattr(stored, "data_type", "n")
        if value is None:
            return Unusable(
                "is a formula without a stored result.",
                "Paste the values instead of the formulas.",
                typed=str(cell.value),
            )
    if value is None:
        return ""
    if kind == "e":
        return _ERROR
    if isinstance(value, str):
        return unescaped(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return _as_shown(value, getattr(cell, "number_format", "General"))
    return _DATE


def unescaped(text: str) -> str:
    """The text behind XLSX's own escapes: _x000D_ stands for a carriage return."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)


def _as_shown(value: int | float, number_format: str) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    text = str(value)
    if isinstance(value, int) and _ONLY_ZEROS.fullmatch(number_format):
        return text.zfill(len(number_format))
    return text
