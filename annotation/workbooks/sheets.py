"""Writing text into real Excel files so that it stays text, runs nothing and comes back unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from openpyxl.styles import Alignment, Font
from openpyxl.worksheet.worksheet import Worksheet

from annotation.errors import Refused

#: What one cell of an XLSX file can hold, in UTF-16 code units.
LONGEST = 32_767
#: Controls that XML cannot carry, a carriage return (which XML would turn into a newline), and text that would be
#: read back as one of these escapes.
_TO_ESCAPE = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_WRAPPED = Alignment(vertical="top", wrap_text=True)
_BOLD = Font(bold=True)


def escaped(text: str) -> str:
    """``text`` with what XML cannot carry written as XLSX's own escapes; ``xlsx_rows.unescaped`` undoes it."""
    return _TO_ESCAPE.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


def put(sheet: Worksheet, row: int, column: int, value: str | int | float | None, *, bold: bool = False) -> None:
    """Write one cell. Text is stored as text, whatever it begins with; Refused where it is too long for a cell."""
    cell = sheet.cell(row=row, column=column)
    if isinstance(value, str):
        text = escaped(value)
        if len(text.encode("utf-16-le")) // 2 > LONGEST:
            raise Refused(
                f"A text of {len(value):,} characters does not fit into a cell of an Excel file ({LONGEST:,}). "
                "Label these pairs in the browser.",
                code="text_too_long",
            )
        # Setting the type by hand keeps "=1+1" text; the number format keeps 007 text when somebody edits it.
        cell.value, cell.data_type, cell.number_format = text, "s", "@"
        cell.quotePrefix = text[:1] in {"=", "+", "-", "@"}
    else:
        cell.value = value
    cell.alignment = _WRAPPED
    if bold:
        cell.font = _BOLD


def table(sheet: Worksheet, header: Sequence[str], rows: Iterable[Sequence[Any]], *, widths: Sequence[int] = ()) -> int:
    """A header and its rows from the top left, the header frozen. Returns how many rows were written."""
    for column, name in enumerate(header, 1):
        put(sheet, 1, column, name, bold=True)
    count = 0
    for count, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            put(sheet, count + 1, column, value)
    sheet.freeze_panes = "A2"
    for column, width in enumerate(widths, 1):
        sheet.column_dimensions[sheet.cell(row=1, column=column).column_letter].width = width
    return count


def lines(sheet: Worksheet, text: str) -> None:
    """A longer text, one line a row."""
    for row, line in enumerate(text.splitlines(), 1):
        put(sheet, row, 1, line, bold=line.startswith("#"))
    sheet.column_dimensions["A"].width = 110
