"""Whatever stands in a field, a reader answers with records or with problems, never with a crash."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotation.errors import InputFileError
from annotation.formats import FORMATS
from annotation.formats.encoding import why_unstorable
from tests.annotation.formats.reading import READERS, write_lines

MESSAGES = [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "A"}]
ROWS: dict[str, dict[str, Any]] = {
    "pairs": {
        "pair_id": "p",
        "task": "t",
        "roles": ["a1", "b1"],
        "candidates": {"a1": "x", "b1": "y"},
        "tier": "soft",
        "target": "tie",
        "artifact": {"kind": "k", "role": "a1"},
        "source": {"dataset": "d"},
        "meta": {"n": 1},
        "context": "c",
    },
    "labels": {"pair_id": "p", "annotator": "a", "label": "x", "seconds": 1, "revision": 1, "comment": "c"},
    "pandalm": {"idx": 0, "instruction": "i", "input": "", "response1": "a", "response2": "b", "annotator1": 1},
    "mtbench": {
        "question_id": 1,
        "model_a": "a",
        "model_b": "b",
        "turn": 1,
        "judge": "j",
        "winner": "tie",
        "conversation_a": MESSAGES,
        "conversation_b": MESSAGES,
    },
    "llmbar": {"input": "i", "output_1": "a", "output_2": "b", "label": 1},
    "alpacaeval": {"instruction": "i", "output_1": "a", "output_2": "b", "annotator": "x", "preference": 1},
    "helpsteer3": {
        "context": MESSAGES,
        "response1": "a",
        "response2": "b",
        "overall_preference": 1,
        "individual_preference": [{"score": 1}],
    },
    "ultrafeedback": {"instruction": "i", "completions": [{"response": "a"}, {"response": "b"}], "source": "s"},
    "preference": {"prompt": MESSAGES, "chosen": MESSAGES, "rejected": "b", "prompt_id": "p", "source": "s"},
    "feedbackqa": {
        "question": "q",
        "passage": {"passage_id": 1, "reference": {"section_content": "t", "section_headers": ["h"]}},
        "rating": ["Bad"],
        "feedback": ["f"],
    },
    "hotpotqa": {
        "_id": "h",
        "question": "q",
        "answer": "a",
        "type": "bridge",
        "level": "hard",
        "supporting_facts": [["T", 0]],
        "context": [["T", ["s."]]],
    },
    "finqa": {
        "id": "f",
        "question": "q",
        "answer": 0.5,
        "program": "divide(1, 2)",
        "table": [["a", "1"], ["b", "2"]],
        "pre_text": ["x"],
        "post_text": ["y"],
    },
    "summeval": {"id": "d", "model_id": "m", "decoded": "s", "expert_annotations": [{"fluency": 4}], "text": "t"},
    "newsroom": {"ArticleID": 1, "System": "s", "ArticleText": "t", "SystemSummary": "u", "FluencyRating": 3},
    "summaries": {"doc_id": 1, "source_text": "t", "systems": [{"system": "s", "summary": "u", "scores": {"f": 1}}]},
    "rating_lists": {"id": "i", "annotations": {"f": [1, 2]}},
    "label_studio": {
        "id": 1,
        "data": {"pair_id": "p"},
        "annotations": [
            {
                "completed_by": 1,
                "lead_time": 2,
                "result": [{"type": "choices", "from_name": "q", "value": {"choices": ["x"]}}],
            }
        ],
    },
    "argilla": {
        "id": "r",
        "fields": {},
        "metadata": {"pair_id": "p"},
        "responses": [{"user_id": "u", "status": "submitted", "values": {"q": {"value": "x"}}}],
    },
    "doccano": {"id": 1, "text": "x", "label": ["a"], "Comments": ["c"]},
    "potato": {"id": 1, "label_annotations": {"q": {"x": "true"}}, "behavioral_data": {"time_string": "0m 4s"}},
    "ab_pairs": {"id": 1, "task": "t", "candidate_a": "a", "candidate_b": "b", "labels": {"x": "A"}, "gold": "A"},
    "judge_labels": {"id": 1, "judge": "j", "label": "A", "value_verbatim": "1"},
    "rating_matrix": {"item": 1, "rater1": "a", "rater2": "b"},
    "rating_counts": {"item": 1, "yes": 2, "no": "1"},
    "contingency": {"first": "yes", "yes": 2, "no": "1"},
    "items": {
        "id": 1,
        "task": "t",
        "outputs": {"a": "x", "b": "y"},
        "gold": "x",
        "texts": ["a", "b"],
        "model": "m",
        "document": "d",
        "summaries": ["s"],
        "subject": "s",
        "opponent": "o",
        "subject_label": "l",
        "opponent_label": "k",
        "context": "c",
        "dataset": "d",
        "licence": "l",
        "relation": "draws",
    },
}
STRANGE = [None, True, -3, 0.5, "", "x", "[", "\x00", "a\ud800"]
STRANGE += [[], {}, [None], [[]], [{}], ["x"], ["\x00"], {"x": None}, {"x": []}, {"\x00": "x"}]


#: Tried deeper inside a field, where all of them would take minutes.
STRANGE_INSIDE = [None, True, 0.5, "x", "\x00", [], {}, ["x"], {"x": None}]


def with_strange(value: Any, strange: list[Any]) -> list[Any]:
    """``value`` with each of its parts, at any depth, exchanged for a strange one or left out."""
    found: list[Any] = list(strange)
    if isinstance(value, dict):
        found += [value | {key: inner} for key, own in value.items() for inner in with_strange(own, STRANGE_INSIDE)]
        found += [{key: inner for key, inner in value.items() if key != left_out} for left_out in value]
    elif isinstance(value, list) and value:
        found += [[inner, *value[1:]] for inner in with_strange(value[0], STRANGE_INSIDE)]
    return found


def variants(row: dict[str, Any]) -> list[dict[str, Any]]:
    return [variant for variant in with_strange(row, STRANGE) if isinstance(variant, dict)]


def test_every_format_is_tried() -> None:
    assert set(ROWS) | {"annotator_map"} == set(FORMATS)


def kinds(name: str) -> list[str]:
    return [kind for kind in READERS if getattr(FORMATS[name], kind) is not None]


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from texts_in(getattr(value, field.name))
    elif isinstance(value, dict):
        yield from texts_in([*value, *value.values()])
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts_in(inner)


def outcome(path: Path, kind: str, name: str) -> tuple[list[Any], InputFileError | None]:
    """Everything a reader yields, and the problems it raises at the end, if any."""
    records: list[Any] = []
    try:
        for record in READERS[kind](path, format=name):
            records.append(record)  # noqa: PERF402 -- what came before the error counts too
    except InputFileError as error:
        return records, error
    return records, None


@pytest.mark.parametrize("name", list(ROWS))
def test_sound_row_is_read_whole(tmp_path: Path, name: str) -> None:
    row = ROWS[name]
    path = write_lines(tmp_path / "a.jsonl", row, *([row] if name == "feedbackqa" else []))
    assert all(list(READERS[kind](path, format=name)) for kind in kinds(name))


@pytest.mark.parametrize("name", list(ROWS))
def test_strange_field_is_answered_with_sound_records_or_problems(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.jsonl"
    refused = 0
    for variant in variants(ROWS[name]):
        write_lines(path, variant)
        for kind in kinds(name):
            records, error = outcome(path, kind, name)
            if error is None:
                leaks = [text for record in records for text in texts_in(record) if why_unstorable(text)]
                assert not leaks, (kind, variant, records)
            else:
                refused += 1
                assert all(problem.field and problem.message for problem in error.problems)
    assert refused
