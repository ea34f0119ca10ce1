"""Published labels of judges, one a row: what a judge said of a pair, after its authors turned it into A, B or Tie.

Keys: id (of the pair), judge, label (A, B, Tie or null), value_verbatim (as first published), order?, reason?.
"""

from __future__ import annotations

from annotation.formats.ab_pairs import read_vote
from annotation.formats.cells import Cells
from annotation.formats.registry import Format, LabelRows
from annotation.formats.seen import Seen
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows


def read_labels(source: Source) -> LabelRows:
    """One label a judge and pair; a judge's second label of a pair in one order is refused."""
    seen = Seen()
    try:
        for row in rows(source):
            cells = Cells(row, source.problems)
            pair_id, judge = cells.word("id", required=True), cells.word("judge", required=True)
            before = seen.earlier(row.number, pair_id, judge, cells.word("order")) if cells.ok else None
            if before is not None:
                cells.refuse("judge", f"{judge!r} labelled {pair_id!r} in row {before}.", "Keep one row.")
            if cells.ok:
                values = row.cells
                yield from read_vote(cells, pair_id, judge, values.get("label"), verbatim=values.get("value_verbatim"))
    finally:
        seen.close()


def _recognises(sample: Sample) -> bool:
    return sample.has("id", "judge", "label", "value_verbatim")


FORMAT = Format(name="judge_labels", words="Published labels of judges", recognises=_recognises, labels=read_labels)
