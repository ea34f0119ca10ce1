"""Potato's exports: annotated_instances (JSONL, TSV, CSV) and user_state.json.

JSONL keys: id, displayed_text, label_annotations {schema: {name: value}}, behavioral_data {time_string}; the user is
the folder the file lies in. Tables have user, instance_id and one column ``schema:::name`` for each choice; a filled
cell means chosen. user_state.json has user_id and instance_id_to_label_to_value. The question is the schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from annotation.formats.cells import Cells
from annotation.formats.registry import Format, LabelRows
from annotation.formats.seen import Seen
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import Row, rows
from annotation.records import Excluded, LabelRecord

_STATE = "instance_id_to_label_to_value"
_COLUMN = ":::"
_SPANS = "span_annotation"
#: Controls whose name says nothing and whose value is the answer.
_VALUED = re.compile(r"text_?box|text|slider|number|free_response|value", re.IGNORECASE)
_TIME = re.compile(r"(\d+)\s*([dhms])")
_SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}


def read_labels(source: Source) -> LabelRows:
    """One label a user, item and schema; several names chosen in one schema are a multi-select."""
    seen = Seen()
    try:
        for row in rows(source):
            cells = Cells(row, source.problems)
            for user, pair_id, answers, seconds in _instances(cells, source):
                if not answers:
                    yield Excluded(pair_id, f"{user} gave no label", row.number)
                for question, label in answers.items():
                    before = seen.earlier(row.number, user, pair_id, question)
                    if before is not None:
                        message = f"{user!r} answered {question!r} for {pair_id!r} in row {before}."
                        cells.refuse("id", message, "Every user and item needs one row.")
                        continue
                    yield LabelRecord(
                        pair_id=pair_id,
                        annotator=user,
                        label=label,
                        question=question,
                        seconds=seconds,
                        row=row.number,
                    )
    finally:
        seen.close()


_Answers = dict[str, str | tuple[str, ...]]


def _instances(cells: Cells, source: Source) -> Iterator[tuple[str, str, _Answers, float | None]]:
    """(user, item, {schema: label}, seconds) of everything one row holds."""
    row = cells.row
    if _STATE in row.cells:
        yield from _user_state(cells)
        return
    item = cells.word("id" if cells.has("id") else "instance_id", required=True)
    if "label_annotations" in row.cells:
        user = cells.word("user") or cells.word("annotator") or _folder_user(source)
        given = cells.structure("label_annotations")
        answers = _answers(cells, given.items() if isinstance(given, Mapping) else ())
        if not isinstance(given, Mapping):
            cells.refuse("label_annotations", "is not an object of schemas.", "Take Potato's own export.")
    else:
        user = cells.word("user", required=True)
        answers = _answers(cells, _columns(row).items())
    if cells.ok:
        yield user, item, answers, _seconds(row.cells.get("behavioral_data"))


def _user_state(cells: Cells) -> Iterator[tuple[str, str, _Answers, float | None]]:
    user, given = cells.word("user_id", required=True), cells.structure(_STATE)
    if not isinstance(given, Mapping):
        cells.refuse(_STATE, "is not an object of items.", "Take Potato's own user_state.json.")
        return
    times = cells.row.cells.get("instance_id_to_behavioral_data")
    for item, labels in given.items():
        answers = _answers(cells, _schemas(labels).items())
        if cells.ok:
            yield user, str(item), answers, _seconds(times.get(item) if isinstance(times, Mapping) else None)


def _schemas(labels: Any) -> dict[str, dict[str, Any]]:
    """{schema: {name: value}} from either shape of a state: nested objects, or [{schema, name}, value] couples."""
    if isinstance(labels, Mapping):
        return {str(schema): dict(names) for schema, names in labels.items() if isinstance(names, Mapping)}
    found: dict[str, dict[str, Any]] = {}
    for couple in labels if isinstance(labels, list) else ():
        if isinstance(couple, list) and len(couple) == 2 and isinstance(couple[0], Mapping):
            schema, name = str(couple[0].get("schema", "")), str(couple[0].get("name", ""))
            found.setdefault(schema, {})[name] = couple[1]
    return found


def _columns(row: Row) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for column, value in row.cells.items():
        schema, mark, name = column.partition(_COLUMN)
        if mark and schema != _SPANS and value not in (None, "", "[]", "false", "False"):
            found.setdefault(schema, {})[name] = value
    return found


def _answers(cells: Cells, schemas: Any) -> _Answers:
    found: _Answers = {}
    for schema, names in schemas:
        if not isinstance(names, Mapping):
            cells.refuse(f"label_annotations.{schema}", "is not an object of names.", "Take Potato's own export.")
            continue
        chosen = [
            cells.as_text(str(schema), value if _VALUED.fullmatch(str(name)) else str(name), count_numbers=False)
            for name, value in names.items()
            if value not in (None, "", False, "false")
        ]
        if chosen:
            found[str(schema)] = chosen[0] if len(chosen) == 1 else tuple(chosen)
    return found


def _seconds(behaviour: Any) -> float | None:
    """The time on an item, from "Time spent: 0d 0h 1m 50s"."""
    text = behaviour.get("time_string") if isinstance(behaviour, Mapping) else None
    parts = _TIME.findall(text) if isinstance(text, str) else []
    return float(sum(int(number) * _SECONDS[unit] for number, unit in parts)) if parts else None


def _folder_user(source: Source) -> str:
    stem = source.path.stem
    return source.path.resolve().parent.name if stem == "annotated_instances" else stem


def _recognises(sample: Sample) -> bool:
    columns = any(_COLUMN in name for name in sample.names)
    return sample.has("label_annotations") or sample.has(_STATE) or (sample.has("user", "instance_id") and columns)


FORMAT = Format(name="potato", words="Potato annotations", recognises=_recognises, labels=read_labels)
