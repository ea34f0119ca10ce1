"""A table with one row an item and one column a rater, as statistics packages and spreadsheets have them.

Recognised where every column is called rater, observer, annotator, coder or judge with a number or letter; any other
table has to be stated by name. A column named unit, item, id, subject ... names the items, else rows are counted.
Columns that are nobody's rating (group, majority, gold, mean ...; majorities are often formulas) are passed over and
told. Blank cells, of white space alone too, are ratings not given.
"""

from __future__ import annotations

import re

from annotation.formats.cells import Cells
from annotation.formats.registry import Format, LabelRows
from annotation.formats.seen import Seen
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.records import LabelRecord, Oddity

ITEM_NAMES = {"unit", "units", "item", "items", "id", "item_id", "pair_id", "subject", "subjects"}
PASSED_NAMES = {"group", "majority", "majority_vote", "consensus", "final", "gold", "mean", "average", "agreement"}
_RATER = re.compile(r"(rater|observer|annotator|coder|judge)[ _.-]?\w{1,3}", re.IGNORECASE)


def read_labels(source: Source) -> LabelRows:
    """One label a filled cell; the column's name is the annotator."""
    items = Seen()
    told = False
    try:
        for position, row in enumerate(rows(source), start=1):
            passed = sorted(name for name in row.cells if name.lower() in PASSED_NAMES)
            if passed and not told:
                told = True
                yield Oddity("columns_passed_over", f"Taken to be nobody's rating: {', '.join(passed)}.", row.number)
            cells = Cells(row, source.problems)
            id_name = next((name for name in row.cells if name.lower() in ITEM_NAMES), None)
            item = cells.word(id_name, required=True) if id_name else str(position)
            before = items.earlier(row.number, item) if item else None
            if before is not None:
                cells.refuse(id_name or "row", f"{item!r} was used in row {before}.", "Give every item one row.")
            for name in row.cells if cells.ok else ():
                label = "" if name == id_name or name in passed else cells.word(name)
                if label:
                    yield LabelRecord(pair_id=item, annotator=name, label=label, row=row.number)
    finally:
        items.close()


def _recognises(sample: Sample) -> bool:
    raters = [name for name in sample.names if name.lower() not in ITEM_NAMES | PASSED_NAMES]
    return len(raters) > 1 and all(_RATER.fullmatch(name) for name in raters)


FORMAT = Format(
    name="rating_matrix",
    words="Table with one column a rater",
    recognises=_recognises,
    labels=read_labels,
)
