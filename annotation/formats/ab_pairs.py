"""Pair sets with candidate_a and candidate_b in one row, the votes beside them, and perhaps a gold side.

Keys: id, task, candidate_a, candidate_b, labels {annotator: A | B | Tie}, gold (A, B, Tie or null); whatever else a
row holds goes into meta.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.enums import TARGET_TIE, LabelKind, Tier
from annotation.formats.cells import Cells
from annotation.formats.first_second import FIRST, INCONSISTENT_TIE, ROLES, SECOND, TIE, read_category
from annotation.formats.registry import Format, LabelRows, PairRows
from annotation.formats.seen import Seen
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.records import Excluded, LabelRecord, Oddity, PairRecord

CATEGORIES = {"a": FIRST, "b": SECOND, "tie": TIE, INCONSISTENT_TIE: TIE}
_OWN = {"id", "task", "context", "candidate_a", "candidate_b", "labels", "gold", "source", "licence", "domain"}
#: What some judges' files hold where a verdict could not be read. It is no label, and no tie either.
GARBAGE = "garbage"


def read_pairs(source: Source) -> PairRows:
    """One pair a row; a gold side becomes the target of a preference pair."""
    for cells, pair_id in _items(source):
        task = cells.passage("task", required=True)
        texts = cells.passage("candidate_a", required=True), cells.passage("candidate_b", required=True)
        gold = read_category(cells, "gold", cells.word("gold"), CATEGORIES) if cells.has("gold") else None
        if not cells.ok or task is None:
            continue
        yield PairRecord(
            pair_id=pair_id,
            task=task,
            context=cells.passage("context") or None,
            roles=ROLES,
            candidates=texts,
            tier=Tier.PREFERENCE,
            target=TARGET_TIE if gold == TIE else gold,
            domain=cells.word("domain") or cells.word("category"),
            source_dataset=cells.word("source"),
            source_id=pair_id,
            source_licence=cells.word("licence"),
            meta={name: value for name, value in cells.row.cells.items() if name not in _OWN},
        )
        yield from cells.oddities


def read_labels(source: Source) -> LabelRows:
    """One label an annotator and row (``first``, ``second``, ``Tie``), and the gold side as a label of kind gold."""
    for cells, pair_id in _items(source):
        labels = cells.structure("labels")
        if not isinstance(labels, Mapping | None):
            cells.refuse("labels", "is not an object of annotators and labels.", 'Write it like {"ann": "A"}.')
            continue
        for annotator, value in (labels or {}).items():
            yield from read_vote(cells, pair_id, str(annotator), value)
        if cells.has("gold"):
            gold = read_category(cells, "gold", cells.word("gold"), CATEGORIES)
            if gold is not None:
                row = cells.row.number
                yield LabelRecord(pair_id=pair_id, annotator="gold", label=gold, kind=LabelKind.GOLD, row=row)


def read_vote(cells: Cells, pair_id: str, annotator: str, value: Any, *, verbatim: Any = None) -> LabelRows:
    """One vote as a label; null and "garbage" are excluded by name, "tie (inconsistent)" is a Tie and told.

    ``verbatim`` is the vote as first published, where ``value`` has been cleaned since.
    """
    row = cells.row.number
    published = str(value if verbatim is None else verbatim).strip().lower()
    if value is None or str(value).strip().lower() in {"", GARBAGE}:
        yield Excluded(pair_id, f"{annotator} gave no label ({published!r})", row)
        return
    category = read_category(cells, "label", str(value), CATEGORIES)
    if category is None:
        return
    if published == INCONSISTENT_TIE:
        message = f"{pair_id}: {annotator} said {INCONSISTENT_TIE!r}; it counts as Tie."
        yield Oddity("inconsistent_tie", message, row, pair_id)
    yield LabelRecord(pair_id=pair_id, annotator=annotator, label=category, row=row)


def _items(source: Source) -> Iterator[tuple[Cells, str]]:
    ids = Seen()
    try:
        for row in rows(source):
            cells = Cells(row, source.problems)
            pair_id = cells.word("id", required=True)
            before = ids.earlier(row.number, pair_id) if pair_id else None
            if before is not None:
                cells.refuse("id", f"{pair_id!r} was used in row {before}.", "Give every pair its own id.")
            if cells.ok:
                yield cells, pair_id
    finally:
        ids.close()


def _recognises(sample: Sample) -> bool:
    return sample.has("id", "candidate_a", "candidate_b")


FORMAT = Format(
    name="ab_pairs",
    words="Pairs with candidate_a and candidate_b and the votes in the row",
    recognises=_recognises,
    pairs=read_pairs,
    labels=read_labels,
)
