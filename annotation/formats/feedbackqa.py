"""FeedbackQA: passages that answer a question, each rated by two people in words, with their feedback.

Source: Li et al. 2022 (arXiv:2204.03025), Apache-2.0. Keys: question, passage {passage_id, source, reference
{page_title, section_headers, section_content}}, rating [word, word], feedback [text, text]. The rows of one question
stand together; every two passages of it make one pair, and a rater's label is the passage that rater rated higher.
Raters have no names: they are told apart by their place in the list, which is told as an oddity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Any

from annotation.enums import Tier
from annotation.formats.cells import Cells
from annotation.formats.first_second import ROLES, by_sign
from annotation.formats.ratings import by_position, packed_list
from annotation.formats.registry import Format, LabelRows, PairRows
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.records import Excluded, LabelRecord, PairRecord

#: The four rating words, worst first.
RATINGS = ("bad", "could be improved", "acceptable", "excellent")


@dataclass(frozen=True, slots=True)
class _Passage:
    row: int
    question: str
    name: str
    domain: str
    text: str
    ratings: tuple[int, ...]
    feedback: tuple[str, ...]


def read_pairs(source: Source) -> PairRows:
    """Every two rated passages of a question as one pair; a question with one passage is excluded by name."""
    for cluster, passages in _questions(source):
        if len(passages) < 2:
            yield Excluded(cluster, "the question has one rated passage only", passages[0].row)
        for first, second in combinations(passages, 2):
            yield PairRecord(
                pair_id=_pair_id(first, second),
                task=first.question,
                roles=ROLES,
                candidates=(first.text, second.text),
                tier=Tier.PREFERENCE,
                cluster=cluster,
                domain=first.domain,
                source_dataset="FeedbackQA",
                source_id=f"{first.name},{second.name}",
                source_licence="Apache-2.0",
            )


def read_labels(source: Source) -> LabelRows:
    """One label a rater and pair: the passage rated higher, or ``Tie``; both pieces of feedback as the comment."""
    told = False
    for _, passages in _questions(source):
        for first, second in combinations(passages, 2):
            if not told:
                told = True
                yield by_position(first.row)
            for place, (one, two) in enumerate(zip(first.ratings, second.ratings, strict=False), start=1):
                said = [passage.feedback[place - 1] for passage in (first, second) if len(passage.feedback) >= place]
                yield LabelRecord(
                    pair_id=_pair_id(first, second),
                    annotator=f"rater-{place}",
                    label=by_sign(two - one),
                    comment="\n\n".join(said),
                    row=second.row,
                )


def _pair_id(first: _Passage, second: _Passage) -> str:
    return f"feedbackqa-{first.row}-{second.row}"


def _questions(source: Source) -> Iterator[tuple[str, list[_Passage]]]:
    """(cluster, passages) of every run of rows that ask the same question."""
    for _, run in groupby(_passages(source), key=lambda passage: passage.question):
        passages = list(run)
        yield f"feedbackqa-question-{passages[0].row}", passages


def _passages(source: Source) -> Iterator[_Passage]:
    for row in rows(source):
        cells = Cells(row, source.problems)
        question = cells.passage("question", required=True) or ""
        passage = cells.structure("passage")
        ratings, feedback = _ratings(cells), _feedback(cells)
        if not isinstance(passage, dict) or not isinstance(passage.get("reference"), dict):
            cells.refuse("passage", "is not a passage with a reference.", "Take FeedbackQA's own file.")
        if cells.ok:
            name, domain = str(passage.get("passage_id", "")), str(passage.get("source", ""))
            yield _Passage(row.number, question, name, domain, _text(passage["reference"]), ratings, feedback)


def _text(reference: dict[str, Any]) -> str:
    """Title, headers and content, as a reader of the site saw them."""
    headers = reference.get("section_headers") or []
    parts = [reference.get("page_title"), *(headers if isinstance(headers, list) else [headers])]
    parts.append(reference.get("section_content"))
    return "\n".join(str(part) for part in parts if part)


def _ratings(cells: Cells) -> tuple[int, ...]:
    words = _listed(cells, "rating")
    found: list[int] = []
    if not words:
        cells.refuse("rating", "is missing.", "Every passage needs its ratings.")
    for word in words:
        if not isinstance(word, str) or word.strip().lower() not in RATINGS:
            cells.refuse("rating", f"{word!r} is no rating.", f"Ratings are {', '.join(RATINGS)}.")
            return ()
        found.append(RATINGS.index(word.strip().lower()))
    return tuple(found)


def _feedback(cells: Cells) -> tuple[str, ...]:
    return tuple(str(text) for text in _listed(cells, "feedback"))


def _listed(cells: Cells, field: str) -> list[Any]:
    """A list in JSON or packed into a cell; one text alone is a list of one."""
    given = cells.row.cells.get(field)
    if isinstance(given, str):
        given = packed_list(given) or [given]
    return given if isinstance(given, list) else []


def _recognises(sample: Sample) -> bool:
    return sample.has("question", "passage", "rating")


FORMAT = Format(
    name="feedbackqa", words="FeedbackQA ratings", recognises=_recognises, pairs=read_pairs, labels=read_labels
)
