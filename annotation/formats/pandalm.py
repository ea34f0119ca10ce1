"""PandaLM's human test set: two responses an item and three (or more, or fewer) annotators' labels 0, 1, 2.

Source: PandaLM (arXiv:2306.05087), data/testset-v1.json of its repository, Apache-2.0. Keys: idx,
motivation_app, cmp_key ("model-a_model-b"), instruction, input, response1, response2, annotator1 ... Roles are
``first`` and ``second``, because every annotator must label in the same categories; the model names ride
along in meta.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from annotation.enums import Tier
from annotation.formats.cells import Cells
from annotation.formats.registry import Format, LabelRows, PairRows
from annotation.formats.seen import Seen
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.records import LabelRecord, PairRecord

ROLES = ("first", "second")
CATEGORIES = {"0": "Tie", "1": "first", "2": "second"}
_ANNOTATOR = re.compile(r"annotator[ _]?\d+", re.IGNORECASE)


def read_pairs(source: Source) -> PairRows:
    """One pair an item; boolean responses become text and are told."""
    for cells, pair_id in _items(source):
        instruction = cells.passage("instruction", required=True) or ""
        given = cells.passage("input") or None
        first, second = cells.passage("response1", required=True), cells.passage("response2", required=True)
        models = cells.word("cmp_key").split("_")
        if cells.ok:
            yield PairRecord(
                pair_id=pair_id,
                task=instruction,
                context=given,
                roles=ROLES,
                candidates=(first, second),
                tier=Tier.PREFERENCE,
                cluster=_cluster(instruction, given or ""),
                domain=cells.word("motivation_app"),
                source_dataset="PandaLM",
                source_id=pair_id.removeprefix("pandalm-"),
                source_licence="Apache-2.0",
                meta={"models": models} if len(models) == 2 else {},
            )
            yield from cells.oddities


def read_labels(source: Source) -> LabelRows:
    """One label an annotator and item: ``first``, ``second`` or ``Tie``."""
    for cells, pair_id in _items(source):
        for name in cells.row.cells:
            if not _ANNOTATOR.fullmatch(name) or not cells.has(name):
                continue
            value = cells.word(name)
            if value not in CATEGORIES:
                cells.refuse(name, f"is {value!r}.", "PandaLM labels are 0 (tie), 1 and 2.")
                continue
            yield LabelRecord(pair_id=pair_id, annotator=name, label=CATEGORIES[value], row=cells.row.number)


def _items(source: Source) -> Iterator[tuple[Cells, str]]:
    ids = Seen()
    try:
        for position, row in enumerate(rows(source)):
            cells = Cells(row, source.problems)
            pair_id = f"pandalm-{cells.word('idx') or position}"
            before = ids.earlier(row.number, pair_id)
            if before is not None:
                cells.refuse("idx", f"was used in row {before}.", "Give every item its own idx.")
            else:
                yield cells, pair_id
    finally:
        ids.close()


def _cluster(instruction: str, given: str) -> str:
    """Items with one instruction and input ask the same thing of different models: one sampling unit."""
    digest = hashlib.sha256(f"{instruction}\x1f{given}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"pandalm-task-{digest[:12]}"


def _recognises(sample: Sample) -> bool:
    return sample.has("instruction", "response1", "response2")


FORMAT = Format(name="pandalm", words="PandaLM test set", recognises=_recognises, pairs=read_pairs, labels=read_labels)
