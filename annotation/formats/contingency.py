"""Two raters' contingency table: the first column names the first rater's categories, the header the second's.

Never recognised by itself: state it by name. The items behind a cell are numbered; who they were is not in the table.
"""

from __future__ import annotations

from annotation.formats.cells import Cells
from annotation.formats.registry import Format, LabelRows
from annotation.formats.source import Source
from annotation.formats.tabular import rows
from annotation.records import LabelRecord

#: A larger table would be no table of people's labels.
MOST_ITEMS = 1_000_000
RATERS = ("rater-1", "rater-2")


def read_labels(source: Source) -> LabelRows:
    """Two labels for every item counted, row by row and column by column."""
    number = 0
    for row in rows(source):
        cells = Cells(row, source.problems)
        if len(row.cells) < 2:
            cells.refuse("row", "counts nothing.", "Give a category, then how often each of the other rater's met it.")
            continue
        own_name, *others = row.cells
        own = cells.word(own_name, required=True)
        counts = {name: _count(cells, name) for name in others}
        if cells.ok and number + sum(counts.values()) > MOST_ITEMS:
            cells.refuse("row", f"brings the items to more than {MOST_ITEMS}.", "Give a table of labels.")
        if not cells.ok:
            continue
        for other, count in counts.items():
            for _ in range(count):
                number += 1
                for rater, label in zip(RATERS, (own, other), strict=True):
                    yield LabelRecord(pair_id=f"item-{number}", annotator=rater, label=label, row=row.number)


def _count(cells: Cells, name: str) -> int:
    text = cells.word(name) or "0"
    if not (text.isascii() and text.isdigit() and len(text) <= 7):
        cells.refuse(name, f"is {text!r}, not a count.", "Write how many items the two raters labelled so.")
        return 0
    return int(text)


FORMAT = Format(
    name="contingency",
    words="Two raters' contingency table",
    recognises=lambda _: False,
    labels=read_labels,
)
