"""Documents with the summaries of several systems and their mean human scores, as benchmarks are often repackaged.

Keys: doc_id (or id), source_text (or text, document), references?, systems [{system, summary, mean_scores {criterion:
number} or mean_expert_scores}].
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.construction.items import OutputItem
from annotation.enums import LabelKind
from annotation.formats.cells import Cells
from annotation.formats.ratings import score_text
from annotation.formats.registry import Format, ItemRows, LabelRows
from annotation.formats.seen import Seen
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.records import LabelRecord

TASK = "Summarise the text."
_IDS = ("doc_id", "id")
_TEXTS = ("source_text", "document", "text", "article")
_SCORES = ("mean_expert_scores", "mean_scores", "scores")


def read_items(source: Source) -> ItemRows:
    """One ``OutputItem`` a document: what each system wrote of it."""
    for cells, name, systems in _documents(source):
        text_name = next((known for known in _TEXTS if cells.has(known)), _TEXTS[0])
        text = cells.passage(text_name, required=True)
        outputs = {str(one["system"]): cells.as_passage("systems.summary", one["summary"]) or "" for one in systems}
        if len(outputs) < len(systems):
            cells.refuse("systems", "names a system twice.", "Every system needs its own name.")
        if cells.ok:
            yield OutputItem(item_id=name, task=TASK, outputs=outputs, context=text)


def read_labels(source: Source) -> LabelRows:
    """The mean scores, one a system and criterion, of kind gold: a mean over people is nobody's independent label."""
    for cells, name, systems in _documents(source):
        for one in systems:
            scores: Mapping[str, Any] = next((one[key] for key in _SCORES if isinstance(one.get(key), Mapping)), {})
            for criterion, score in scores.items():
                label = score_text(cells, f"systems.{criterion}", score)
                if label:
                    yield LabelRecord(
                        pair_id=f"{name}-{one['system']}",
                        annotator="mean",
                        label=label,
                        question=str(criterion),
                        kind=LabelKind.GOLD,
                        row=cells.row.number,
                    )


def _documents(source: Source) -> Iterator[tuple[Cells, str, list[Mapping[str, Any]]]]:
    ids = Seen()
    try:
        for row in rows(source):
            cells = Cells(row, source.problems)
            name = cells.word(next((known for known in _IDS if cells.has(known)), _IDS[0]), required=True)
            systems = cells.structure("systems")
            if not isinstance(systems, list) or not all(_is_output(one) for one in systems):
                cells.refuse("systems", "is not a list of system and summary.", "Write one object a system.")
            before = ids.earlier(row.number, name)
            if before is not None:
                cells.refuse("doc_id", f"{name!r} was used in row {before}.", "Give every document its own id.")
            if cells.ok:
                yield cells, name, systems
    finally:
        ids.close()


def _is_output(value: Any) -> bool:
    return isinstance(value, Mapping) and "system" in value and "summary" in value


def _recognises(sample: Sample) -> bool:
    return sample.has("systems") and bool(sample.names & set(_IDS))


FORMAT = Format(
    name="summaries",
    words="Documents with several systems' summaries and mean scores",
    recognises=_recognises,
    labels=read_labels,
    items=read_items,
)
