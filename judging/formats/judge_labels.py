"""Published labels of judges as verdicts: A, B or Tie of a pair's two candidates, after its authors' own reading.

Keys: id (of the pair), judge, label (A: the first candidate, B: the second, Tie, or null), value_verbatim (as first
published), order? (original, swapped, both), reason?. ``tie (inconsistent)``, two contradicting verdicts of one judge,
counts as Tie and is told; ``garbage`` and null are no label: the verdict is unparsed, and counted as such.
"""

from __future__ import annotations

from annotation.formats.ab_pairs import CATEGORIES, GARBAGE
from annotation.formats.cells import Cells
from annotation.formats.first_second import FIRST, INCONSISTENT_TIE, SECOND, read_category
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.records import Oddity
from judging.formats.registry import VerdictFormat, VerdictRows
from judging.records import VerdictRecord

PROTOCOL = "published"
_ORDERS = {"": "", "both": "", "original": FIRST, "swapped": SECOND}
#: A label names a candidate; a verdict names the side it was shown on, or the role where both orders are combined.
_SIDES = {FIRST: "A", SECOND: "B", "Tie": "Tie"}
_CHANGED_OVER = {"A": "B", "B": "A", "Tie": "Tie"}


def read(source: Source) -> VerdictRows:
    """One verdict a row."""
    for row in rows(source):
        cells = Cells(row, source.problems)
        pair_id, judge = cells.word("id", required=True), cells.word("judge", required=True)
        label, published = cells.word("label"), cells.word("value_verbatim")
        order, rationale = cells.word("order").lower(), cells.passage("reason") or ""
        if order not in _ORDERS:
            cells.refuse("order", f"is {order!r}.", "Write original, swapped or both.")
        missing = label.lower() in {"", GARBAGE}
        category = None if missing else read_category(cells, "label", label, CATEGORIES)
        if not cells.ok:
            continue
        shown_as_a = _ORDERS[order]
        side = _SIDES[category] if category else ""
        if INCONSISTENT_TIE in {label.lower(), published.lower()}:
            message = f"{pair_id}: {judge} said {INCONSISTENT_TIE!r}; it counts as Tie."
            yield Oddity("inconsistent_tie", message, row.number, pair_id)
        if missing:
            message = f"{pair_id}: {judge} gave no label ({published or 'null'!r}); it counts as unparsed."
            yield Oddity("no_label", message, row.number, pair_id)
        yield VerdictRecord(
            pair_id=pair_id,
            judge=judge,
            protocol=PROTOCOL,
            outcome="decided" if side else "unparsed",
            winner=_CHANGED_OVER[side] if side and shown_as_a == SECOND else side,
            reason="" if side else "no_label",
            shown_as_a=shown_as_a,
            rationale=rationale,
            source="replay",
            row=row.number,
        )


def _recognises(sample: Sample) -> bool:
    return sample.has("id", "judge", "label", "value_verbatim")


FORMAT = VerdictFormat(name="judge_labels", words="Published labels of judges", recognises=_recognises, read=read)
