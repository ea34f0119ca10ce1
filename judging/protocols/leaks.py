"""Did source display survive masking? A scan of normalised records for titles, markers, ids and source counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.construction.display import Display, find_display, strip_display
from judging.protocols.comparison import Leak

TITLE, MARKER, IDENTIFIER, SOURCE_COUNT = "title", "marker", "identifier", "source_count"
LEAK_KINDS = (TITLE, MARKER, IDENTIFIER, SOURCE_COUNT)

#: How the display that candidates show is counted when a record still shows it.
_KIND_OF_DISPLAY = {
    Display.SENTENCE_ID: IDENTIFIER,
    Display.LINK: IDENTIFIER,
}
_SOURCE_WORD = r"(?:sources?|citations?|references?|passages?|documents?|docs?|snippets?|articles?|footnotes?)"
_COUNT_WORD = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|several|multiple|many|both)"
# Words of a record, unlike words of a candidate, have no business with sources even where no bracket shows them.
_BARE = (
    (
        IDENTIFIER,
        re.compile(
            r"\b(?:doc(?:ument)?|passage|sent(?:ence)?|para(?:graph)?|chunk|snippet|source|ref)"
            r"[\s_#\-:]*(?:id)?[\s_#\-:]*\d+\b",
            re.IGNORECASE,
        ),
    ),
    (SOURCE_COUNT, re.compile(rf"\b{_COUNT_WORD}\s+(?:\w+\s+)?{_SOURCE_WORD}\b", re.IGNORECASE)),
    (SOURCE_COUNT, re.compile(rf"\b{_SOURCE_WORD}\s*(?:count|cited)?\s*[:=]\s*\d+", re.IGNORECASE)),
)

# Where candidates display titles: after a source label, in corner brackets, as an entry of a list.
_DISPLAYED_TITLES = (
    re.compile(
        r"(?im)^[\W\d]*(?:sources?|titles?|references?|citations?|document|article)\s*\d*\s*[:–—-]\s*(?P<t>[^\n]{3,160})$"
    ),
    re.compile(r"(?i)[\[(](?:source|ref|from|see)\s*:\s*(?P<t>[^\])\n]{3,120})[\])]"),
    re.compile(r"\[(?:\d{1,3}[.:\]]?\s+)?(?P<t>[A-Z][^\[\]\n]{2,100})\]"),
    re.compile(r"(?i)\[\d{1,3}\]\s*[\"“]?(?P<t>[A-Z][^\n\"”.:]{2,100})[\"”]?\s*[.:–—-]"),
)
_SPLIT = re.compile(r"\s*(?:;|\||,(?=\s[A-Z\"“]))\s*")
_LEADING_NUMBER = re.compile(r"^\[?\d{1,3}\]?[.):]?\s+")
_TRAILING_ID = re.compile(r"\s*[(\[](?:s|p|sent|sentence|passage)?[\s_#]*\d+[)\]]$", re.IGNORECASE)
_WRAPPING = " .\"“”'*_`"
_DISPLAY_WORDS = re.compile(r"(?:sources?|citations?|references?|titles?|evidence|document)\b", re.IGNORECASE)


def displayed_titles(text: str) -> tuple[str, ...]:
    """The source titles a text displays as such, in order, without repeats."""
    titles: dict[str, None] = {}
    for pattern in _DISPLAYED_TITLES:
        for found in pattern.finditer(text):
            for part in _SPLIT.split(found["t"]):
                title = _TRAILING_ID.sub("", _LEADING_NUMBER.sub("", part.strip(_WRAPPING))).strip(_WRAPPING + "[]")
                title = title if "(" in title else title.rstrip(")")
                if len(title) >= 3 and not title.isdigit() and not _DISPLAY_WORDS.match(title):
                    titles[title] = None
    return tuple(titles)


def scan(record: Mapping[str, Any], *, task: str, texts: Sequence[str]) -> tuple[Leak, ...]:
    """Every leak in a record of the form {side: {field: value}}; ``texts`` are the candidates it was made from.

    A title counts where the record shows it as a title would be shown, or holds one that the task and the
    candidates' own sentences never mention: an entity that is both a page's title and part of the answer is no leak.
    Words about numbered or counted sources do not count where the task itself speaks of them.
    """
    titles = dict.fromkeys(title for text in texts for title in displayed_titles(text))
    prose = "\n".join([task, *(strip_display(text) for text in texts)]).casefold()
    hidden = [title for title in titles if title.casefold() not in prose]
    leaks: dict[Leak, None] = {}
    for side, field, value in _values(record):
        found = [*_titles(value, titles=titles, hidden=hidden), *_display(value), *_bare(value, task=task)]
        leaks |= dict.fromkeys(Leak(kind, side, field, text) for kind, text in found)
    return tuple(leaks)


def _titles(value: str, *, titles: Mapping[str, None], hidden: Sequence[str]) -> Iterator[tuple[str, str]]:
    shown = displayed_titles(value)
    for title in titles:
        mentioned = title in hidden and re.search(rf"(?<!\w){re.escape(title)}(?!\w)", value, re.IGNORECASE)
        if title in shown or mentioned:
            yield TITLE, title


def _display(value: str) -> Iterator[tuple[str, str]]:
    for span in find_display(value):
        yield _KIND_OF_DISPLAY.get(span.kind, MARKER), span.text.strip()


def _bare(value: str, *, task: str) -> Iterator[tuple[str, str]]:
    for kind, pattern in _BARE:
        for found in pattern.finditer(value):
            if found.group().casefold() not in task.casefold():
                yield kind, found.group()


def _values(record: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for side, body in record.items():
        if not isinstance(body, Mapping):
            continue
        for field, value in body.items():
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, str):
                    yield side, field, item
