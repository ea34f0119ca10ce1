"""The ``scores`` style: a first line that is a pair of numbers, or one labelled score for each candidate."""

from __future__ import annotations

import re
import unicodedata

from judging.extractor.result import NO_VERDICT, ChannelReading, Claim

_NUMBER = r"[+-]?[0-9]+(?:\.[0-9]+)?"
_TOKEN = rf"(?:{_NUMBER}(?:\s*/\s*[0-9]+)?|[+-]?(?:nan|inf(?:inity)?)|n/a|none|null)"
_SEPARATOR = r"(?:\s*[,;|]\s*|\s+)"
_PAIR_LINE = re.compile(rf"[(\[]?\s*({_TOKEN}(?:{_SEPARATOR}{_TOKEN})*)\s*[)\]]?\.?", re.IGNORECASE)
_SCORE = re.compile(rf"({_NUMBER})(?:\s*/\s*([0-9]+))?", re.IGNORECASE)

_NOUN = r"(?:assistant|response|candidate|answer|output|model|summary|option)"
_LABELLED = re.compile(
    rf"(?:^|[,;|])[\s*_#>•\-]*(?:score\s+(?:for|of)\s+)?(?:the\s+)?{_NOUN}\s*\(?(?P<side>[12AB])\)?(?:'s)?(?:\s+score)?"
    rf"[*_\s]*[:=][*_\s]*(?P<score>{_NUMBER})(?:\s*/\s*(?P<of>[0-9]+)|\s+out\s+of\s+(?P<outof>[0-9]+))?"
    r"(?=[*_\s]*(?:$|[,;|(]|[–—-]\s+[^\W\d]))",
    re.IGNORECASE | re.MULTILINE,
)
_SIDES = {"1": 0, "a": 0, "2": 1, "b": 1}


def read_scores(text: str, *, scale: tuple[float, float] = (1, 10)) -> ChannelReading:
    """The higher score wins, equal scores tie; ``scale`` is the declared range, both ends included."""
    plain = unicodedata.normalize("NFKC", text)
    claims = [*_first_line(plain, scale), *_labelled(plain, scale)]
    return ChannelReading(claims=tuple(claims), nothing=NO_VERDICT)


def _first_line(text: str, scale: tuple[float, float]) -> list[Claim]:
    line = text.strip().partition("\n")[0].strip(" \t\r*_`#")
    found = _PAIR_LINE.fullmatch(line)
    if found is None:
        return []
    tokens = re.findall(_TOKEN, found.group(1), re.IGNORECASE)
    if len(tokens) == 1:
        return []
    values = [_score(token, scale) for token in tokens]
    return [_claim(values, said=" ".join(tokens), quote=line)]


def _labelled(text: str, scale: tuple[float, float]) -> list[Claim]:
    by_side: tuple[dict[str, float | None], dict[str, float | None]] = ({}, {})
    quotes = []
    for found in _LABELLED.finditer(text):
        spelled = found["score"] + (f"/{found['of'] or found['outof']}" if found["of"] or found["outof"] else "")
        by_side[_SIDES[found["side"].casefold()]][found["score"]] = _score(spelled, scale)
        quotes.append(found.group())
    if not (by_side[0] and by_side[1]):
        return []
    return [
        _claim([first, second], said=f"{first_said} {second_said}", quote="\n".join(quotes))
        for first_said, first in by_side[0].items()
        for second_said, second in by_side[1].items()
    ]


def _score(token: str, scale: tuple[float, float]) -> float | None:
    found = _SCORE.fullmatch(token.strip())
    if found is None or (found.group(2) and float(found.group(2)) != scale[1]):
        return None
    value = float(found.group(1))
    return value if scale[0] <= value <= scale[1] else None


def _claim(values: list[float | None], *, said: str, quote: str) -> Claim:
    valid = [value for value in values if value is not None]
    if len(values) != 2 or len(valid) != 2:
        return Claim(label=None, said=said, quote=quote)
    first, second = valid
    label = "Tie" if first == second else ("A" if first > second else "B")
    return Claim(label=label, said=f"{first:g} {second:g}", quote=quote, scores=(first, second))
