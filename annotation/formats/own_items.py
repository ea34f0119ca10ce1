"""Items of one's own that pairs can be built from: systems' outputs, a model's draws, documents, texts under labels.

One JSON object a row with ``id``, and dataset?, licence?, context? beside the keys of its kind:

- ``task, outputs {system: text}, gold?`` - what several systems answered (recipe natural);
- ``task, texts [two], model, relation?`` - two draws or paraphrases of one model (recipe equal_content);
- ``document, summaries [...], model?`` - a document and a language model's summaries (recipes summaries, identical);
- ``task, subject, opponent, subject_label, opponent_label`` - a text and its fixed opponent (recipe relabel).
"""

from __future__ import annotations

from collections.abc import Mapping

from annotation.construction.items import DocumentItem, DrawsItem, Item, LabelledSummary, OutputItem
from annotation.formats.cells import Cells
from annotation.formats.registry import Format, ItemRows
from annotation.formats.seen import Seen
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows

#: What tells the kinds apart.
_MARKS = ("outputs", "texts", "summaries", "subject")


def read_items(source: Source) -> ItemRows:
    """One item a row, of the kind its keys say."""
    ids = Seen()
    try:
        for row in rows(source):
            cells = Cells(row, source.problems)
            name = cells.word("id", required=True)
            before = ids.earlier(row.number, name) if name else None
            if before is not None:
                cells.refuse("id", f"{name!r} was used in row {before}.", "Give every item its own id.")
            item = _item(cells, name) if cells.ok else None
            if item is not None and cells.ok:
                yield item
                yield from cells.oddities
    finally:
        ids.close()


def _item(cells: Cells, name: str) -> Item | None:
    dataset, licence, context = cells.word("dataset"), cells.word("licence"), cells.passage("context") or None
    model = cells.word("model")
    if cells.has("outputs"):
        outputs = _outputs(cells)
        return OutputItem(
            item_id=name, task=_text(cells, "task"), outputs=outputs, gold=cells.passage("gold") or "",
            context=context, dataset=dataset, licence=licence,
        )  # fmt: skip
    if cells.has("texts"):
        texts = _list(cells, "texts")
        if len(texts) != 2:
            cells.refuse("texts", f"holds {len(texts)} texts.", "Give two.")
            return None
        return DrawsItem(
            item_id=name, task=_text(cells, "task"), texts=(texts[0], texts[1]), model=model, context=context,
            relation=cells.word("relation") or "draws", dataset=dataset, licence=licence,
        )  # fmt: skip
    if cells.has("summaries"):
        return DocumentItem(
            item_id=name, document=_text(cells, "document"), summaries=tuple(_list(cells, "summaries")), model=model,
            dataset=dataset, licence=licence,
        )  # fmt: skip
    if cells.has("subject"):
        labels = cells.word("subject_label", required=True), cells.word("opponent_label", required=True)
        return LabelledSummary(
            item_id=name, task=_text(cells, "task"), subject=_text(cells, "subject"),
            opponent=_text(cells, "opponent"), subject_label=labels[0], opponent_label=labels[1], context=context,
            dataset=dataset, licence=licence,
        )  # fmt: skip
    cells.refuse("row", "is of no known kind.", f"It needs one of {', '.join(_MARKS)}.")
    return None


def _text(cells: Cells, field: str) -> str:
    text = cells.passage(field, required=True)
    if cells.ok and not text:
        cells.refuse(field, "is empty.", "Give the text.")
    return text or ""


def _outputs(cells: Cells) -> dict[str, str]:
    given = cells.structure("outputs")
    if not isinstance(given, Mapping) or not all(isinstance(text, str) for text in given.values()):
        cells.refuse("outputs", "is not an object of systems and texts.", 'Write it like {"gpt-4": "..."}.')
        return {}
    return dict(given)


def _list(cells: Cells, field: str) -> list[str]:
    given = cells.structure(field)
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        cells.refuse(field, "is not a list of texts.", 'Write it like ["...", "..."].')
        return []
    return given


def _recognises(sample: Sample) -> bool:
    kinds = (
        {"task", "outputs"},
        {"task", "texts", "model"},
        {"document", "summaries"},
        {"task", "subject", "opponent"},
    )
    return sample.has("id") and any(sample.names >= kind for kind in kinds)


FORMAT = Format(name="items", words="Items of one's own to build pairs from", recognises=_recognises, items=read_items)
