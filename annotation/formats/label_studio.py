"""Label Studio's JSON export: tasks with the annotations of one or more people.

Each annotation holds completed_by (a number, or an object with id and email), lead_time, was_cancelled, ground_truth
and result [{from_name, type, value}]. Read are choices, pairwise, rating and number; the text of a textarea becomes
the comment of its annotation. The question is the control's name (``from_name``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.enums import LabelKind
from annotation.formats.cells import Cells
from annotation.formats.registry import Format, LabelRows
from annotation.formats.seen import Seen
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.formats.tool_ids import own_id, tools_own_ids
from annotation.records import Excluded, LabelRecord, Oddity

_SIDES = {"left": "A", "right": "B"}


def read_labels(source: Source) -> LabelRows:
    """One label a control and annotation; a person's second annotation of a task is a revision."""
    told = False
    revisions = Seen()
    try:
        for row in rows(source):
            cells = Cells(row, source.problems)
            data = cells.structure("data")
            pair_id = own_id(cells, data, cells.structure("meta"))
            if not pair_id:
                pair_id = cells.word("id", required=True)
                if not told and pair_id:
                    told = True
                    yield tools_own_ids("Label Studio", row.number)
            annotations = _annotations(cells)
            if not cells.ok:
                continue
            if not annotations:
                yield Excluded(pair_id, "the task has no annotation", row.number)
            for annotation in annotations:
                yield from _read_annotation(cells, pair_id, data, annotation, revisions)
    finally:
        revisions.close()


def _annotations(cells: Cells) -> list[Mapping[str, Any]]:
    given = cells.structure("annotations" if cells.has("annotations") else "completions")
    if given is None:
        return []
    if not isinstance(given, list) or not all(isinstance(one, Mapping) for one in given):
        cells.refuse("annotations", "is not a list of annotations.", "Export as JSON, not as JSON-MIN.")
        return []
    return given


def _read_annotation(
    cells: Cells, pair_id: str, data: Any, annotation: Mapping[str, Any], revisions: Seen
) -> LabelRows:
    row = cells.row.number
    annotator = _annotator(cells, annotation.get("completed_by"))
    if not annotator:
        return
    if annotation.get("was_cancelled"):
        yield Excluded(pair_id, f"{annotator} skipped it", row)
        return
    revision = 1
    while revisions.earlier(row, pair_id, annotator, str(revision)) is not None:
        revision += 1
    shown = str(data.get("shown_as_a") or "") if isinstance(data, Mapping) else ""
    given = annotation.get("result")
    results = [one for one in given if isinstance(one, Mapping)] if isinstance(given, list) else []
    comment = "\n".join(text for one in results for text in _texts(one))
    answers = list(_answers(cells, results, shown_as_a=shown))
    if not answers and cells.ok:
        yield Excluded(pair_id, f"{annotator} submitted no label", row)
    lead_time = annotation.get("lead_time")
    for question, label in answers:
        yield LabelRecord(
            pair_id=pair_id,
            annotator=annotator,
            label=label,
            question=question,
            kind=LabelKind.GOLD if annotation.get("ground_truth") else LabelKind.LABEL,
            shown_as_a=shown,
            seconds=float(lead_time) if isinstance(lead_time, int | float) and lead_time >= 0 else None,
            comment=comment,
            revision=revision,
            row=row,
        )
    for kind in sorted({str(one.get("type")) for one in results} - _READ - {"textarea"}):
        yield Oddity("unread_control", f"{pair_id}: controls of type {kind} are not read.", row, pair_id)


def _annotator(cells: Cells, value: Any) -> str:
    """The person's number as text, from either shape; email or user name where an object has no number."""
    if isinstance(value, Mapping):
        value = next((value[key] for key in ("id", "email", "username") if value.get(key) not in (None, "")), None)
    if value is None or isinstance(value, bool):
        cells.refuse("annotations.completed_by", "is missing.", "Export with the annotators' ids.")
        return ""
    return cells.as_text("annotations.completed_by", value, count_numbers=False).strip()


def _answers(
    cells: Cells, results: list[Mapping[str, Any]], *, shown_as_a: str
) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    for one in results:
        kind, value = str(one.get("type")), one.get("value")
        if kind not in _READ or not isinstance(value, Mapping):
            continue
        question = str(one.get("from_name") or "")
        if kind == "choices":
            given = value.get("choices")
            chosen = tuple(str(choice) for choice in given) if isinstance(given, list) else ()
            if chosen:
                yield question, chosen[0] if len(chosen) == 1 else chosen
        elif kind == "pairwise":
            side = str(value.get("selected") or "")
            if side:
                # without a recorded order a side is only a side
                yield question, _SIDES.get(side, side) if shown_as_a else side
        elif value.get(kind) is not None:
            number = value[kind]
            number = int(number) if isinstance(number, float) and number.is_integer() else number
            yield question, cells.as_text(f"result.{kind}", number, count_numbers=False)


_READ = frozenset({"choices", "pairwise", "rating", "number"})


def _texts(result: Mapping[str, Any]) -> list[str]:
    value = result.get("value")
    if result.get("type") != "textarea" or not isinstance(value, Mapping):
        return []
    texts = value.get("text") or []
    return [str(text) for text in (texts if isinstance(texts, list) else [texts])]


def _recognises(sample: Sample) -> bool:
    first = sample.first("annotations" if "annotations" in sample.names else "completions")
    return sample.has("data") and isinstance(first, list)


FORMAT = Format(name="label_studio", words="Label Studio export (JSON)", recognises=_recognises, labels=read_labels)
