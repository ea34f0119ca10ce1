"""Preference rows with a chosen and a rejected answer, as UltraFeedback's binarised copies and many like them.

Keys: prompt (or instruction, question, or none where the answers are whole conversations), chosen and rejected (text
or messages; chosen_response and rejected_response are taken too), prompt_id or id, source?, score_chosen?,
score_rejected?. The roles are ``chosen`` and ``rejected``; neither is ever shown.
"""

from __future__ import annotations

from typing import Any

from annotation.enums import Tier
from annotation.formats.cells import Cells
from annotation.formats.conversation import last_answer, prompt_of, task_and_context
from annotation.formats.registry import Format, PairRows
from annotation.formats.seen import Seen
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.records import Oddity, PairRecord

ROLES = ("chosen", "rejected")
_PROMPTS = ("prompt", "instruction", "question", "input")
_IDS = ("prompt_id", "id", "uid")
_META = ("score_chosen", "score_rejected", "chosen_model", "rejected_model", "chosen_avg_rating", "rejected_avg_rating")


def read_pairs(source: Source) -> PairRows:
    """One pair a row with the chosen answer as target. An id that repeats is numbered on and told."""
    ids = Seen()
    try:
        for position, row in enumerate(rows(source)):
            cells = Cells(row, source.problems)
            chosen_name, rejected_name = _names(cells, "chosen"), _names(cells, "rejected")
            task, context = _prompt(cells, chosen_name)
            texts = last_answer(cells, chosen_name), last_answer(cells, rejected_name)
            if not cells.ok:
                continue
            own_id = next((cells.word(name) for name in _IDS if cells.has(name)), "") or f"row-{position}"
            pair_id, times = own_id, 1
            while ids.earlier(row.number, pair_id) is not None:
                times += 1
                pair_id = f"{own_id}#{times}"
            if times > 1:
                yield Oddity("repeated_id", f"{own_id} occurs again; kept as {pair_id}.", row.number, pair_id)
            yield PairRecord(
                pair_id=pair_id,
                task=task,
                context=context,
                roles=ROLES,
                candidates=texts,
                tier=Tier.PREFERENCE,
                target="chosen",
                cluster=own_id,
                domain=cells.word("domain"),
                source_dataset=cells.word("source") if isinstance(cells.row.cells.get("source"), str) else "",
                source_id=own_id,
                meta=_meta(cells),
            )
            yield from cells.oddities
    finally:
        ids.close()


def _names(cells: Cells, name: str) -> str:
    """The key under which the row keeps its chosen or rejected answer."""
    for known in (name, f"{name}_response"):
        if known in cells.row.cells:
            return known
    cells.refuse(name, "is missing.", f"Every row needs {name}.")
    return name


def _prompt(cells: Cells, chosen: str) -> tuple[str, str | None]:
    for name in _PROMPTS:
        if cells.has(name):
            return task_and_context(cells, name)
    return prompt_of(cells, chosen)


def _meta(cells: Cells) -> dict[str, Any]:
    return {name: cells.row.cells[name] for name in _META if cells.has(name)}


def _recognises(sample: Sample) -> bool:
    return sample.has("chosen", "rejected") or sample.has("chosen_response", "rejected_response")


FORMAT = Format(
    name="preference", words="Preference rows with chosen and rejected", recognises=_recognises, pairs=read_pairs
)
