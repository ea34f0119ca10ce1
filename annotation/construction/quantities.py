"""Changes dates and numbers, keeping how they are written."""

from __future__ import annotations

import random
import re

from annotation.construction.content import numbers

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_MONTH = "|".join(_MONTHS)
_YEAR = re.compile(r"\b(?:1[0-9]|20)\d\d(?=s?\b)")
_DAY = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?= (?:{_MONTH}))|(?<=\w )(\d{{1,2}})(?=,? |,?$)")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_NUMBER_WORD = re.compile(rf"\b({'|'.join(_WORDS[1:])})\b", re.IGNORECASE)


def is_date(answer: str) -> bool:
    """A year, a decade, a span of years, or a day with its month: nothing else in the answer but small words."""
    rest = re.sub(rf"\b(?:{_MONTH})\b", "", answer)
    rest = re.sub(r"\b\d{1,4}(?:s|st|nd|rd|th)?\b", "", rest)
    rest = re.sub(r"\b(?:in|on|from|to|until|and|of|the|between|AD|BC|c\.|circa)\b|[\s,.\u2013-]", "", rest)
    return not rest and (bool(_YEAR.search(answer)) or bool(re.search(rf"\b(?:{_MONTH})\b", answer)))


def is_number(answer: str) -> bool:
    """A number in digits or in words, alone or with a unit in lower case ("17%", "393 mi", "six", "16-year-old")."""
    if not (_NUMBER.search(answer) or _NUMBER_WORD.fullmatch(answer.split(" ")[0])):
        return False
    rest = _NUMBER.sub("", answer)
    return (
        not re.search(r"[A-Z\u00c0-\u00de]", rest)
        and len(rest.split()) <= 3
        and not re.search(r"\d(?:st|nd|rd|th)\b", answer)
    )


def shift_date(answer: str, rng: random.Random, *, avoid: str) -> str | None:
    """The date with its years moved together by a few, or its day where it names none; None where that is no date.

    ``avoid`` is text whose numbers the new date must not show.
    """
    taken = set(numbers(avoid))
    if _YEAR.search(answer):
        unit = 10 if re.search(r"\d{4}s\b", answer) else 1
        for shift in rng.sample([step for step in range(-9, 10) if abs(step) >= 2], 16):
            moved = _move_years(answer, shift * unit)
            if not set(numbers(moved)) - set(numbers(answer)) & taken and max(map(int, _YEAR.findall(moved))) <= 2025:
                return moved
        return None
    for day in rng.sample(range(1, 29), 28):
        moved = _DAY.sub(str(day), answer, count=1)
        if moved != answer and str(day) not in taken:
            return moved
    return None


def _move_years(answer: str, by: int) -> str:
    return _YEAR.sub(lambda match: str(int(match.group()) + by), answer)


def change_number(answer: str, rng: random.Random, *, avoid: str) -> str | None:
    """The answer with its first number changed, its decimals, separators and unit kept; None where none fits."""
    taken = set(numbers(avoid))
    word = _NUMBER_WORD.search(answer)
    if word is not None and not _NUMBER.search(answer):
        old = _WORDS.index(word.group().lower())
        choices = [number for number in range(max(2, old - 4), min(20, old + 4) + 1) if number != old]
        for number in rng.sample(choices, len(choices)):
            said = _WORDS[number]
            if not re.search(rf"\b(?:{said}|{number})\b", avoid, re.IGNORECASE):
                return answer[: word.start()] + said + answer[word.end() :]
        return None
    match = _NUMBER.search(answer)
    if match is None:
        return None
    for _ in range(40):
        changed = _another(match.group(), rng)
        if changed != match.group() and changed.replace(",", "") not in taken:
            return answer[: match.start()] + changed + answer[match.end() :]
    return None


def _another(text: str, rng: random.Random) -> str:
    plain = text.replace(",", "")
    decimals = len(plain.partition(".")[2])
    value = float(plain)
    factor = 1 + rng.choice((-1, 1)) * rng.uniform(0.08, 0.35)
    small = not decimals and value < 30
    new = value + rng.choice((-3, -2, -1, 1, 2, 3)) if small else value * factor
    new = max(new, 10.0**-decimals)
    return f"{new:,.{decimals}f}" if "," in text else f"{new:.{decimals}f}"
