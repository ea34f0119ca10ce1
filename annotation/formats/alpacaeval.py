"""AlpacaEval and AlpacaFarm annotations: two outputs an instruction and a preference from 1 (first) to 2 (second).

Source: Dubois et al. 2023 (arXiv:2305.14387), Apache-2.0 (outputs CC-BY-NC-4.0). Keys: instruction, input?, output_1,
output_2, generator_1?, generator_2?, annotator or annotator_index, preference. A preference may lie between 1 and 2 (a
weighted judge), be 0 or 1.5 (a tie), or be missing (no reading: excluded by name).

Items have no ids: a pair is known by a hash of its texts in a fixed order, so that several annotators of one pair,
and both orders of it, meet in one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from annotation.enums import Tier
from annotation.formats.cells import Cells
from annotation.formats.first_second import ROLES, TIE, by_sign, swapped
from annotation.formats.registry import Format, LabelRows, PairRows
from annotation.formats.seen import Seen
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.records import Excluded, LabelRecord, Oddity, PairRecord

_MISSING = {"", "nan", "none", "null"}


@dataclass(frozen=True, slots=True)
class _Item:
    cells: Cells
    task: str
    given: str
    texts: tuple[str, str]
    models: tuple[str, str]
    turned: bool

    @property
    def pair_id(self) -> str:
        text = "\x00".join((self.task, self.given, *self.texts))
        return f"alpacaeval-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def read_pairs(source: Source) -> PairRows:
    """One pair for each instruction and two outputs, however often it was annotated."""
    seen = Seen()
    try:
        for item in _items(source):
            if seen.earlier(item.cells.row.number, item.pair_id) is not None:
                continue
            yield PairRecord(
                pair_id=item.pair_id,
                task=item.task,
                context=item.given or None,
                roles=ROLES,
                candidates=item.texts,
                tier=Tier.PREFERENCE,
                cluster=_cluster(item),
                domain=item.cells.word("dataset"),
                source_dataset="AlpacaEval",
                source_licence="CC-BY-NC-4.0",
                meta={"models": list(item.models)} if all(item.models) else {},
            )
            yield from item.cells.oddities
    finally:
        seen.close()


def read_labels(source: Source) -> LabelRows:
    """One label a row. A repeated reading by one annotator is numbered as a revision and told."""
    seen = Seen()
    try:
        for item in _items(source):
            cells, number = item.cells, item.cells.row.number
            annotator = cells.word("annotator") or cells.word("annotator_index", required=True)
            category = _category(cells)
            if not cells.ok:
                continue
            if category is None:
                yield Excluded(item.pair_id, f"{annotator} gave no preference", number)
                continue
            revision = 1
            while seen.earlier(number, item.pair_id, annotator, str(revision)) is not None:
                revision += 1
            if revision > 1:
                message = f"{item.pair_id}: {annotator} annotated it {revision} times; kept as a revision."
                yield Oddity("annotated_again", message, number, item.pair_id)
            label = swapped(category) if item.turned else category
            yield LabelRecord(pair_id=item.pair_id, annotator=annotator, label=label, revision=revision, row=number)
    finally:
        seen.close()


def _items(source: Source) -> Iterator[_Item]:
    for row in rows(source):
        cells = Cells(row, source.problems)
        task, given = cells.passage("instruction", required=True) or "", cells.passage("input") or ""
        first, second = cells.passage("output_1", required=True), cells.passage("output_2", required=True)
        if cells.ok and (first is None or second is None):
            cells.refuse(
                "output_1" if first is None else "output_2", "is null.", "AlpacaEval has no pairs without text."
            )
        if cells.ok and first is not None and second is not None:
            models = cells.word("generator_1"), cells.word("generator_2")
            turned = first > second
            texts = (second, first) if turned else (first, second)
            yield _Item(cells, task, given, texts, (models[1], models[0]) if turned else models, turned)


def _category(cells: Cells) -> str | None:
    """first, second or Tie; None where there is no preference (or after refusing it: see ``cells.ok``)."""
    word = cells.word("preference").lower()
    if word in _MISSING:
        return None
    try:
        value = float(word)
    except ValueError:
        value = -1.0
    if value == 0:
        return TIE
    if not 1 <= value <= 2:
        cells.refuse("preference", f"is {word!r}.", "AlpacaEval preferences are 0 (tie) or between 1 and 2.")
        return None
    return by_sign(value - 1.5)


def _cluster(item: _Item) -> str:
    text = f"{item.task}\x00{item.given}"
    return f"alpacaeval-task-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def _recognises(sample: Sample) -> bool:
    return sample.has("instruction", "output_1", "output_2", "preference")


FORMAT = Format(
    name="alpacaeval",
    words="AlpacaEval and AlpacaFarm annotations",
    recognises=_recognises,
    pairs=read_pairs,
    labels=read_labels,
)
