"""Reads the sums a text writes out and says whether they are right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator


def arithmetic_holds(text: str) -> bool | None:
    """Whether every sum the text writes out is right to the digits shown; None where it writes none.

    It reads "6 / 4 = 1.5" and "Dividing 6 by 4 gives 1.5".
    """
    checked = False
    for first, sign, second, result in _sums(text):
        checked = True
        decimals = len(result.partition(".")[2])
        value = _OPERATIONS[sign](_plain(first), _plain(second))
        # the operands may be rounded themselves
        if value is None or abs(value - _plain(result)) > 0.6 * 10.0**-decimals + 2e-3 * abs(value):
            return False
    return True if checked else None


_AMOUNT = r"-?\$?-?\d[\d,]*(?:\.\d+)?"
_WRITTEN = re.compile(rf"({_AMOUNT}) ?([-+*/\u00d7\u00f7\u2212]) ?({_AMOUNT}) ?= ?({_AMOUNT})(?![\d%])")
_SAID = re.compile(
    rf"\b(add|subtract|multiply|divid)ing ({_AMOUNT}) (?:and|from|by) ({_AMOUNT}) (?:gives|is|equals) ({_AMOUNT})",
    re.IGNORECASE,
)
_SIGNS = {"add": "+", "subtract": "from", "multiply": "*", "divid": "/"}
_OPERATIONS: dict[str, Callable[[float, float], float | None]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "\u2212": lambda a, b: a - b,
    "from": lambda a, b: b - a,
    "*": lambda a, b: a * b,
    "\u00d7": lambda a, b: a * b,
    "/": lambda a, b: a / b if b else None,
    "\u00f7": lambda a, b: a / b if b else None,
}


def _sums(text: str) -> Iterator[tuple[str, str, str, str]]:
    for match in _WRITTEN.finditer(text):
        first, sign, second, result = match.groups()
        yield first, sign, second, result
    for match in _SAID.finditer(text):
        verb, first, second, result = match.groups()
        yield first, _SIGNS[verb.lower()], second, result.rstrip(".")


def _plain(amount: str) -> float:
    return float(amount.replace("$", "").replace(",", ""))
