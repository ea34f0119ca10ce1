"""Raw completions of judges, one a row, with the pair, the order and what the judge was asked to write.

Keys: id, raw_text, judge, order (original, swapped), format ("Output (a)/(b); CoT", "score-pair-first-line", or a style
of the extractor, with a strategy after a semicolon), pair_id? (the id where there is none), finish_reason?,
extracted_presented? (what the original harness read, as displayed).
"""

from __future__ import annotations

from annotation.formats.cells import Cells
from annotation.formats.first_second import FIRST, SECOND
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from judging.enums import VERDICT_STYLES, ReplyStyle
from judging.extractor import LABELS
from judging.formats.llmbar_results import CONCLUSION, OFFERED
from judging.formats.registry import VerdictFormat, VerdictRows
from judging.formats.replies import read_reply
from judging.records import WINNERS, VerdictRecord

_ORDERS = {"original": FIRST, "swapped": SECOND}
_LLMBAR = "output (a)/(b)"
_STYLES = {
    _LLMBAR: ReplyStyle.LINE,
    "score-pair-first-line": ReplyStyle.SCORES,
    **{style.value: style for style in VERDICT_STYLES},
}


def read(source: Source) -> VerdictRows:
    """One verdict a completion, in the style its ``format`` names."""
    for row in rows(source):
        cells = Cells(row, source.problems)
        asked, _, strategy = cells.word("format", required=True).partition(";")
        style = _STYLES.get(asked.strip().lower())
        if cells.ok and style is None:
            cells.refuse("format", f"{asked!r} is no known way to answer.", f"Known: {', '.join(_STYLES)}.")
        pair_id, judge = cells.word("pair_id") or cells.word("id", required=True), cells.word("judge", required=True)
        order = cells.word("order") or "original"
        if order not in _ORDERS:
            cells.refuse("order", f"is {order!r}.", f"Write {' or '.join(_ORDERS)}.")
        recorded = cells.word("extracted_presented") if "extracted_presented" in row.cells else None
        if recorded and recorded not in WINNERS:
            cells.refuse("extracted_presented", f"is {recorded!r}.", f"Use one of {', '.join(WINNERS)}, or null.")
        reply, finish = cells.passage("raw_text", required=True), cells.word("finish_reason")
        if not cells.ok or style is None:
            continue
        blank = VerdictRecord(
            pair_id=pair_id,
            judge=judge,
            protocol=strategy.strip() or asked.strip(),
            outcome="unparsed",
            shown_as_a=_ORDERS[order],
            n_calls=1,
            row=row.number,
        )
        llmbar = asked.strip().lower() == _LLMBAR
        yield from read_reply(
            blank,
            reply,
            style=style,
            offered=OFFERED if llmbar else LABELS,
            recorded=recorded,
            finish_reason=finish or None,
            conclusion=CONCLUSION if llmbar else None,
        )


def _recognises(sample: Sample) -> bool:
    return sample.has("id", "raw_text", "judge", "format")


FORMAT = VerdictFormat(
    name="completions", words="Raw completions of judges with their order", recognises=_recognises, read=read
)
