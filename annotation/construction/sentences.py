"""Splits English text into sentences and words without any downloaded model."""

from __future__ import annotations

import re

_ABBREVIATION = re.compile(
    r"(?:mrs?|ms|dr|prof|[sj]r|st|mt|ft|gen|col|lt|sgt|capt|cmdr|adm|rev|hon|gov|sen|rep|pres|inc|ltd|co|corp|plc|bros"
    r"|nos?|vols?|figs?|eq|sec|chs?|pp?|eds?|al|etc|vs|cf|ca|approx|dept|univ|assn|ave|blvd|rd"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|e\.g|i\.e|u\.s|u\.k|u\.n|d\.c|a\.m|p\.m|ph\.d|[bm]\.s?[ac])",
    re.IGNORECASE,
)
_INITIALS = re.compile(r"[A-Z](?:\.[A-Z])*")
_END = re.compile(r"([.!?\u2026]+[\"'\u201d\u2019)\]]*)(\s+)(?=[\"'\u201c\u2018(\[]*[A-Z0-9\u00c0-\u00de])")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*|\d+(?:[.,]\d+)*")


def split_sentences(text: str) -> list[str]:
    """The sentences, each stripped, none empty. A blank line always ends one; abbreviations and initials do not."""
    found: list[str] = []
    for block in re.split(r"\n\s*\n", text):
        flat = " ".join(block.split())
        start = 0
        for match in _END.finditer(flat):
            if (
                match.group(1).startswith(".")
                and len(match.group(1).rstrip("\"'\u201d\u2019)]")) == 1
                and _abbreviated(flat[: match.start()])
            ):
                continue
            found.append(flat[start : match.end(1)])
            start = match.end()
        found.append(flat[start:])
    return [sentence.strip() for sentence in found if sentence.strip()]


def split_words(text: str) -> list[str]:
    """Words and numbers, as written."""
    return _WORD.findall(text)


def _abbreviated(before: str) -> bool:
    last = before.rsplit(" ", 1)[-1].lstrip("(\"'\u201c[")
    return bool(_ABBREVIATION.fullmatch(last) or _INITIALS.fullmatch(last))
