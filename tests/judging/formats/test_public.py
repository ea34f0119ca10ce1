"""The public verdicts format: what is read, what is told, and how a file is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from annotation.errors import InputFileError
from annotation.records import Oddity
from judging.formats.verdicts import FIELDS, read_verdicts
from judging.records import VerdictRecord

PLAIN = {
    "pair_id": "p1",
    "judge": "j",
    "protocol": "ladder",
    "shown_as_a": "plain",
    "outcome": "decided",
    "winner": "A",
}


def jsonl(folder: Path, *rows: dict[str, Any] | str) -> Path:
    path = folder / "verdicts.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def records(path: Path) -> list[VerdictRecord]:
    return [item for item in read_verdicts(path) if isinstance(item, VerdictRecord)]


def problems(path: Path) -> list[tuple[int | None, str]]:
    with pytest.raises(InputFileError) as caught:
        list(read_verdicts(path))
    assert all(problem.remedy for problem in caught.value.problems)
    assert all(problem.file == path.name for problem in caught.value.problems)
    return [(problem.row, problem.field) for problem in caught.value.problems]


def test_read_takes_every_field_of_the_contract(tmp_path: Path) -> None:
    full = PLAIN | {
        "protocol_version": "2", "level": "L3", "paraphrase": "p2", "probe": "placebo", "cue": {"plain": "LLM"},
        "cue_favours": "plain", "attack": "verbosity", "attacked_role": "cited", "repeat": 1, "phase": "after",
        "offered": ["A", "B", "Tie"], "reason": "", "rationale": "so\nthere", "scores": {"plain": {"accuracy": 4}},
        "n_calls": 2, "prompt_tokens": 10, "completion_tokens": 3, "usd": 0.25, "latency_ms": 12.5,
        "model_returned": "m-1", "snapshot": "s", "called_at": "2026-01-02T03:04:05Z", "source": "live",
    }  # fmt: skip
    (record,) = records(jsonl(tmp_path, full))
    for name, value in full.items():
        expected = tuple(value) if name == "offered" else value
        assert getattr(record, name) == expected, name
    assert set(full) == FIELDS
    assert record.row == 1


def test_read_gives_defaults_for_what_is_absent(tmp_path: Path) -> None:
    (record,) = records(jsonl(tmp_path, {name: PLAIN[name] for name in PLAIN if name != "shown_as_a"}))
    assert (record.phase, record.repeat, record.shown_as_a, record.offered) == ("only", 0, "", ())
    assert record.n_calls is record.usd is record.latency_ms is None


def test_read_takes_csv_with_structures_as_json_and_labels_as_words(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.csv"
    row = PLAIN | {"offered": "A,B,Tie", "cue": '{"plain": "LLM"}', "usd": "0.5", "repeat": "", "rationale": 'a "b"\nc'}
    with path.open("w", newline="", encoding="utf-8-sig") as handle:
        writer = csv.DictWriter(handle, fieldnames=list(row))
        writer.writeheader()
        writer.writerow(row)
    (record,) = records(path)
    assert (record.offered, record.cue, record.usd, record.repeat) == (("A", "B", "Tie"), {"plain": "LLM"}, 0.5, 0)
    assert (record.rationale, record.row) == ('a "b"\nc', 2)


def test_read_tells_unknown_fields_and_made_text_once(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path, PLAIN | {"level": 3, "mood": "x"}, PLAIN | {"level": 4, "mood": "y"}, PLAIN | {"rationale": True}
    )
    found = list(read_verdicts(path))
    assert [item.code for item in found if isinstance(item, Oddity)] == [
        "made_text:level", "unknown_field:mood", "made_text:rationale"
    ]  # fmt: skip
    assert [record.level for record in found if isinstance(record, VerdictRecord)] == ["3", "4", ""]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"pair_id": ""}, "pair_id"),
        ({"judge": None}, "judge"),
        ({"outcome": "won"}, "outcome"),
        ({"winner": "a"}, "winner"),
        ({"winner": ""}, "winner"),
        ({"outcome": "refused"}, "winner"),
        ({"offered": ["A", "B"], "winner": "Tie"}, "winner"),
        ({"offered": {"A": 1}}, "offered"),
        ({"phase": "later"}, "phase"),
        ({"source": "dream"}, "source"),
        ({"repeat": -1}, "repeat"),
        ({"repeat": 1.5}, "repeat"),
        ({"n_calls": True}, "n_calls"),
        ({"usd": "free"}, "usd"),
        ({"cue": ["plain"]}, "cue"),
        ({"cue": {"plain": 1}}, "cue"),
        ({"scores": {"plain": 4}}, "scores"),
        ({"scores": "{"}, "scores"),
        ({"rationale": ["x"]}, "rationale"),
        ({"rationale": "a\x00b"}, "rationale"),
    ],
)
def test_read_refuses_a_bad_cell_naming_row_and_field(tmp_path: Path, change: dict[str, Any], field: str) -> None:
    assert problems(jsonl(tmp_path, PLAIN, PLAIN | {"pair_id": "p2"} | change)) == [(2, field)]


def test_read_tells_every_problem_at_once_and_the_number_of_more(tmp_path: Path) -> None:
    path = jsonl(tmp_path, *[PLAIN | {"pair_id": f"p{n}", "winner": "C"} for n in range(60)])
    with pytest.raises(InputFileError) as caught:
        list(read_verdicts(path))
    assert (len(caught.value.problems), caught.value.more) == (50, 10)


def test_read_refuses_broken_json_missing_files_and_empty_ones(tmp_path: Path) -> None:
    assert problems(jsonl(tmp_path, PLAIN, "{nonsense"))[0][0] == 2
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n", encoding="utf-8")
    assert problems(empty) == [(None, "file")]
    assert problems(tmp_path / "absent.jsonl") == [(None, "file")]


def test_read_refuses_two_rows_of_one_comparison_naming_both(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"row 3.*row 1"):
        list(read_verdicts(jsonl(tmp_path, PLAIN, PLAIN | {"shown_as_a": "cited"}, PLAIN | {"winner": "B"})))


@pytest.mark.parametrize("change", [{"repeat": 1}, {"phase": "after"}, {"level": "L1"}, {"attacked_role": "cited"}])
def test_read_takes_rows_that_differ_in_any_part_of_the_comparison(tmp_path: Path, change: dict[str, Any]) -> None:
    assert len(records(jsonl(tmp_path, PLAIN, PLAIN | change))) == 2
