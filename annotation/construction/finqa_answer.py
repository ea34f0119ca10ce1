"""Which answer a FinQA item shows: its printed wording where that agrees with its program, else the program's result.

FinQA prints "7.87%" where the program yields 0.07879; some answers are empty, some have another sign or are
simply other numbers. The candidate must not contradict its own arithmetic, so the program decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from annotation.construction.answers import answer_number
from annotation.construction.items import FinqaItem
from annotation.construction.recipe import Unfit

_SHARE_WORDS = re.compile(
    r"\b(?:percent|percentage|percentual|portion|proportion|share|rate of|growth|growth rate|roi|return)\b"
)


@dataclass(frozen=True, slots=True)
class Format:
    """How a number is written as an answer: its factor (100 for a percentage of a fraction), decimals and marks."""

    factor: int
    decimals: int
    percent: bool
    dollar: bool = False

    def write(self, value: float) -> str:
        number = round_half_up(value * self.factor, self.decimals)
        sign = "-" if number.startswith("-") else ""
        return sign + ("$" if self.dollar else "") + number.lstrip("-") + ("%" if self.percent else "")


def answer_format(item: FinqaItem) -> Format | None:
    """The format of the item's answer, None for yes and no. Raises ``Unfit`` where print and program disagree."""
    if isinstance(item.result, str):
        return None
    printed = item.printed_answer.replace("$ ", "$")
    if not printed:
        return _guess(item, item.result)
    read = answer_number(printed)
    if read is None:
        raise Unfit(f"its printed answer {item.printed_answer!r} is not a number")
    value, percent, decimals = read
    for factor in (100, 1) if percent else (1, 100):
        # one unit in the last place: the set truncates as often as it rounds
        if abs(item.result * factor - value) < 10.0**-decimals + 1e-9 and not (factor == 100 and not percent):
            return Format(factor, decimals, percent, printed.lstrip("-").startswith("$"))
    raise Unfit(f"its printed answer {item.printed_answer} contradicts its program, which yields {item.result:.6g}")


def answer_text(item: FinqaItem) -> str:
    """The answer as candidates show it. Raises ``Unfit``."""
    if isinstance(item.result, str):
        return item.result
    form = answer_format(item)
    return str(item.result) if form is None else form.write(item.result)


def round_half_up(value: float, decimals: int) -> str:
    """``value`` with exactly so many decimals, halves away from zero, never in exponent form; no "-0"."""
    quantum = Decimal(1).scaleb(-decimals)
    # repr keeps the shortest decimal that is this float: 2.675 rounds as people write it
    text = f"{Decimal(repr(value)).quantize(quantum, rounding=ROUND_HALF_UP):f}"
    return text.lstrip("-") if not text.strip("-0.") else text


def _guess(item: FinqaItem, result: float) -> Format:
    """Nothing is printed: shares are written as percentages, amounts with up to two decimals."""
    last = item.program.steps[-1].operation
    if last in {"divide", "subtract"} and _SHARE_WORDS.search(item.question.lower()) and abs(result) <= 20:
        return Format(100, 1, True)
    decimals = next((places for places in (0, 1, 2) if abs(result - round(result, places)) < 1e-9), 2)
    if 0 < abs(result) < 0.1:
        decimals = 4
    return Format(1, decimals, False)
