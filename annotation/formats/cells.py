"""Takes the fields out of one row: required or not, text or number, with every complaint naming row and
field."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from annotation.formats.problems import ProblemLog
from annotation.formats.tabular import NULL_MARKER, Row, unstorable_in
from annotation.formats.xlsx_rows import Unusable
from annotation.records import Oddity


class Cells:
    """One row's fields. ``ok`` turns false with the first problem; ``oddities`` gathers what was bent to
    fit."""

    def __init__(self, row: Row, log: ProblemLog) -> None:
        self.row = row
        self.log = log
        self.ok = True
        self.oddities: list[Oddity] = []

    def refuse(self, field: str, message: str, remedy: str = "") -> None:
        self.ok = False
        self.log.add(self.row.number, field, message, remedy)

    def odd(self, code: str, message: str, item_id: str = "") -> None:
        self.oddities.append(Oddity(code, message, self.row.number, item_id))

    def has(self, name: str) -> bool:
        """Whether the row gives the field at all: a key with a value, a cell that is not empty."""
        value = self.row.cells.get(name)
        return value is not None and (self.row.typed or value not in ("", NULL_MARKER))

    def word(self, name: str, *, required: bool = False) -> str:
        """A name, id or category: text without spaces around it; '' where it is absent. Numbers become
        text."""
        value = self.row.cells.get(name)
        absent = value is None or (not self.row.typed and value == NULL_MARKER)
        text = "" if absent else self.as_text(name, value, count_numbers=False).strip()
        if required and self.ok and not text:
            self.refuse(name, "is missing.", f"Every row needs {name}.")
        return text

    def passage(self, name: str, *, required: bool = False) -> str | None:
        """A longer text exactly as written; None where it is null, '' where it is empty (which is legal)."""
        if required and name not in self.row.cells:
            self.refuse(name, "is missing.", f"Every row needs {name}.")
            return None
        return self.as_passage(name, self.row.cells.get(name))

    def as_passage(self, name: str, value: Any) -> str | None:
        if value is None or (not self.row.typed and value == NULL_MARKER):
            return None
        if isinstance(value, Unusable) and value.typed:
            self.odd("formula_text", f"{name} is a formula without a result; it is kept as the text that was typed.")
            return value.typed
        return self.as_text(name, value, count_numbers=True)

    def as_text(self, name: str, value: Any, *, count_numbers: bool) -> str:
        """Any scalar as text. A boolean (and, in a passage, a number) where text belongs is told as an
        oddity."""
        if not isinstance(value, str):
            value = self._scalar_as_text(name, value, count_numbers=count_numbers)
        return str(value)

    def _scalar_as_text(self, name: str, value: Any, *, count_numbers: bool) -> str:
        if isinstance(value, Unusable):
            self.refuse(name, value.what, value.remedy)
            return ""
        if not isinstance(value, bool | int | float):
            kind = "an object" if isinstance(value, Mapping) else f"a {type(value).__name__}"
            self.refuse(name, f"is {kind} where text belongs.", "Write the text in quotes.")
            return ""
        if isinstance(value, bool):
            self.odd("boolean_text", f"{name} is the boolean {value}; it is kept as the text '{value}'.")
        elif count_numbers:
            self.odd("number_text", f"{name} is the number {value}; it is kept as text.")
        return str(value)

    def number(self, name: str) -> float | None:
        """A finite number that is not negative, or None where it is absent."""
        text = self.word(name)
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not 0 <= value < float("inf"):
            self.refuse(name, f"is {text!r}, not a number of zero or more.", "Write it like 12.5, or leave it out.")
            return None
        return value

    def whole(self, name: str) -> int | None:
        """A whole number from 1, or None where it is absent."""
        text = self.word(name)
        if not text:
            return None
        if not (text.isascii() and text.isdigit() and int(text) > 0):
            self.refuse(name, f"is {text!r}, not a whole number from 1.", "Write it like 2, or leave it out.")
            return None
        return int(text)

    def structure(self, name: str) -> Any:
        """A JSON value: as it stands in JSON and Parquet, written as JSON text in a cell; None where absent."""
        if not self.has(name):
            return None
        value = self.row.cells[name]
        if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
            return value
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            self.refuse(name, "is not well-formed JSON.", "Repair it, or use the columns of docs/formats.md.")
            return None
        # the row was checked as written; unescaping the cell may have brought more to light
        for field, message, remedy in unstorable_in(value, name):
            self.refuse(field, message, remedy)
        return value if self.ok else None
