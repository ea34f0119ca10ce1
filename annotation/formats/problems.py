"""Collects what is wrong with one file, so that a reader names everything at once instead of stopping at
the first."""

from __future__ import annotations

from annotation.errors import InputFileError, Problem

#: How many problems are spelled out; the rest are counted.
SHOWN = 50


class ProblemLog:
    """The problems of one file, in the order they were met; the first ``SHOWN`` in full, the rest as a
    number."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.more = 0

    def add(self, row: int | None, field: str, message: str, remedy: str = "") -> None:
        """Note that ``field`` of ``row`` (None: the file as a whole) is wrong, and what to do about it."""
        if len(self.problems) >= SHOWN:
            self.more += 1
            return
        self.problems.append(Problem(self.file, row, field, message, remedy))

    @property
    def total(self) -> int:
        return len(self.problems) + self.more

    def raise_if_any(self) -> None:
        """Raise ``InputFileError`` with every problem noted so far; return where there is none."""
        if self.problems:
            raise InputFileError(self.problems, more=self.more)
