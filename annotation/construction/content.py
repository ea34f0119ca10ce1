"""What a text says, reduced to what can be compared: its tokens, words, numbers and names."""

from __future__ import annotations

import re
from collections import Counter

_TOKEN = re.compile(r"\d[\d.,]*\d|\w+|[^\w\s]")
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)%?")
_NAME = re.compile(
    r"[A-Z\u00c0-\u00de][\w'\u2019.-]*(?:\s+(?:(?:of|the|de|van|von|and|&)\s+)?[A-Z\u00c0-\u00de][\w'\u2019.-]*)*"
)


def tokens(text: str) -> list[str]:
    """Words and punctuation marks: the token by which lengths are matched (language models count about so)."""
    return _TOKEN.findall(text)


def words(text: str) -> list[str]:
    """Words in lower case, without punctuation."""
    return [word.lower() for word in _WORD.findall(text)]


def numbers(text: str) -> Counter[str]:
    """How often each number occurs, without thousands separators; "12%" and "12" differ."""
    return Counter(
        number.replace(",", "").lstrip("+") for number in _NUMBER.findall(text) if any(map(str.isdigit, number))
    )


def names(text: str) -> set[str]:
    """Runs of capitalised words. A sentence's first word counts too, so only differences mean anything."""
    return {" ".join(name.split()).strip(".'\u2019-") for name in _NAME.findall(text)}


def overlap(first: str, second: str) -> float:
    """Jaccard overlap of the two texts' sets of words, 0..1; 1 when both are empty."""
    a, b = set(words(first)), set(words(second))
    return len(a & b) / len(a | b) if a | b else 1.0
