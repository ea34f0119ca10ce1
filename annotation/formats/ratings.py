"""Scores and options in lists, often packed into one text; raters without names are told by their place in the list."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from annotation.formats.cells import Cells
from annotation.formats.tabular import unstorable_in
from annotation.records import LabelRecord, Oddity

_SEPARATED = re.compile(r"\s*[,;|]\s*")


def packed_list(text: str) -> list[Any] | None:
    """The list that ``text`` writes as JSON or as Python does; None where it writes none."""
    if not text.strip().startswith("["):
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(text.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return value if isinstance(value, list) and not any(unstorable_in(value, "")) else None
    return None


def packed_scores(value: Any) -> list[Any] | None:
    """A list of scores, also from one text such as "[4, 3, 1]", "4,3,1" or "4 | 3 | 1"; None for anything else."""
    if not isinstance(value, str):
        return value if isinstance(value, list) else None
    listed = packed_list(value)
    return _SEPARATED.split(value.strip()) if listed is None and value.strip() else listed


def score_text(cells: Cells, field: str, score: Any) -> str:
    """A score as a category: 4 and 4.0 are both "4". '' after refusing what is neither a number nor a word."""
    if isinstance(score, float) and score.is_integer():
        score = int(score)
    text = "" if score is None else cells.as_text(field, score, count_numbers=False).strip()
    if score is not None and not text and cells.ok:
        cells.refuse(field, "is empty.", "Leave the rating out, or write null.")
    return text


def rated(
    cells: Cells, *, unit: str, question: str, scores: Sequence[Any], rater: str = "rater"
) -> Iterator[LabelRecord]:
    """One label a score that is not null: annotator ``rater-1`` gave the first, ``rater-2`` the second ..."""
    for place, score in enumerate(scores, start=1):
        label = score_text(cells, question, score)
        if label:
            name = f"{rater}-{place}"
            yield LabelRecord(pair_id=unit, annotator=name, label=label, question=question, row=cells.row.number)


def by_position(row: int) -> Oddity:
    """Told once a file whose raters are known by their place only."""
    message = "Raters are told apart by their place in a row's list, which need not be one person."
    return Oddity("annotators_by_position", message, row)
