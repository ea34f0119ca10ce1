"""Turns what several systems wrote of one document or query into the items that single recipes want."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from annotation.construction.items import DocumentItem, DrawsItem, LabelledSummary, OutputItem
from annotation.records import Excluded


def documents_from(
    items: Iterable[OutputItem], *, systems: Sequence[str], model: str = ""
) -> Iterator[DocumentItem | Excluded]:
    """Documents with the summaries of ``systems``, in that order; items without a document or summary are excluded."""
    for item in items:
        missing = _missing(item, systems)
        if missing or not item.context:
            yield Excluded(item.item_id, missing or "it has no document")
            continue
        yield DocumentItem(
            item_id=item.item_id,
            document=item.context,
            summaries=tuple(item.outputs[system] for system in systems),
            model=model or systems[0],
            dataset=item.dataset,
            licence=item.licence,
        )


def draws_from(
    items: Iterable[OutputItem], *, systems: tuple[str, str], model: str, relation: str = "draws"
) -> Iterator[DrawsItem | Excluded]:
    """Two outputs of one model as draws or paraphrases; items that lack one are excluded."""
    for item in items:
        missing = _missing(item, systems)
        if missing:
            yield Excluded(item.item_id, missing)
            continue
        yield DrawsItem(
            item_id=item.item_id,
            task=item.task,
            context=item.context,
            texts=(item.outputs[systems[0]], item.outputs[systems[1]]),
            model=model,
            relation=relation,
            dataset=item.dataset,
            licence=item.licence,
        )


def labelled_from(
    items: Iterable[OutputItem], *, subject: str, opponent: str, labels: tuple[str, str]
) -> Iterator[LabelledSummary | Excluded]:
    """One system's output as the subject, another's as the fixed opponent; ``labels`` are what each truly is."""
    for item in items:
        missing = _missing(item, (subject, opponent))
        if missing:
            yield Excluded(item.item_id, missing)
            continue
        yield LabelledSummary(
            item_id=item.item_id,
            task=item.task,
            context=item.context,
            subject=item.outputs[subject],
            opponent=item.outputs[opponent],
            subject_label=labels[0],
            opponent_label=labels[1],
            dataset=item.dataset,
            licence=item.licence,
        )


def _missing(item: OutputItem, systems: Sequence[str]) -> str:
    gone = [system for system in systems if not item.outputs.get(system, "").strip()]
    return f"it has no output of {', '.join(gone)}" if gone else ""
