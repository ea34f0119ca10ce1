"""The styles ``brackets`` ([[A]]), ``arena`` ([[A>B]]) and ``line`` (a line that names the winner)."""

from __future__ import annotations

import html
import re
import unicodedata

from judging.extractor.labels import tidy, to_label
from judging.extractor.result import ChannelReading, Claim

_DOUBLE_BRACKETS = re.compile(r"\[\[([^\[\]\n]{0,80})\]\]")
_ARENA = re.compile(r"([AB])(>>?|<<?|=)([AB])", re.IGNORECASE)

_VERDICT_KEY = re.compile(
    r"(?<![\w\-])(?<!not )(?<!not the )(?<!no )(?:(?:final|overall|my|the)\s+)*(?:winner|verdict|final decision)"
    r"[*_`]*(?:\s+is)?\s*[*_`]*\s*[:：][*_`]*[^\S\n]*",
    re.IGNORECASE,
)
# A label followed by its explanation; what may follow is checked so that "A - or B" is not read as A.
_EXPLAINED = re.compile(
    r"(?P<label>[*_`]*(?:the )?(?:\w+ )?\(?(?:[ab]|tie)\)?[*_`]*)"
    r"(?:(?P<why>,?\s+(?:because|since)\b)|[.;]\s+|\s+[—–-]\s+|\s*\()(?P<rest>.*)",
    re.IGNORECASE,
)
_SECOND_THOUGHT = re.compile(
    r"\b(?:or|but|however|although|though|actually|instead|unless|tie)\b|\?|\b[AB]\b", re.IGNORECASE
)


def read_brackets(text: str) -> ChannelReading:
    """[[A]], [[B]], and [[C]] or [[Tie]] for a tie (the convention of MT-Bench)."""
    claims = []
    for found in _DOUBLE_BRACKETS.finditer(text):
        value = tidy(found.group(1))
        label = "Tie" if value.casefold() == "c" else to_label(value)
        claims.append(Claim(label=label, said=label or value.casefold(), quote=found.group()))
    return ChannelReading(claims=tuple(claims))


def read_arena(text: str) -> ChannelReading:
    """[[A>B]], [[A>>B]] (strong), [[A=B]] and their mirror images (the convention of Arena-Hard)."""
    claims = []
    for found in _DOUBLE_BRACKETS.finditer(text):
        spelled = html.unescape(found.group(1))
        value = re.sub(r"\s+", "", unicodedata.normalize("NFKC", spelled))
        relation = _ARENA.fullmatch(value)
        label = _preferred(relation) if relation else None
        claims.append(
            Claim(
                label=label,
                said=label or value.casefold(),
                quote=found.group(),
                repaired=spelled != found.group(1),
                strong=label in {"A", "B"} and relation is not None and len(relation.group(2)) == 2,
            )
        )
    return ChannelReading(claims=tuple(claims))


def read_line(text: str, *, conclusion: str | None = None) -> ChannelReading:
    """ "Winner: B" or "Final verdict: Tie", a closing sentence where the protocol declared one, or a bare label.

    ``conclusion`` is that sentence with ``{label}`` in it ("Therefore, Output ({label}) is better.").
    """
    claims = _keyed_claims(text)
    if conclusion:
        claims += _concluding_claims(text, conclusion)
    if not claims and (label := to_label(text)):
        claims = [Claim(label=label, said=label, quote=text, whole_output=True)]
    return ChannelReading(claims=tuple(claims))


def _preferred(relation: re.Match[str]) -> str | None:
    left, sign, right = relation.group(1).upper(), relation.group(2), relation.group(3).upper()
    if left == right:
        return None
    if sign == "=":
        return "Tie"
    return left if sign.startswith(">") else right


def _keyed_claims(text: str) -> list[Claim]:
    keys = list(_VERDICT_KEY.finditer(text))
    claims = []
    for index, key in enumerate(keys):
        end = keys[index + 1].start() if index + 1 < len(keys) else len(text)
        lines = text[key.end() : end].splitlines()
        # A heading "Winner:" may have its value on the next line that holds anything.
        value = (
            lines[0] if lines and lines[0].strip(" \t*_`") else next((x for x in lines[1:] if x.strip(" \t*_`")), "")
        )
        label = to_label(value) or _explained_label(value)
        claims.append(Claim(label=label, said=label or tidy(value).casefold(), quote=key.group() + value))
    return claims


def _explained_label(value: str) -> str | None:
    found = _EXPLAINED.fullmatch(unicodedata.normalize("NFKC", value).strip())
    if found is None or (label := to_label(found["label"])) is None:
        return None
    if not found["why"] and _SECOND_THOUGHT.search(found["rest"]):
        return None
    return label


def _concluding_claims(text: str, conclusion: str) -> list[Claim]:
    before, _, after = (re.sub(r"\\?\s+", r"\\s+", re.escape(part)) for part in conclusion.partition("{label}"))
    # The sentence may end there, or go on to give its ground, which leaves the label as it is.
    end = r"(?=[.!]|\s+(?:as|because|since)\b|\s*$)"
    sentence = re.compile(rf"{before}(.{{1,24}}?){after.removesuffix(re.escape('.'))}{end}", re.IGNORECASE)
    claims = []
    for found in sentence.finditer(text):
        label = to_label(found.group(1))
        claims.append(Claim(label=label, said=label or tidy(found.group(1)).casefold(), quote=found.group()))
    return claims
