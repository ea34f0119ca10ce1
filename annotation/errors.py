"""Errors that carry the decision: a stable code, and whether trying again can help."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


class TiebreakError(Exception):
    """Base of every error a user may see. ``code`` is stable; ``permanent`` says retrying cannot help."""

    code = "error"
    permanent = True

    def __init__(self, message: str, *, code: str | None = None, permanent: bool | None = None) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code
        if permanent is not None:
            self.permanent = permanent


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with one cell of an input file. ``row`` counts from 1 as a reader of the file counts."""

    file: str
    row: int | None
    field: str
    message: str
    remedy: str

    def __str__(self) -> str:
        where = self.file + (f", row {self.row}" if self.row is not None else "")
        return f"{where}, {self.field}: {self.message} {self.remedy}".strip()


class InputFileError(TiebreakError):
    """A file that cannot be taken. Holds every problem found; nothing of the file was stored."""

    code = "bad_input_file"

    def __init__(self, problems: Iterable[Problem], *, more: int = 0) -> None:
        self.problems = list(problems)
        self.more = more
        lines = [str(problem) for problem in self.problems]
        if more:
            lines.append(f"... and {more} more problems")
        super().__init__("\n".join(lines))


class Refused(TiebreakError):
    """A request that the rules do not allow, with the reason and the remedy in its message."""

    code = "refused"


class NotAllowed(TiebreakError):
    """The person may not do this here."""

    code = "not_allowed"
