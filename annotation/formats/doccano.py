"""doccano's exports of classification projects: JSONL or CSV, one file a user (or one for all).

Keys: id, text (or data), label (a list, one word, or in CSV several joined with #), Comments?, and whatever columns the
upload had. A file has no annotator inside: it is named after its user (``ann.jsonl``); in the old shape, annotations
[{user, label}] name theirs. Span labels are no categories and are excluded by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.formats.cells import Cells
from annotation.formats.registry import Format, LabelRows
from annotation.formats.seen import Seen
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.formats.tool_ids import own_id, tools_own_ids
from annotation.records import Excluded, LabelRecord, Oddity

_LABELS = ("label", "labels", "cats")
_SHARED_NAMES = {"all", "unknown", "admin", "export", "labels", "dataset"}


def read_labels(source: Source) -> LabelRows:
    """One label a row (several words: a multi-select), or one an annotation in the old shape."""
    user = source.path.stem
    told_ids = told_user = False
    ids = Seen()
    try:
        for row in rows(source):
            cells = Cells(row, source.problems)
            pair_id = own_id(cells, cells.row.cells, cells.row.cells.get("meta"))
            if not pair_id:
                pair_id = cells.word("id", required=True)
                if not told_ids and pair_id:
                    told_ids = True
                    yield tools_own_ids("doccano", row.number)
            old = cells.row.cells.get("annotations")
            if isinstance(old, list):
                yield from _old_shape(cells, pair_id, old, ids)
                continue
            if not told_user:
                told_user = True
                yield from _about_user(user, row.number)
            if cells.ok:
                yield from _row(cells, pair_id, user, ids)
    finally:
        ids.close()


def _row(cells: Cells, pair_id: str, user: str, ids: Seen) -> LabelRows:
    number = cells.row.number
    label = _label(cells)
    if label is None:
        if cells.ok:
            yield Excluded(pair_id, "it carries no category", number)
        return
    before = ids.earlier(number, pair_id, user)
    if before is not None:
        cells.refuse("id", f"{pair_id!r} was labelled in row {before}.", "Every item needs one row.")
        return
    yield LabelRecord(pair_id=pair_id, annotator=user, label=label, comment=_comment(cells), row=number)


def _about_user(user: str, row: int) -> list[Oddity]:
    message = f"Labels are taken to be {user}'s, after the file's name."
    if user.lower() in _SHARED_NAMES:
        message += " That looks like the labels of several people in one: export one file a user."
    return [Oddity("annotator_from_file_name", message, row)]


def _label(cells: Cells) -> str | tuple[str, ...] | None:
    """The category, the options, or None where there is none."""
    name = next((known for known in _LABELS if cells.has(known)), None)
    value: Any = cells.row.cells.get(name) if name else None
    if value is None or name is None:
        return None
    if isinstance(value, str) and not cells.row.typed:
        value = value.split("#")
    words = value if isinstance(value, list) else [value]
    if any(isinstance(word, list | Mapping) for word in words):
        return None
    chosen = tuple(cells.as_text(name, word, count_numbers=False).strip() for word in words)
    chosen = tuple(word for word in chosen if word)
    if not chosen:
        return None
    return chosen[0] if len(chosen) == 1 else chosen


def _comment(cells: Cells) -> str:
    given = cells.row.cells.get("Comments", cells.row.cells.get("comments"))
    texts = given if isinstance(given, list) else [given] if given else []
    return "\n".join(str(text) for text in texts)


def _old_shape(cells: Cells, pair_id: str, annotations: list[Any], ids: Seen) -> LabelRows:
    number = cells.row.number
    by_user: dict[str, list[str]] = {}
    for annotation in annotations:
        if not isinstance(annotation, Mapping) or annotation.get("label") is None:
            cells.refuse("annotations", "holds something else than user and label.", "Export as JSONL (text label).")
            return
        label = cells.as_text("annotations.label", annotation["label"], count_numbers=False)
        by_user.setdefault(str(annotation.get("user", "unknown")), []).append(label)
    if not by_user:
        yield Excluded(pair_id, "it carries no category", number)
    for user, words in by_user.items():
        before = ids.earlier(number, pair_id, user)
        if before is not None:
            cells.refuse("id", f"{user} labelled {pair_id!r} in row {before}.", "Every item needs one row.")
            continue
        chosen = words[0] if len(words) == 1 else tuple(words)
        yield LabelRecord(pair_id=pair_id, annotator=user, label=chosen, row=number)


def _recognises(sample: Sample) -> bool:
    texts = sample.names & {"text", "data"}
    if not texts or "annotator" in sample.names or "systems" in sample.names:
        return False
    old = isinstance(sample.first("annotations"), list) and isinstance(sample.first("text"), str)
    return "id" in sample.names and (bool(sample.names & set(_LABELS)) or old)


FORMAT = Format(name="doccano", words="doccano classification export", recognises=_recognises, labels=read_labels)
