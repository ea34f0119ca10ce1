"""LLMBar and the sets published in its shape: two outputs for one input, and which of them follows it.

Source: Zeng et al. 2023 (arXiv:2310.07641), MIT. Keys: input, output_1, output_2, label (1 or 2). Items have no ids:
they are numbered from 0 within the file, under the name of the subset (the file's name, or its folder's where the
file is called dataset.json, as in the set's own repository).
"""

from __future__ import annotations

from collections.abc import Iterator

from annotation.enums import LabelKind, Tier
from annotation.formats.cells import Cells
from annotation.formats.first_second import FIRST, ROLES, SECOND, read_category
from annotation.formats.registry import Format, LabelRows, PairRows
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.records import LabelRecord, PairRecord

CATEGORIES = {"1": FIRST, "2": SECOND}


def read_pairs(source: Source) -> PairRows:
    """One pair an item, with the gold output as its target."""
    subset = subset_name(source)
    for cells, number in _items(source):
        task = cells.passage("input", required=True) or ""
        texts = cells.passage("output_1", required=True), cells.passage("output_2", required=True)
        gold = _gold(cells)
        if cells.ok:
            yield PairRecord(
                pair_id=f"llmbar-{subset}-{number}",
                task=task,
                roles=ROLES,
                candidates=texts,
                tier=Tier.PREFERENCE,
                target=gold,
                source_dataset=f"LLMBar {subset}",
                source_id=str(number),
                source_licence="MIT",
            )
            yield from cells.oddities


def read_labels(source: Source) -> LabelRows:
    """The gold label of each item, of kind gold: it never enters an agreement coefficient."""
    subset = subset_name(source)
    for cells, number in _items(source):
        gold = _gold(cells)
        if gold is not None:
            pair_id = f"llmbar-{subset}-{number}"
            row = cells.row.number
            yield LabelRecord(pair_id=pair_id, annotator="LLMBar", label=gold, kind=LabelKind.GOLD, row=row)


def subset_name(source: Source) -> str:
    """Natural, Adversarial-Neighbor ...: what keeps the numbers of two files apart."""
    path = source.path
    if path.stem != "dataset":
        return path.stem
    folder = path.resolve().parent
    return f"{folder.parent.name}-{folder.name}" if folder.parent.name in {"Adversarial", "Processed"} else folder.name


def _items(source: Source) -> Iterator[tuple[Cells, int]]:
    for number, row in enumerate(rows(source)):
        yield Cells(row, source.problems), number


def _gold(cells: Cells) -> str | None:
    label = cells.word("label", required=True)
    return read_category(cells, "label", label, CATEGORIES) if label else None


def _recognises(sample: Sample) -> bool:
    return sample.has("input", "output_1", "output_2", "label") and "instruction" not in sample.names


FORMAT = Format(
    name="llmbar", words="LLMBar evaluation set", recognises=_recognises, pairs=read_pairs, labels=read_labels
)
