"""A table with one row an item and one column a category: how many raters chose it (Fleiss's layout).

Never recognised by itself, because any table of small numbers looks like it: state it by name. A column named unit,
item, id, subject ... names the items, a column Group is passed over. Raters are told apart by their place in the row
alone.
"""

from __future__ import annotations

from annotation.formats.cells import Cells
from annotation.formats.rating_matrix import ITEM_NAMES, PASSED_NAMES
from annotation.formats.registry import Format, LabelRows
from annotation.formats.seen import Seen
from annotation.formats.source import Source
from annotation.formats.tabular import rows
from annotation.records import LabelRecord, Oddity

#: More raters of one item than any study has: a table of other numbers.
MOST_RATERS = 10_000


def read_labels(source: Source) -> LabelRows:
    """As many labels an item as its counts add up to, from rater-1 on, in the order of the columns."""
    items = Seen()
    told = False
    try:
        for position, row in enumerate(rows(source), start=1):
            cells = Cells(row, source.problems)
            id_name = next((name for name in row.cells if name.lower() in ITEM_NAMES), None)
            item = cells.word(id_name, required=True) if id_name else str(position)
            before = items.earlier(row.number, item) if item else None
            if before is not None:
                cells.refuse(id_name or "row", f"{item!r} was used in row {before}.", "Give every item one row.")
            counts = {
                name: _count(cells, name) for name in row.cells if name != id_name and name.lower() not in PASSED_NAMES
            }
            if cells.ok and not 0 < sum(counts.values()) <= MOST_RATERS:
                cells.refuse("row", f"counts {sum(counts.values())} raters.", f"It must be 1 to {MOST_RATERS}.")
            if not cells.ok:
                continue
            if not told:
                told = True
                message = "The raters have no names: rater-1 of two items need not be one person."
                yield Oddity("annotators_by_position", message, row.number)
            chosen = [name for name, count in counts.items() for _ in range(count)]
            for place, label in enumerate(chosen, start=1):
                yield LabelRecord(pair_id=item, annotator=f"rater-{place}", label=label, row=row.number)
    finally:
        items.close()


def _count(cells: Cells, name: str) -> int:
    text = cells.word(name) or "0"
    if not (text.isascii() and text.isdigit() and len(text) <= 5):
        cells.refuse(name, f"is {text!r}, not a count.", "Write how many raters chose the category.")
        return 0
    return int(text)


FORMAT = Format(
    name="rating_counts",
    words="Table of how many raters chose each category",
    recognises=lambda _: False,
    labels=read_labels,
)
