"""The public labels format: one label a row, in CSV, TSV, XLSX, JSON Lines or Parquet."""

from __future__ import annotations

from annotation.enums import LabelKind
from annotation.formats.cells import Cells
from annotation.formats.ratings import packed_list
from annotation.formats.registry import Format, LabelRows
from annotation.formats.seen import Seen
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.formats.unknown_names import unknown_names
from annotation.records import LabelRecord

NAMES = frozenset(
    {"pair_id", "item_id", "annotator", "question", "label", "kind"}
    | {"shown_as_a", "seconds", "comment", "round", "revision"}
)


def read(source: Source) -> LabelRows:
    """One ``LabelRecord`` a row, each followed by its oddities; names the format does not know are told
    once."""
    seen = Seen()
    unknown: dict[str, int] = {}
    try:
        for row in rows(source):
            for name in row.cells.keys() - NAMES:
                unknown.setdefault(name, row.number)
            cells = Cells(row, source.problems)
            record = _record(cells)
            if record is not None and not _repeated(cells, record, seen):
                yield record
                yield from cells.oddities
    finally:
        seen.close()
    yield from unknown_names(unknown, NAMES)


def _record(cells: Cells) -> LabelRecord | None:
    id_name = "item_id" if cells.has("item_id") and not cells.has("pair_id") else "pair_id"
    pair_id = cells.word(id_name)
    if cells.ok and not pair_id:
        cells.refuse("pair_id", "is missing.", "Every row needs pair_id: labels are never joined by line number.")
    annotator = cells.word("annotator", required=True)
    label = _label(cells)
    kind = cells.word("kind") or LabelKind.LABEL.value
    if kind not in LabelKind.values():
        cells.refuse("kind", f"{kind!r} is not a kind of label.", f"Kinds are {', '.join(LabelKind.values())}.")
    seconds, revision = cells.number("seconds"), cells.whole("revision")
    comment = cells.passage("comment") or ""
    if not cells.ok or label is None:
        return None
    return LabelRecord(
        pair_id=pair_id,
        annotator=annotator,
        label=label,
        question=cells.word("question"),
        kind=kind,
        shown_as_a=cells.word("shown_as_a"),
        seconds=seconds,
        comment=comment,
        round=cells.word("round"),
        revision=revision,
        row=cells.row.number,
    )


def _label(cells: Cells) -> str | tuple[str, ...] | None:
    """A category, or the chosen options of a multi-select: a JSON array, or the text of one in a cell."""
    value = cells.row.cells.get("label")
    if isinstance(value, str):
        value = packed_list(value)
    if not isinstance(value, list):
        return cells.word("label", required=True) or None
    options = tuple(cells.as_text("label", option, count_numbers=False).strip() for option in value)
    if not all(options) or len(set(options)) < len(options):
        cells.refuse("label", "lists an empty or repeated option.", 'Write it like ["option 1", "option 2"].')
    return options


def _repeated(cells: Cells, record: LabelRecord, seen: Seen) -> bool:
    revision = "" if record.revision is None else str(record.revision)
    key = (record.pair_id, record.annotator, record.question, record.kind, record.round, revision)
    before = seen.earlier(cells.row.number, *key)
    if before is not None:
        message = f"{record.annotator!r} labelled {record.pair_id!r} in row {before} already."
        cells.refuse("annotator", message, "Number the revisions, or keep one row.")
    return before is not None


def _recognises(sample: Sample) -> bool:
    # any two of the three will do, so that a file that lacks one is told which instead of "unknown format"
    parts = ({"label"}, {"annotator"}, {"pair_id", "item_id"})
    return sum(bool(sample.names & part) for part in parts) >= 2 and "task" not in sample.names


FORMAT = Format(
    name="labels",
    words="Tiebreak labels (CSV, TSV, XLSX, JSONL, Parquet)",
    recognises=_recognises,
    labels=read,
)
