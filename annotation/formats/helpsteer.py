"""HelpSteer3 preferences: two responses in a conversation, scored from -3 (first much better) to 3 by several people.

Source: Wang et al. 2025 (arXiv:2503.04378), CC-BY-4.0. Keys: domain, language, context [{role, content}], response1,
response2, overall_preference, individual_preference [{score, reasoning, ...}]. Items have no ids: they are numbered by
their row. Annotators have no names: they are told apart by their place in the list, which is told as an oddity.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotation.enums import Tier
from annotation.formats.cells import Cells
from annotation.formats.conversation import task_and_context
from annotation.formats.first_second import ROLES, by_sign
from annotation.formats.ratings import by_position
from annotation.formats.registry import Format, LabelRows, PairRows
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.records import Excluded, LabelRecord, PairRecord


def read_pairs(source: Source) -> PairRows:
    """One pair a row; the overall preference rides along in meta and is no target."""
    for cells, pair_id in _items(source):
        task, context = task_and_context(cells, "context")
        texts = cells.passage("response1", required=True), cells.passage("response2", required=True)
        if cells.ok:
            yield PairRecord(
                pair_id=pair_id,
                task=task,
                context=context,
                roles=ROLES,
                candidates=texts,
                tier=Tier.PREFERENCE,
                domain=cells.word("domain"),
                source_dataset="HelpSteer3",
                source_id=pair_id.removeprefix("helpsteer3-"),
                source_licence="CC-BY-4.0",
                meta=_meta(cells),
            )
            yield from cells.oddities


def read_labels(source: Source) -> LabelRows:
    """One label an annotator and row: the sign of the score, its reasoning as the comment."""
    told = False
    for cells, pair_id in _items(source):
        number = cells.row.number
        opinions = cells.structure("individual_preference")
        if not isinstance(opinions, list) or not opinions:
            yield Excluded(pair_id, "no individual preferences are given", number)
            continue
        if not told:
            told = True
            yield by_position(number)
        for place, opinion in enumerate(opinions, start=1):
            score = _score(cells, opinion)
            if score is None:
                continue
            reasoning = opinion.get("reasoning")
            yield LabelRecord(
                pair_id=pair_id,
                annotator=f"annotator-{place}",
                label=by_sign(score),
                comment=reasoning if isinstance(reasoning, str) else "",
                row=number,
            )


def _items(source: Source) -> Iterator[tuple[Cells, str]]:
    for position, row in enumerate(rows(source)):
        yield Cells(row, source.problems), f"helpsteer3-{position}"


def _score(cells: Cells, opinion: Any) -> float | None:
    score = opinion.get("score") if isinstance(opinion, dict) else None
    if isinstance(score, bool) or not isinstance(score, int | float) or not -3 <= score <= 3:
        cells.refuse("individual_preference", f"has the score {score!r}.", "Scores run from -3 to 3.")
        return None
    return score


def _meta(cells: Cells) -> dict[str, Any]:
    names = ("language", "overall_preference")
    return {name: cells.row.cells[name] for name in names if cells.has(name)}


def _recognises(sample: Sample) -> bool:
    return sample.has("response1", "response2") and bool(sample.names & {"overall_preference", "individual_preference"})


FORMAT = Format(
    name="helpsteer3", words="HelpSteer3 preferences", recognises=_recognises, pairs=read_pairs, labels=read_labels
)
