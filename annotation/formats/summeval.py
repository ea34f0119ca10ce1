"""SummEval's own annotations: one summary a row, scored by three experts and five crowd workers.

Source: Fabbri et al. 2021 (arXiv:2007.12626), MIT. Keys: id (of the document), model_id, decoded (the summary),
expert_annotations and turker_annotations [{coherence, consistency, fluency, relevance}], references, and the document
itself as text where the copy has been joined with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.construction.items import OutputItem
from annotation.formats.cells import Cells
from annotation.formats.ratings import by_position, rated
from annotation.formats.registry import Format, ItemRows, LabelRows
from annotation.formats.seen import Seen
from annotation.formats.source import Sample, Source
from annotation.formats.summaries import TASK
from annotation.formats.tabular import rows
from annotation.records import Excluded, LabelRecord

_GROUPS = {"expert_annotations": "expert", "turker_annotations": "turker"}


def read_labels(source: Source) -> LabelRows:
    """One label a rater, summary and criterion; the summary's id is ``document-model``."""
    told = False
    for cells, document, model in _summaries(source):
        if not told:
            told = True
            yield by_position(cells.row.number)
        for field, rater in _GROUPS.items():
            yield from _group(cells, field, rater, f"{document}-{model}")


def read_items(source: Source) -> ItemRows:
    """One ``OutputItem`` a document, holding every model's summary; one without the document's text is excluded."""
    outputs: dict[str, dict[str, str]] = {}
    texts: dict[str, str] = {}
    for cells, document, model in _summaries(source):
        summary = cells.passage("decoded", required=True)
        text = cells.passage("text")
        if cells.ok:
            outputs.setdefault(document, {})[model] = summary or ""
            if text:
                texts[document] = text
    for document, by_model in outputs.items():
        if document not in texts:
            yield Excluded(document, "the file does not hold the document's text")
            continue
        yield OutputItem(
            item_id=document, task=TASK, outputs=by_model, context=texts[document], dataset="SummEval", licence="MIT"
        )


def _summaries(source: Source) -> Iterator[tuple[Cells, str, str]]:
    seen = Seen()
    try:
        for row in rows(source):
            cells = Cells(row, source.problems)
            document, model = cells.word("id", required=True), cells.word("model_id", required=True)
            before = seen.earlier(row.number, document, model) if cells.ok else None
            if before is not None:
                message = f"{model!r} summarised {document!r} in row {before} already."
                cells.refuse("model_id", message, "Every document and model needs one row.")
            if cells.ok:
                yield cells, document, model
    finally:
        seen.close()


def _group(cells: Cells, field: str, rater: str, unit: str) -> Iterator[LabelRecord]:
    given: Any = cells.structure(field)
    if given is None:
        return
    if not isinstance(given, list) or not all(isinstance(one, Mapping) for one in given):
        cells.refuse(field, "is not a list of criteria and scores.", "Take SummEval's own file.")
        return
    criteria = list(dict.fromkeys(str(criterion) for one in given for criterion in one))
    for criterion in criteria:
        scores = [one.get(criterion) for one in given]
        yield from rated(cells, unit=unit, question=criterion, scores=scores, rater=rater)


def _recognises(sample: Sample) -> bool:
    return sample.has("model_id", "decoded") and bool(sample.names & set(_GROUPS))


FORMAT = Format(
    name="summeval", words="SummEval annotations", recognises=_recognises, labels=read_labels, items=read_items
)
