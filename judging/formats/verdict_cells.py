"""One cell of a verdicts file to one checked value. Every refusal names the field and the remedy."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from annotation.formats.encoding import why_unstorable
from annotation.formats.tabular import NULL_MARKER


class BadCell(ValueError):
    """A cell that cannot be taken: ``message`` says what is wrong, ``remedy`` what to do."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


def text(value: Any) -> tuple[str, bool]:
    """(text, converted): null is '', booleans and numbers become text and ``converted`` says so."""
    if value is None:
        return "", False
    if isinstance(value, str):
        if trouble := why_unstorable(value):
            raise BadCell(*trouble)
        return ("" if value == NULL_MARKER else value), False
    if isinstance(value, bool | int | float):
        return json.dumps(value), True
    raise BadCell(f"is a {type(value).__name__}, not text.", "Write it as text.")


def word(value: Any, allowed: tuple[str, ...], *, default: str = "") -> str:
    """One of ``allowed``, or ``default`` where the cell is empty."""
    found, _ = text(value)
    if not found:
        return default
    if found not in allowed:
        raise BadCell(f"is {found!r}.", f"Use one of {', '.join(allowed)}.")
    return found


def count(value: Any) -> int | None:
    """A whole number of at least 0, or None where the cell is empty."""
    number = amount(value)
    if number is None:
        return None
    if number != int(number):
        raise BadCell(f"is {value!r}.", "Write a whole number of at least 0, or leave it empty.")
    return int(number)


def amount(value: Any) -> float | None:
    """A finite number of at least 0, or None where the cell is empty."""
    if value is None or value in ("", NULL_MARKER):
        return None
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or number < 0:
        raise BadCell(f"is {value!r}.", "Write a number of at least 0, or leave it empty.")
    return number


def labels(value: Any) -> tuple[str, ...]:
    """The labels a judge was offered: a list, a JSON array as text, or words."""
    if isinstance(value, str):
        value = _decoded(value) if value.lstrip().startswith("[") else re.split(r"[,;|\s]+", value.strip())
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(label, str) for label in value):
        raise BadCell("is not a list of labels.", 'Write for example ["A", "B", "Tie"].')
    return tuple(label for label in value if label)


def texts_by_role(value: Any) -> Mapping[str, str]:
    """``cue``: an object from role to the text shown with it."""
    body = _object(value)
    if not all(isinstance(shown, str) for shown in body.values()):
        raise BadCell("does not map roles to texts.", 'Write for example {"plain": "...", "cited": "..."}.')
    return body


def numbers_by_role(value: Any) -> Mapping[str, Mapping[str, float]]:
    """``scores``: an object from role to criterion to number."""
    body = _object(value)
    for criteria in body.values():
        numbers = criteria.values() if isinstance(criteria, dict) else [None]
        if not all(isinstance(n, int | float) and not isinstance(n, bool) for n in numbers):
            raise BadCell("does not map roles to criteria to numbers.", 'Write for example {"plain": {"accuracy": 4}}.')
    return body


def _object(value: Any) -> dict[str, Any]:
    if value is None or value == "":
        return {}
    if isinstance(value, str):
        value = _decoded(value)
    if not isinstance(value, dict):
        raise BadCell("is not an object.", "Write a JSON object, or leave it empty.")
    return value


def _decoded(value: str) -> Any:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise BadCell("is not JSON.", "Write JSON, or leave it empty.") from None
