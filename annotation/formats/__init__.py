"""Readers of the files people have: pairs, labels and source items, one reader a public format.

    for record in read_pairs("pairs.jsonl"):
        match record:
            case PairRecord(): ...   # keep it aside
            case Excluded(): ...     # a well-formed item that cannot qualify, with its reason
            case Oddity(): ...       # something kept as it is but worth telling

**Nothing may be trusted before the iterator is exhausted.** A reader streams, and goes on after a bad row
so that it can name every problem at once; ``InputFileError`` (all problems up to 50, and the number of
more) is raised at the end of the iteration. Whoever stores records does so in one transaction around the
whole loop.

The format is recognised by the first rows (``detect``), or given by name (``format=``, see ``FORMATS``).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn, TypeVar

from annotation.construction.items import Item
from annotation.formats import (
    ab_pairs,
    alpacaeval,
    annotator_map,
    argilla,
    contingency,
    doccano,
    feedbackqa,
    finqa,
    helpsteer,
    hotpotqa,
    judge_labels,
    label_studio,
    labels,
    llmbar,
    mtbench,
    newsroom,
    own_items,
    pair_oddities,
    pairs,
    pandalm,
    potato,
    preference,
    rating_counts,
    rating_lists,
    rating_matrix,
    summaries,
    summeval,
    ultrafeedback,
)
from annotation.formats.registry import Format, LabelRows
from annotation.formats.source import Source, open_source
from annotation.formats.tabular import sample
from annotation.records import Excluded, LabelRecord, Oddity, PairRecord

__all__ = ["FORMATS", "Format", "detect", "read_items", "read_labels", "read_pairs"]

Record = TypeVar("Record")

#: Every format, in the order in which they are asked whether a file is theirs. A new format is one line here.
FORMATS: dict[str, Format] = {
    known.name: known
    for known in (
        hotpotqa.FORMAT,
        finqa.FORMAT,
        pandalm.FORMAT,
        mtbench.FORMAT,
        llmbar.FORMAT,
        alpacaeval.FORMAT,
        helpsteer.FORMAT,
        ultrafeedback.FORMAT,
        preference.FORMAT,
        feedbackqa.FORMAT,
        summeval.FORMAT,
        newsroom.FORMAT,
        summaries.FORMAT,
        rating_lists.FORMAT,
        label_studio.FORMAT,
        argilla.FORMAT,
        doccano.FORMAT,
        potato.FORMAT,
        ab_pairs.FORMAT,
        judge_labels.FORMAT,
        own_items.FORMAT,
        annotator_map.FORMAT,
        labels.FORMAT,
        pairs.FORMAT,
        rating_matrix.FORMAT,
        rating_counts.FORMAT,
        contingency.FORMAT,
    )
}


def detect(path: str | Path) -> str:
    """The name of the file's format; raises ``InputFileError`` where no format recognises it."""
    return _detect(open_source(path)).name


def read_pairs(path: str | Path, *, format: str | None = None) -> Iterator[PairRecord | Excluded | Oddity]:
    """The pairs of a file in any format that has pairs, streaming; see the module for what may be trusted
    when.

    Raises ``InputFileError`` at once for a missing file, an unknown format or one without pairs, and at
    the end of the iteration for everything wrong with rows.
    """
    source = open_source(path)
    chosen = _choose(source, format)
    if chosen.pairs is None:
        _refuse(source, f"{chosen.words} holds no pairs.", _offering("pairs"))
    return _checked(source, pair_oddities.with_oddities(chosen.pairs(source)))


def read_labels(
    path: str | Path, *, format: str | None = None, question: str | None = None
) -> Iterator[LabelRecord | Excluded | Oddity]:
    """The labels of a file in any format that has labels, streaming; ``question`` keeps the rows of one
    question.

    Raises like ``read_pairs``; a question that no row asks is refused with the list of those that are asked.
    """
    source = open_source(path)
    chosen = _choose(source, format)
    if chosen.labels is None:
        _refuse(source, f"{chosen.words} holds no labels.", _offering("labels"))
    records = chosen.labels(source)
    return _checked(source, records if question is None else _of_question(source, records, question))


def read_items(path: str | Path, *, format: str | None = None) -> Iterator[Item | Excluded | Oddity]:
    """What pairs can be built from (questions, documents with summaries), streaming; raises like ``read_pairs``."""
    source = open_source(path)
    chosen = _choose(source, format)
    if chosen.items is None:
        _refuse(source, f"{chosen.words} holds no source items.", _offering("items"))
    return _checked(source, chosen.items(source))


def _choose(source: Source, name: str | None) -> Format:
    if name is not None:
        if name not in FORMATS:
            _refuse(source, f"{name!r} is not a known format.", f"Known formats: {', '.join(FORMATS)}.")
        return FORMATS[name]
    return _detect(source)


def _detect(source: Source) -> Format:
    first = sample(source)
    for known in FORMATS.values():
        if first.names and known.recognises(first):
            return known
    # a file too broken to show its first rows is better told what broke it
    first.problems.raise_if_any()
    found = ", ".join(sorted(first.names)[:12]) or "nothing"
    remedy = f"State it with --format; known formats: {', '.join(FORMATS)}."
    return _refuse(source, f"is in no format that is known here (its fields: {found}).", remedy)


def _offering(kind: str) -> str:
    names = [known.name for known in FORMATS.values() if getattr(known, kind) is not None]
    return f"Formats with {kind}: {', '.join(names)}."


def _refuse(source: Source, message: str, remedy: str) -> NoReturn:
    source.problems.add(None, "format", message, remedy)
    source.problems.raise_if_any()
    raise AssertionError("a problem was just noted")


def _of_question(source: Source, records: LabelRows, question: str) -> LabelRows:
    asked: set[str] = set()
    for record in records:
        if isinstance(record, LabelRecord):
            asked.add(record.question)
            if record.question != question:
                continue
        yield record
    if asked and question not in asked:
        listed = ", ".join(sorted(name or "(unnamed)" for name in asked))
        source.problems.add(None, "question", f"no label answers {question!r}.", f"The file's questions: {listed}.")


def _checked(source: Source, records: Iterator[Record]) -> Iterator[Record]:
    empty = True
    for record in records:
        empty = False
        yield record
    if empty and not source.problems.total:
        source.problems.add(None, "file", "holds no rows.", "Check that it is the file you meant.")
    source.problems.raise_if_any()
