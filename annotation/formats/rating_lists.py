"""Items with a list of scores for each criterion, one score a rater: the shape of JUDGE-BENCH's exports.

Keys: id, annotations {criterion: [scores]} or {criterion: {individual_human_scores: [scores], ...}}; either one row an
item, or one JSON object with the rows under ``instances``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.formats.cells import Cells
from annotation.formats.ratings import by_position, packed_scores, rated
from annotation.formats.registry import Format, LabelRows
from annotation.formats.seen import Seen
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import Row, rows


def read_labels(source: Source) -> LabelRows:
    """One label a rater, item and criterion (``question``)."""
    told = False
    ids = Seen()
    try:
        for row in _instances(source):
            cells = Cells(row, source.problems)
            unit = cells.word("id", required=True)
            before = ids.earlier(row.number, unit) if unit else None
            if before is not None:
                cells.refuse("id", f"{unit!r} was used in row {before}.", "Give every item its own id.")
            criteria = cells.structure("annotations")
            if not isinstance(criteria, Mapping):
                cells.refuse("annotations", "is not an object of criteria.", 'Write it like {"fluency": [3, 4]}.')
            if not cells.ok:
                continue
            if not told:
                told = True
                yield by_position(row.number)
            for criterion, scores in criteria.items():
                listed = packed_scores(scores.get("individual_human_scores") if isinstance(scores, Mapping) else scores)
                if listed is None:
                    cells.refuse(f"annotations.{criterion}", "is not a list of scores.", "Write it like [3, 4].")
                    continue
                yield from rated(cells, unit=unit, question=str(criterion), scores=listed)
    finally:
        ids.close()


def _instances(source: Source) -> Iterator[Row]:
    for row in rows(source):
        inner: Any = row.cells.get("instances")
        if not isinstance(inner, list):
            yield row
            continue
        for number, value in enumerate(inner, start=1):
            if isinstance(value, Mapping):
                yield Row(number, value, True)
            else:
                source.problems.add(number, "instances", "is not an object.", "Write one object an item.")


def _recognises(sample: Sample) -> bool:
    if sample.has("instances"):
        return True
    return sample.has("id", "annotations") and isinstance(sample.first("annotations"), Mapping)


FORMAT = Format(
    name="rating_lists",
    words="Lists of scores an item and criterion (JUDGE-BENCH shape)",
    recognises=_recognises,
    labels=read_labels,
)
