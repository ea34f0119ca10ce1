"""Argilla's exports: records with the responses of several users, in the shapes of its versions.

Nested, version 1: responses [{user_id, status, values {question: {value}}}]. Nested, version 2: responses {question:
[{user_id, value, status?}]}. Flattened, version 2: "question.responses", "question.responses.users",
"question.responses.status". Flattened, version 1: question [{user_id, value, status}]. Legacy classification records:
annotation, annotation_agent.

Only submitted responses are labels (version 2's nested shape has no status: all are taken); drafts and discarded ones
are excluded by name. A ranking gives its top answer, or ``Tie`` where the first two ranks are equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.formats.cells import Cells
from annotation.formats.first_second import TIE
from annotation.formats.registry import Format, LabelRows
from annotation.formats.seen import Seen
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.formats.tool_ids import own_id, tools_own_ids
from annotation.records import Excluded, LabelRecord

_FLAT = ".responses"
_TAKEN = {"submitted", "none", ""}


@dataclass(frozen=True, slots=True)
class _Response:
    user: str
    question: str
    value: Any
    status: str


def read_labels(source: Source) -> LabelRows:
    """One label a user, record and question; a user's second response to one is a revision."""
    told = False
    revisions = Seen()
    try:
        for row in rows(source):
            cells = Cells(row, source.problems)
            pair_id = own_id(cells, cells.row.cells, cells.row.cells.get("metadata"))
            if not pair_id:
                pair_id = cells.word("id", required=True)
                if not told and pair_id:
                    told = True
                    yield tools_own_ids("Argilla", row.number)
            responses = list(_responses(cells))
            if not cells.ok:
                continue
            if not responses:
                yield Excluded(pair_id, "the record has no response", row.number)
            for response in responses:
                yield from _label(cells, pair_id, response, revisions)
    finally:
        revisions.close()


def _label(cells: Cells, pair_id: str, response: _Response, revisions: Seen) -> LabelRows:
    row = cells.row.number
    if response.status.lower() not in _TAKEN or response.value is None:
        what = response.status if response.status.lower() not in _TAKEN else "empty"
        yield Excluded(pair_id, f"{response.user}'s response to {response.question!r} is {what}", row)
        return
    label = _category(cells, response)
    if label is None:
        return
    revision = 1
    while revisions.earlier(row, pair_id, response.user, response.question, str(revision)) is not None:
        revision += 1
    yield LabelRecord(
        pair_id=pair_id,
        annotator=response.user,
        label=label,
        question=response.question,
        revision=revision,
        row=row,
    )


def _category(cells: Cells, response: _Response) -> str | tuple[str, ...] | None:
    value, field = response.value, f"responses.{response.question}"
    if not isinstance(value, list):
        return cells.as_text(field, value, count_numbers=False).strip() or None
    if value and all(isinstance(one, Mapping) and "rank" in one for one in value):
        ranked = sorted(value, key=lambda one: int(one["rank"] or 0))
        tied = len(ranked) > 1 and ranked[0]["rank"] == ranked[1]["rank"]
        return TIE if tied else str(ranked[0]["value"])
    if not all(isinstance(one, str) for one in value):
        cells.refuse(field, "is not a label, a list of labels or a ranking.", "Spans and texts are not read.")
        return None
    return tuple(cells.as_text(field, one, count_numbers=False) for one in value)


def _responses(cells: Cells) -> Iterator[_Response]:
    row = cells.row.cells
    if "annotation" in row and "annotation_agent" in row:
        if row["annotation"] is not None:
            yield _Response(str(row["annotation_agent"] or "unknown"), "", row["annotation"], "")
        return
    nested = cells.structure("responses")
    if isinstance(nested, list):
        yield from _by_user(nested)
    elif isinstance(nested, Mapping):
        for question, given in nested.items():
            yield from _by_question(cells, str(question), given)
    for name, given in row.items():
        if name.endswith(_FLAT):
            yield from _flat(cells, name, given)
        elif _is_v1_column(given):
            yield from _by_question(cells, name, given)


def _by_user(responses: list[Any]) -> Iterator[_Response]:
    for response in responses:
        if isinstance(response, Mapping):
            values = response.get("values")
            for question, given in values.items() if isinstance(values, Mapping) else ():
                value = given.get("value") if isinstance(given, Mapping) else given
                yield _Response(_user(response), str(question), value, str(response.get("status") or ""))


def _by_question(cells: Cells, question: str, given: Any) -> Iterator[_Response]:
    if not isinstance(given, list) or not all(isinstance(one, Mapping) for one in given):
        cells.refuse(f"responses.{question}", "is not a list of responses.", "Take Argilla's own export.")
        return
    for one in given:
        yield _Response(_user(one), question, one.get("value"), str(one.get("status") or ""))


def _flat(cells: Cells, name: str, given: Any) -> Iterator[_Response]:
    if given is None:
        return
    users, states = cells.row.cells.get(f"{name}.users"), cells.row.cells.get(f"{name}.status")
    if not isinstance(given, list) or not isinstance(users, list) or len(users) != len(given):
        cells.refuse(name, "does not go with its users.", f"Export {name}.users beside it.")
        return
    states = states if isinstance(states, list) and len(states) == len(given) else [None] * len(given)
    for value, user, status in zip(given, users, states, strict=True):
        yield _Response(str(user), name.removesuffix(_FLAT), value, str(status or ""))


def _user(response: Mapping[str, Any]) -> str:
    return str(response.get("user_id") or "unknown")


def _is_v1_column(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, Mapping) and {"user_id", "value"} <= one.keys() for one in value)
    )


def _recognises(sample: Sample) -> bool:
    if sample.has("fields", "responses") or sample.has("annotation", "annotation_agent"):
        return True
    flat = any(name.endswith(f"{_FLAT}.users") for name in sample.names)
    return flat or any(_is_v1_column(value) for row in sample.rows for value in row.values())


FORMAT = Format(
    name="argilla", words="Argilla records (JSON, nested or flattened)", recognises=_recognises, labels=read_labels
)
