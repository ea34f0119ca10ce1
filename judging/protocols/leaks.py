"""Did source display survive masking? A scan of normalised records for titles, markers, ids and source counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judging.protocols.comparison import Leak

TITLE, MARKER, IDENTIFIER, SOURCE_COUNT = "title", "marker", "identifier", "source_count"
LEAK_KINDS = (TITLE, MARKER, IDENTIFIER, SOURCE_COUNT)

_SOURCE_WORD = r"(?:sources?|citations?|references?|passages?|documents?|docs?|snippets?|articles?|footnotes?)"
_COUNT_WORD = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|several|multiple|many|both)"

_MARKERS = (
    re.compile(r"\[\s*(?:\^?\d{1,3}|[a-z]\d{1,3})(?:\s*[,;–-]\s*\^?\d{1,3})*\s*\]", re.IGNORECASE),
    re.compile(r"[【〔]\d{1,3}[^】〕]{0,20}[】〕]"),
    re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?!\w)"),
    re.compile(r"\((?:source|cited in|citation|ref(?:erence)?|see)\b[^)]{0,120}\)", re.IGNORECASE),
    re.compile(r"\((?:[A-Z][\w'’\-]+(?: et al\.)?(?: (?:and|&) [A-Z][\w'’\-]+)?),? (?:19|20)\d\d[a-z]?\)"),
    re.compile(
        r"(?:^|(?<=[\s(]))(?:sources?|citations?|references?|evidence block|retrieved (?:from|snippet))\s*:", re.I
    ),
    re.compile(
        r"\b(?:according to|as (?:cited|stated|shown) (?:in|by)|verified (?:against|by)) (?:the )?(?:cited )?"
        + _SOURCE_WORD,
        re.I,
    ),
)
_IDENTIFIERS = (
    re.compile(
        r"\b(?:doc(?:ument)?|passage|sent(?:ence)?|para(?:graph)?|chunk|snippet|source|ref)"
        r"[\s_#\-:]*(?:id)?[\s_#\-:]*\d+\b",
        re.IGNORECASE,
    ),
    re.compile(r"(?<![\w])(?:s|p|d|sid|pid)[_#\-]?\d{1,4}(?![\w])", re.IGNORECASE),
    re.compile(r"\b(?:https?://|www\.)\S+", re.IGNORECASE),
    re.compile(r"\b(?:doi|arxiv|pmid|isbn)\s*[:#]?\s*[\w./\-]*\d[\w./\-]*", re.IGNORECASE),
)  # fmt: skip
_COUNTS = (
    re.compile(rf"\b{_COUNT_WORD}\s+(?:\w+\s+)?{_SOURCE_WORD}\b", re.IGNORECASE),
    re.compile(rf"\b{_SOURCE_WORD}\s*(?:count|cited)?\s*[:=]\s*\d+", re.IGNORECASE),
)
_PATTERNS = ((MARKER, _MARKERS), (IDENTIFIER, _IDENTIFIERS), (SOURCE_COUNT, _COUNTS))

# Where candidates display titles: after a source label, in front of a sentence id, in corner brackets or quotes.
_DISPLAYED_TITLES = (
    re.compile(r"(?im)^\W*(?:sources?|titles?|references?|citations?|document|article)\s*\d*\s*[:–—-]\s*(?P<t>[^\n]{3,160})$"),
    re.compile(r"(?i)\((?:source|ref|from|see)\s*:?\s*(?P<t>[^)\n]{3,120})\)"),
    re.compile(r"\[(?:\d{1,3}[.:\]]?\s+)?(?P<t>[A-Z][^\[\]\n]{2,100})\]"),
    re.compile(r"(?i)\[\d{1,3}\]\s*[\"“]?(?P<t>[A-Z][^\n\"”.:]{2,100})[\"”]?\s*[.:–—-]"),
)  # fmt: skip
_SPLIT = re.compile(r"\s*(?:;|\||,(?=\s[A-Z\"“]))\s*")


def displayed_titles(text: str) -> tuple[str, ...]:
    """The source titles a candidate displays as such, in order, without repeats."""
    titles: dict[str, None] = {}
    for pattern in _DISPLAYED_TITLES:
        for found in pattern.finditer(text):
            for part in _SPLIT.split(found["t"]):
                title = re.sub(r"^\[?\d{1,3}\]?[.):]?\s+", "", part).strip(" .\"“”'*_`[]")
                title = re.sub(
                    r"\s*[(\[](?:s|p|sent|sentence|passage)?[\s_#]*\d+[)\]]$", "", title, flags=re.IGNORECASE
                )
                if len(title) >= 3 and not title.isdigit():
                    titles[title] = None
    return tuple(titles)


def scan(record: Mapping[str, Any], *, task: str, texts: Sequence[str]) -> tuple[Leak, ...]:
    """Every leak in a record of the form {side: {field: value}}.

    A title counts where the record shows it as a title would be shown, or holds one that the task and the
    candidates' own sentences never mention: an entity that is both a page's title and part of the answer is no leak.
    """
    titles = [title for text in texts for title in displayed_titles(text)]
    prose = "\n".join([task, *(_without_display(text) for text in texts)]).casefold()
    hidden = [title for title in dict.fromkeys(titles) if title.casefold() not in prose]
    leaks: list[Leak] = []
    for side, field, value in _values(record):
        leaks += [Leak(TITLE, side, field, title) for title in displayed_titles(value) if title in titles]
        leaks += [Leak(TITLE, side, field, title) for title in hidden if _mentions(value, title)]
        for kind, patterns in _PATTERNS:
            leaks += [
                Leak(kind, side, field, found.group().strip())
                for pattern in patterns
                for found in pattern.finditer(value)
            ]
    return tuple(dict.fromkeys(leaks))


def _values(record: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for side, body in record.items():
        if not isinstance(body, Mapping):
            continue
        for field, value in body.items():
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, str):
                    yield side, field, item


def _without_display(text: str) -> str:
    for pattern in _DISPLAYED_TITLES:
        text = pattern.sub(" ", text)
    return text


def _mentions(value: str, title: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(title)}(?!\w)", value, re.IGNORECASE) is not None
