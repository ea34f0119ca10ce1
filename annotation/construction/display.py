"""Finds citation-like display in a text: markers, sentence ids, source lists, snippets, verification lines, links.

The detector only looks at form. It says nothing of whether what is cited is true, and code between backticks is
never display. ``strip_display`` takes the finds out again, so that what is left can be compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Display(StrEnum):
    """The kinds of citation-like display that TRACE names (section 4), and links."""

    MARKER = "marker"
    SENTENCE_ID = "sentence_id"
    SOURCE_LABEL = "source_label"
    SOURCE_LIST = "source_list"
    SNIPPET = "snippet"
    VERIFICATION = "verification"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class DisplaySpan:
    """Characters ``start`` to ``end`` of the text show display of one kind."""

    kind: Display
    start: int
    end: int
    text: str


_SOURCE_WORDS = (
    r"(?:sources?|references?|citations?|works cited|bibliography|cited (?:sources|passages|evidence)"
    r"|supporting (?:sources|passages|documents|evidence|facts)|retrieved (?:sources|passages|snippets|documents"
    r"|evidence|context)|evidence (?:sources|used|block)|footnotes?)"
)
_VERIFIED_WORDS = (
    r"(?:verification(?: status| note)?|verified|fact[- ]?check(?:ed)?|citation check|source check"
    r"|grounding check|provenance|attribution)"
)
_MARKDOWN = r"[*_#>\s]*"

#: A heading on a line of its own opens a block that runs to the next blank line.
_BLOCK = re.compile(
    rf"^{_MARKDOWN}{_SOURCE_WORDS}\b{_MARKDOWN}:?{_MARKDOWN}$(?:\n(?!\s*$).*)+", re.IGNORECASE | re.MULTILINE
)
_SOURCE_LINE = re.compile(rf"^{_MARKDOWN}{_SOURCE_WORDS}[*_]*\s*:[*_]*[ \t]*\S.*$", re.IGNORECASE | re.MULTILINE)
_VERIFIED_LINE = re.compile(
    rf"^{_MARKDOWN}{_VERIFIED_WORDS}[*_]*\s*[:\u2014-][*_]*[ \t]*\S.*$", re.IGNORECASE | re.MULTILINE
)
_CHECK_MARK = re.compile(r"[\u2713\u2714\u2705]\s*(?:verified|supported|confirmed|checked)[^\n]*", re.IGNORECASE)
#: A line that begins with a marker and goes on with a title or quotation is an entry of a reference list.
_ENTRY = re.compile(r"^[ \t]*(?:\[\^?[A-Z]?\d{1,3}\]|\u3010\d{1,3}[^\u3011\n]*\u3011)[:.]?[ \t]+\S.*$", re.MULTILINE)

_INLINE = (
    (
        Display.MARKER,
        re.compile(r"(?<![\w\]])\[\^?[A-Z]?\d{1,3}(?:\s?[,;\u2013-]\s?[A-Z]?\d{1,3})*\]|(?<=\w)\[\d{1,3}\](?!\w)"),
    ),
    (Display.MARKER, re.compile(r"\u3010[^\u3011\n]{1,60}\u3011")),
    (
        Display.MARKER,
        re.compile(r"(?:(?<=[.,;\"')])|(?<=[a-z]{4}))[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+(?=[\s.,;]|$)"),
    ),
    (Display.MARKER, re.compile(r"\[(?:citation needed|source|ref(?:erence)?|cite)\]", re.IGNORECASE)),
    (
        Display.SENTENCE_ID,
        re.compile(
            r"[\[(](?:p(?:assage|aragraph|ara)?[ .:_-]?\d{1,3}[ ,.:_-]*)?s(?:ent(?:ence)?)?[ .:_-]?\d{1,3}[\])]"
            r"|[\[(](?:passages?|paragraphs?|sentences?|sents?\.|docs?|documents?|chunks?|lines?|rows?|p\.|pp\.|\u00a7)\s?#?\d{1,4}"
            r"(?:\s?(?:[,;\u2013-]|and|to)\s?(?:(?:sentence|line|row|sent\.)\s)?\d{1,4})*[\])]",
            re.IGNORECASE,
        ),
    ),
    (
        Display.SOURCE_LABEL,
        re.compile(
            r"[\[(](?:sources?|refs?|references?|cited from|from|see|via)\s?:\s[^\])\n]{2,160}[\])]", re.IGNORECASE
        ),
    ),
    (
        Display.SOURCE_LABEL,
        re.compile(r"\((?:[A-Z][\w'\u2019-]+(?: (?:and|&) [A-Z][\w'\u2019-]+| et al\.)?,? )(?:19|20)\d\d[a-z]?\)"),
    ),
    (
        Display.SOURCE_LABEL,
        re.compile(
            r"\b(?:according to|as (?:stated|noted|reported|described) (?:in|by)|based on|per|cited in) the "
            r"(?:(?:provided|given|retrieved|cited|supporting|following|above) )?"
            r"(?:source|passage|document|article|snippet|excerpt|reference|citation|text|paragraph)s?\b"
            r"(?: (?:on|about|titled|for) \"[^\"\n]{2,100}\")?",
            re.IGNORECASE,
        ),
    ),
    (Display.SNIPPET, re.compile(r"^[ \t]*>[ \t]?\S.*(?:\n[ \t]*>.*)*", re.MULTILINE)),
    (Display.LINK, re.compile(r"\[[^\]\n]{1,120}\]\((?:https?://|www\.)[^)\s]+\)")),
    (Display.LINK, re.compile(r"(?:https?://|www\.)[^\s<>\"')\]]+")),
    (Display.LINK, re.compile(r"\b(?:doi:\s?|arXiv:\s?)\S+", re.IGNORECASE)),
)

_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def find_display(text: str) -> tuple[DisplaySpan, ...]:
    """Every stretch of citation-like display, in order, none overlapping another (blocks win over what they hold)."""
    taken = [match.span() for match in _CODE.finditer(text)]
    found: list[DisplaySpan] = []
    for kind, start, end in _matches(text):
        if all(end <= begin or start >= stop for begin, stop in taken):
            taken.append((start, end))
            found.append(DisplaySpan(kind, start, end, text[start:end]))
    return tuple(sorted(found, key=lambda span: span.start))


def display_kinds(text: str) -> frozenset[Display]:
    return frozenset(span.kind for span in find_display(text))


def display_amount(text: str) -> int:
    """How much display a text shows: one for every inline find, and one for every line of a block."""
    return sum(1 + span.text.strip().count("\n") for span in find_display(text))


def strip_display(text: str) -> str:
    """The text without its display: markers go with the space before them, blocks with the lines they stood on."""
    kept: list[str] = []
    at = 0
    for span in find_display(text):
        before = text[at : span.start]
        alone = _stands_alone(text, span)
        kept.append(before.rstrip() if alone else before.rstrip(" \t"))
        at = span.end
    kept.append(text[at:])
    return "".join(kept).strip() if at else text


def _stands_alone(text: str, span: DisplaySpan) -> bool:
    """Whether nothing but space shares the span's lines with it."""
    line_start = text.rfind("\n", 0, span.start) + 1
    line_end = text.find("\n", span.end)
    tail = text[span.end : line_end if line_end >= 0 else len(text)]
    return not text[line_start : span.start].strip() and not tail.strip()


def _matches(text: str) -> Iterator[tuple[Display, int, int]]:
    """Candidates, blocks first: who comes first keeps the characters."""
    for match in _BLOCK.finditer(text):
        yield Display.SOURCE_LIST, *match.span()
    for kind, pattern in (
        (Display.SOURCE_LIST, _SOURCE_LINE),
        (Display.VERIFICATION, _VERIFIED_LINE),
        (Display.VERIFICATION, _CHECK_MARK),
        (Display.SOURCE_LIST, _ENTRY),
        *_INLINE,
    ):
        for match in pattern.finditer(text):
            yield kind, *match.span()
