"""One JSON object of annotators, each an object of items and labels, as the alternative annotator test's data.

Shape: {annotator: {item: label}}. An annotator need not have labelled every item.
"""

from __future__ import annotations

from collections.abc import Mapping

from annotation.formats.cells import Cells
from annotation.formats.ratings import score_text
from annotation.formats.registry import Format, LabelRows
from annotation.formats.source import Container, Sample, Source
from annotation.formats.tabular import Row, rows
from annotation.records import LabelRecord


def read_labels(source: Source) -> LabelRows:
    """One label an annotator and item; ``row`` counts the annotators."""
    document = next((row.cells for row in rows(source)), {})
    for number, (annotator, labels) in enumerate(document.items(), start=1):
        cells = Cells(Row(number, {}, True), source.problems)
        if not isinstance(labels, Mapping):
            cells.refuse(str(annotator), "is not an object of items.", 'Write it like {"item": "A"}.')
            continue
        for item, value in labels.items():
            label = score_text(cells, f"{annotator}.{item}", value)
            if label:
                yield LabelRecord(pair_id=str(item), annotator=str(annotator), label=label, row=number)


def _recognises(sample: Sample) -> bool:
    if sample.container is not Container.JSON_OBJECT or not sample.rows:
        return False
    annotators = list(sample.rows[0].values())
    return len(annotators) > 1 and all(
        isinstance(labels, Mapping) and all(isinstance(label, str | int | float) for label in labels.values())
        for labels in annotators
    )


FORMAT = Format(
    name="annotator_map", words="JSON object of annotators and labels", recognises=_recognises, labels=read_labels
)
