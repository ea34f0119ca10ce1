"""A candidate before it is written down (evidence, reasoning, answer), and its plain and cited forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from annotation.construction.answers import FINAL_ANSWER
from annotation.construction.seeding import rng_for


@dataclass(frozen=True, slots=True)
class Statement:
    """One piece of evidence: its wording, the name of its source, its place there, and the hop it belongs to."""

    text: str
    source: str
    place: str
    hop: int


@dataclass(frozen=True, slots=True)
class Body:
    """Everything a candidate says. Two candidates made of one body have the very same content."""

    statements: tuple[Statement, ...]
    reasoning: str
    answer: str

    def evidence(self) -> str:
        return " ".join(statement.text for statement in self.statements)


@dataclass(frozen=True, slots=True)
class Style:
    """How citation-like display looks in one pair: the marker, the list's heading, the closing verification line."""

    marker: Callable[[int], str]
    heading: str
    verification: str


_MARKERS: tuple[Callable[[int], str], ...] = (lambda number: f"[{number}]", lambda number: f"[S{number}]")
_HEADINGS = ("Sources:", "References:", "Retrieved evidence:", "Supporting sources:")
_VERIFICATIONS = (
    "Verification: every statement above was checked against the source listed for it.",
    "Verification: all statements are supported by the listed sources.",
    "Source check: each statement agrees with the retrieved text.",
    "Verified: the listed passages contain the statements above.",
)
#: Words that the display itself uses; they carry nothing of the task.
DISPLAY_WORDS = frozenset(
    word.strip(":.,").lower()
    for phrase in (*_HEADINGS, *_VERIFICATIONS, "sentence row table text line program see source of the report")
    for word in phrase.split()
)


def style_for(*, seed: int, item_id: str) -> Style:
    """The display style drawn for one item: the same in every recipe of one seed."""
    rng = rng_for(seed, "style", item_id)
    return Style(rng.choice(_MARKERS), rng.choice(_HEADINGS), rng.choice(_VERIFICATIONS))


def plain_text(body: Body) -> str:
    """Evidence, reasoning and answer, without any citation-like display."""
    return _assemble([statement.text for statement in body.statements], body)


def cited_text(body: Body, style: Style) -> str:
    """The plain text with a marker after every statement, then source titles, sentence ids, snippets, verification."""
    return "\n\n".join((marked_text(body, style.marker), source_list(body, style), style.verification))


def marked_text(body: Body, marker: Callable[[int], str]) -> str:
    """The plain text with a marker after every statement."""
    marked = [f"{statement.text} {marker(number)}" for number, statement in enumerate(body.statements, start=1)]
    return _assemble(marked, body)


def source_list(body: Body, style: Style) -> str:
    """The heading and one line a statement: marker, source title, place and the statement as a snippet."""
    lines = [style.heading]
    for number, statement in enumerate(body.statements, start=1):
        where = ", ".join(part for part in (statement.source, statement.place) if part)
        lines.append(f"{style.marker(number)} {where}: \u201c{statement.text}\u201d")
    return "\n".join(lines)


def answer_line(answer: str) -> str:
    return f"{FINAL_ANSWER} {answer}"


def _assemble(statements: Sequence[str], body: Body) -> str:
    parts = (" ".join(statements), body.reasoning, answer_line(body.answer))
    return "\n\n".join(part for part in parts if part)
