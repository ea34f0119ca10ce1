"""The public pairs format: both shapes, defaults, and every refusal by row and field."""

from __future__ import annotations

import csv
import datetime
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from annotation.errors import InputFileError, Problem
from annotation.formats import detect, read_pairs
from annotation.records import Oddity, PairRecord

PAIR: dict[str, Any] = {
    "pair_id": "p1",
    "task": "Which river is longer?",
    "roles": ["plain", "cited"],
    "candidates": {"cited": "The Nile [1].", "plain": "The Nile."},
}
COLUMNS = {
    "pair_id": "p1",
    "task": "Which river is longer?",
    "role_1": "plain",
    "role_2": "cited",
    "candidate_1": "The Nile.",
    "candidate_2": "The Nile [1].",
}


def write(path: Path, *items: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return path


def write_csv(path: Path, *items: dict[str, str]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, list(dict.fromkeys(name for item in items for name in item)))
        writer.writeheader()
        writer.writerows(items)
    return path


def pairs(records: Iterable[object]) -> list[PairRecord]:
    return [record for record in records if isinstance(record, PairRecord)]


def codes(records: Iterable[object]) -> list[str]:
    return [record.code for record in records if isinstance(record, Oddity)]


def problems(path: Path, **options: str) -> list[Problem]:
    with pytest.raises(InputFileError) as caught:
        list(read_pairs(path, **options))
    return caught.value.problems


def test_role_order_is_the_lists_not_the_candidates_keys(tmp_path: Path) -> None:
    (pair,) = pairs(read_pairs(write(tmp_path / "a.jsonl", PAIR)))
    assert (pair.roles, pair.candidates) == (("plain", "cited"), ("The Nile.", "The Nile [1]."))
    assert (pair.tier, pair.target, pair.context, pair.cluster) == ("preference", None, None, "")


def test_every_field_is_carried(tmp_path: Path) -> None:
    full = PAIR | {
        "context": "Two rivers.",
        "split": "s",
        "tier": "moderate",
        "target": "plain",
        "cluster": "q1",
        "artifact": {"kind": "markers", "role": "cited"},
        "domain": "geography",
        "source": {"dataset": "d", "id": 7, "licence": "MIT"},
        "meta": {"n": [1, None]},
    }
    (pair,) = pairs(read_pairs(write(tmp_path / "a.jsonl", full)))
    assert (pair.context, pair.split, pair.tier, pair.target, pair.cluster) == (
        "Two rivers.",
        "s",
        "moderate",
        "plain",
        "q1",
    )
    assert (pair.artifact_kind, pair.artifact_role, pair.domain) == ("markers", "cited", "geography")
    assert (pair.source_dataset, pair.source_id, pair.source_licence) == ("d", "7", "MIT")
    assert pair.meta == {"n": [1, None]}


def test_columns_say_the_same_as_json(tmp_path: Path) -> None:
    extra = {"tier": "soft", "artifact_kind": "markers", "artifact_role": "cited", "source_dataset": "d"}
    extra |= {"source_id": "007", "source_licence": "MIT", "meta": '{"n": 1}', "cluster": "", "target": ""}
    nested = PAIR | {"tier": "soft", "artifact": {"kind": "markers", "role": "cited"}, "meta": {"n": 1}}
    nested |= {"source": {"dataset": "d", "id": "007", "licence": "MIT"}}
    from_json = pairs(read_pairs(write(tmp_path / "a.jsonl", nested)))
    from_csv = pairs(read_pairs(write_csv(tmp_path / "a.csv", COLUMNS | extra)))
    assert from_csv == from_json
    assert from_csv[0].content_hash() == from_json[0].content_hash()


def test_xlsx_says_the_same_as_csv(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(list(COLUMNS))
    book.active.append(list(COLUMNS.values()))
    book.save(tmp_path / "a.xlsx")
    assert pairs(read_pairs(tmp_path / "a.xlsx")) == pairs(read_pairs(write_csv(tmp_path / "a.csv", COLUMNS)))


def test_xlsx_text_that_begins_with_an_equals_sign_is_kept_and_told(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(list(COLUMNS))
    book.active.append(list((COLUMNS | {"candidate_1": "= 5 apples"}).values()))
    book.save(tmp_path / "a.xlsx")
    records = list(read_pairs(tmp_path / "a.xlsx"))
    assert (pairs(records)[0].candidates[0], codes(records)) == ("= 5 apples", ["formula_text"])


def test_xlsx_id_that_is_a_formula_or_a_date_is_refused(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(list(COLUMNS))
    for pair_id in ("=A1", datetime.date(2020, 1, 2)):
        book.active.append([pair_id, *list(COLUMNS.values())[1:]])
    book.save(tmp_path / "a.xlsx")
    assert [(problem.row, problem.field) for problem in problems(tmp_path / "a.xlsx")] == [
        (2, "pair_id"),
        (3, "pair_id"),
    ]


@pytest.mark.parametrize("shape", ["json", "csv"])
def test_null_text_is_not_empty_text(tmp_path: Path, shape: str) -> None:
    if shape == "json":
        path = write(tmp_path / "a.jsonl", PAIR | {"candidates": {"plain": None, "cited": ""}})
    else:
        path = write_csv(tmp_path / "a.csv", COLUMNS | {"candidate_1": "\\N", "candidate_2": ""})
    records = list(read_pairs(path))
    assert pairs(records)[0].candidates == (None, "")
    assert codes(records) == ["null_candidate", "empty_candidate"]


@pytest.mark.parametrize("word", ["NA", "None", "null", "007", "TRUE", "  spaced  "])
def test_candidate_text_is_kept_exactly(tmp_path: Path, word: str) -> None:
    (pair,) = pairs(read_pairs(write_csv(tmp_path / "a.csv", COLUMNS | {"pair_id": "007", "candidate_1": word})))
    assert (pair.pair_id, pair.candidates[0]) == ("007", word)


@pytest.mark.parametrize(
    ("tier", "target"), [("equivalence", "tie"), ("natural", "tie"), ("identical", "tie"), ("soft", "boundary")]
)
def test_target_defaults_to_the_tiers(tmp_path: Path, tier: str, target: str) -> None:
    (pair,) = pairs(read_pairs(write(tmp_path / "a.jsonl", PAIR | {"tier": tier, "target": None})))
    assert pair.target == target


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"pair_id": ""}, "pair_id"),
        ({"pair_id": None}, "pair_id"),
        ({"pair_id": {"a": 1}}, "pair_id"),
        ({"task": None}, "task"),
        ({"task": ["a"]}, "task"),
        ({"task": "a\x00b"}, "task"),
        ({"candidates": {"plain": "a", "cited": "\x00"}}, "candidates.cited"),
        ({"candidates": {"plain": "a\ud800", "cited": "b"}}, "candidates.plain"),
        ({"candidates": {"plain": "a"}}, "candidates"),
        ({"candidates": {"plain": "a", "cited": "b", "third": "c"}}, "candidates"),
        ({"candidates": ["a", "b"]}, "candidates"),
        ({"roles": ["plain"]}, "roles"),
        ({"roles": ["plain", "plain"]}, "roles"),
        ({"roles": ["plain", "plain "]}, "roles"),
        ({"roles": ["plain", "Tie"]}, "roles"),
        ({"roles": ["plain", "A"]}, "roles"),
        ({"roles": ["plain", " "]}, "roles"),
        ({"roles": "plain,cited"}, "roles"),
        ({"tier": "Moderat"}, "tier"),
        ({"tier": "moderate"}, "target"),
        ({"tier": "conflict", "target": "tie"}, "target"),
        ({"tier": "equivalence", "target": "plain"}, "target"),
        ({"tier": "soft", "target": "citd"}, "target"),
        ({"artifact": {"kind": "x", "role": "third"}}, "artifact.role"),
        ({"source": {"dataset": "x", "url": "y"}}, "source"),
        ({"meta": ["a"]}, "meta"),
        ({"meta": {"a": {"b": ["\x00"]}}}, "meta.a.b"),
    ],
)
def test_bad_field_is_refused_by_row_and_name(tmp_path: Path, change: dict[str, Any], field: str) -> None:
    path = write(tmp_path / "a.jsonl", PAIR | {"pair_id": "fine"}, PAIR | change)
    found = problems(path)
    assert [(problem.file, problem.row, problem.field) for problem in found] == [("a.jsonl", 2, field)]
    assert found[0].message
    assert found[0].remedy


