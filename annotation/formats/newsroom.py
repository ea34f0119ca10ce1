"""Newsroom's human evaluation: one row an article, system and rater, in CSV.

Source: Grusky et al. 2018 (arXiv:1804.11283). Columns: ArticleID, System, ArticleText, SystemSummary, ArticleTitle,
CoherenceRating, FluencyRating, InformativenessRating, RelevanceRating. Raters have no names: the first row of a
summary is ``rater-1``, the next ``rater-2``. The texts hold HTML line breaks, which are kept.
"""

from __future__ import annotations

from collections.abc import Iterator

from annotation.construction.items import OutputItem
from annotation.formats.cells import Cells
from annotation.formats.ratings import by_position, score_text
from annotation.formats.registry import Format, ItemRows, LabelRows
from annotation.formats.source import Sample, Source
from annotation.formats.summaries import TASK
from annotation.formats.tabular import rows
from annotation.records import LabelRecord

_RATING = "Rating"


def read_labels(source: Source) -> LabelRows:
    """One label a rater, summary and criterion; the summary's id is ``article-system``."""
    raters: dict[str, int] = {}
    for cells, article, system in _rows(source):
        unit = f"{article}-{system}"
        if not raters:
            yield by_position(cells.row.number)
        raters[unit] = raters.get(unit, 0) + 1
        for name in cells.row.cells:
            if not name.endswith(_RATING) or not cells.has(name):
                continue
            label = score_text(cells, name, cells.word(name))
            if label:
                yield LabelRecord(
                    pair_id=unit,
                    annotator=f"rater-{raters[unit]}",
                    label=label,
                    question=name.removesuffix(_RATING),
                    row=cells.row.number,
                )


def read_items(source: Source) -> ItemRows:
    """One ``OutputItem`` an article, holding every system's summary."""
    outputs: dict[str, dict[str, str]] = {}
    texts: dict[str, str] = {}
    for cells, article, system in _rows(source):
        text, summary = cells.passage("ArticleText", required=True), cells.passage("SystemSummary", required=True)
        if cells.ok:
            texts[article] = text or ""
            outputs.setdefault(article, {})[system] = summary or ""
    for article, by_system in outputs.items():
        yield OutputItem(item_id=article, task=TASK, outputs=by_system, context=texts[article], dataset="Newsroom")


def _rows(source: Source) -> Iterator[tuple[Cells, str, str]]:
    for row in rows(source):
        cells = Cells(row, source.problems)
        article, system = cells.word("ArticleID", required=True), cells.word("System", required=True)
        if cells.ok:
            yield cells, article, system


def _recognises(sample: Sample) -> bool:
    return sample.has("ArticleID", "System", "SystemSummary")


FORMAT = Format(
    name="newsroom", words="Newsroom human evaluation", recognises=_recognises, labels=read_labels, items=read_items
)