@pytest.mark.parametrize("name", list(COLUMNS))
def test_missing_column_is_named(tmp_path: Path, name: str) -> None:
    item = {key: value for key, value in COLUMNS.items() if key != name}
    assert name in {problem.field for problem in problems(write_csv(tmp_path / "a.csv", item))}


def test_bytes_that_are_not_utf8_are_named_by_row_and_field(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", COLUMNS, COLUMNS | {"pair_id": "p2", "candidate_2": "caf@"})
    path.write_bytes(path.read_bytes().replace(b"caf@", b"caf\xe9"))
    (problem,) = problems(path)
    assert (problem.row, problem.field) == (3, "candidate_2")
    assert "0xE9" in problem.message


def test_zero_character_escaped_inside_a_json_cell_is_refused(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", COLUMNS, COLUMNS | {"pair_id": "p2", "meta": '{"a": "\\u0000"}'})
    assert [(problem.row, problem.field) for problem in problems(path)] == [(3, "meta.a")]


def test_pair_id_used_twice_names_both_rows(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", PAIR, PAIR | {"pair_id": "p2"}, PAIR | {"task": "Another?"})
    (problem,) = problems(path)
    assert problem.row == 3
    assert "row 1" in problem.message


def test_all_problems_are_raised_together_after_the_good_rows(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", PAIR | {"tier": "x"}, PAIR, PAIR | {"pair_id": "p3", "roles": []})
    iterator = read_pairs(path)
    assert isinstance(next(iterator), PairRecord)
    with pytest.raises(InputFileError) as caught:
        list(iterator)
    assert [problem.row for problem in caught.value.problems] == [1, 3]


def test_booleans_and_numbers_become_text_and_are_told(tmp_path: Path) -> None:
    records = list(read_pairs(write(tmp_path / "a.jsonl", PAIR | {"candidates": {"plain": True, "cited": 0.5}})))
    assert pairs(records)[0].candidates == ("True", "0.5")
    assert codes(records) == ["boolean_text", "number_text"]


def test_unknown_columns_are_told_once_with_the_likely_name(tmp_path: Path) -> None:
    items = [PAIR | {"pair_id": f"p{n}", "contxt": "x", "zzz": 1} for n in range(3)]
    told = [r for r in read_pairs(write(tmp_path / "a.jsonl", *items)) if getattr(r, "code", "") == "unknown_columns"]
    assert len(told) == 1
    assert "contxt (meant: context?)" in told[0].message
    assert "zzz" in told[0].message


def test_duplicates_and_both_orders_are_kept_and_told(tmp_path: Path) -> None:
    swapped = {"plain": "The Nile [1].", "cited": "The Nile."}
    path = write(tmp_path / "a.jsonl", PAIR, PAIR | {"pair_id": "p2"}, PAIR | {"pair_id": "p3", "candidates": swapped})
    records = list(read_pairs(path))
    assert len(pairs(records)) == 3
    assert [(r.code, r.item_id) for r in records if isinstance(r, Oddity)] == [
        ("duplicate_text", "p2"),
        ("both_orders", "p3"),
    ]


def test_equal_texts_fit_the_identical_tier_only(tmp_path: Path) -> None:
    same = PAIR | {"candidates": {"plain": "x", "cited": "x"}}
    assert codes(read_pairs(write(tmp_path / "a.jsonl", same))) == ["same_text"]
    assert codes(read_pairs(write(tmp_path / "b.jsonl", same | {"tier": "identical"}))) == []
    assert codes(read_pairs(write(tmp_path / "c.jsonl", PAIR | {"tier": "identical"}))) == ["texts_differ"]


def test_format_is_detected_stated_and_overridable(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", PAIR)
    assert detect(path) == "pairs"
    assert {problem.field for problem in problems(path, format="pandalm")} >= {"instruction", "response1"}
    assert "known formats" in str(problems(path, format="nonsense")[0]).lower()
    assert "holds no pairs" in str(problems(path, format="labels")[0])


def test_unknown_format_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"colour": "red"})
    assert "pandalm" in str(problems(path)[0])


def test_file_broken_from_its_first_row_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"pair_id": "p1", \n', encoding="utf-8")
    assert [problem.row for problem in problems(path)] == [1]


def test_file_with_a_header_and_no_rows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
    assert "no rows" in str(problems(path, format="pairs")[0])


def test_readers_know_neither_django_nor_the_network() -> None:
    program = "import sys, annotation.formats; print({'django', 'celery', 'aiohttp', 'requests'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.long
def test_memory_stays_flat_over_many_rows(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    with path.open("w", encoding="utf-8") as handle:
        for number in range(20_000):
            candidates = {"plain": f"{number} " * 60, "cited": f"{number}!" * 60}
            handle.write(json.dumps(PAIR | {"pair_id": f"p{number}", "candidates": candidates}) + "\n")
    program = (
        "import sys, tracemalloc; from annotation.formats import read_pairs\n"
        "tracemalloc.start(); n = sum(1 for _ in read_pairs(sys.argv[1])); print(n, tracemalloc.get_traced_memory()[1])"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    count, peak = map(int, done.stdout.split())
    assert count == 20_000
    assert peak < 4_000_000 < path.stat().st_size / 3
