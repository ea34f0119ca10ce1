"""Rows of every container: numbers, nulls, encodings, and text that looks like something else."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path

import openpyxl
import pytest

from annotation.errors import InputFileError
from annotation.formats.source import Container, container_of, open_source
from annotation.formats.tabular import Row, rows


def read(path: Path) -> list[Row]:
    source = open_source(path)
    found = list(rows(source))
    source.problems.raise_if_any()
    return found


def refused(path: Path) -> InputFileError:
    with pytest.raises(InputFileError) as caught:
        read(path)
    return caught.value


def test_json_lines_number_lines_as_an_editor_does(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n\n   \n{"a": 2}\r\n{"a": "x\u2028y\x85z"}\n', encoding="utf-8")
    assert [(row.number, row.cells["a"]) for row in read(path)] == [(1, 1), (4, 2), (5, "x\u2028y\x85z")]


def test_json_lines_name_every_broken_line_and_go_on(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n{"a": \n[1]\n{"a": NaN}\n{"a": 1} x\n', encoding="utf-8")
    problems = refused(path).problems
    assert [(problem.row, problem.file) for problem in problems] == [(n, "a.jsonl") for n in (2, 3, 4, 5)]


def test_problems_beyond_fifty_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("{\n" * 73, encoding="utf-8")
    error = refused(path)
    assert (len(error.problems), error.more) == (50, 23)
    assert "23 more" in str(error)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json"])
def test_rows_are_the_same_in_every_encoding(tmp_path: Path, encoding: str, suffix: str) -> None:
    texts = {
        "csv": "id,text\r\n007,naïve – 東京 🙂\r\n",
        "jsonl": '{"id": "007", "text": "naïve – 東京 🙂"}\n',
        "json": '[\n{"id": "007", "text": "naïve – 東京 🙂"}]',
    }
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(texts[suffix].encode(encoding))
    assert [row.cells for row in read(path)] == [{"id": "007", "text": "naïve – 東京 🙂"}]


def test_broken_utf16_is_a_problem_not_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("id,text\r\n1,abc\r\n".encode("utf-16") + b"\x00\xd8A")
    assert "decoded" in str(refused(path))


@pytest.mark.parametrize("word", ["NA", "N/A", "None", "null", "NaN", "nan", "TRUE", "1e5", "-inf", "=1+1", "#N/A"])
def test_csv_text_that_looks_like_a_value_stays_text(tmp_path: Path, word: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"id,text\n007,{word}\n", encoding="utf-8")
    assert read(path)[0].cells == {"id": "007", "text": word}


def test_csv_keeps_commas_quotes_newlines_and_long_cells(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    long = "word, " * 50_000
    path.write_text(f'id,text\n1,"a, ""b""\nc\rd"\n\n2,"{long}"\n', encoding="utf-8", newline="")
    found = read(path)
    assert [row.number for row in found] == [2, 4]
    assert [row.cells["text"] for row in found] == ['a, "b"\nc\rd', long]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_takes_the_delimiter_of_its_header(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"id{delimiter}text\n1{delimiter}x\n", encoding="utf-8")
    assert read(path)[0].cells == {"id": "1", "text": "x"}


@pytest.mark.parametrize("record", ["1", "1,2,3", '1,"2"x', '1,"2'])
def test_csv_record_of_the_wrong_shape_is_refused(tmp_path: Path, record: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"id,text\n0,fine\n{record}\n", encoding="utf-8")
    assert refused(path).problems[0].row == 3


def test_csv_passes_over_empty_records_and_trailing_empty_cells(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,text\n,\n1,x,,\n,\n", encoding="utf-8")
    assert [(row.number, row.cells) for row in read(path)] == [(3, {"id": "1", "text": "x"})]


def test_csv_column_named_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,text,text\n1,a,b\n", encoding="utf-8")
    assert "text more than once" in str(refused(path))


def workbook(path: Path, *records: list[object]) -> Path:
    book = openpyxl.Workbook()
    for record in records:
        book.active.append(record)
    book.save(path)
    return path


def test_xlsx_cells_are_text_and_rows_are_the_sheets(tmp_path: Path) -> None:
    path = workbook(
        tmp_path / "a.xlsx", ["id", "text"], ["007", "NA"], [None, None], [7.0, "null"], [1.5, None], [None, None]
    )
    found = [(row.number, dict(row.cells)) for row in read(path)]
    assert found == [
        (2, {"id": "007", "text": "NA"}),
        (4, {"id": "7", "text": "null"}),
        (5, {"id": "1.5", "text": ""}),
    ]


def test_xlsx_number_shown_with_leading_zeros_keeps_them(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["id"])
    book.active.append([7])
    book.active["A2"].number_format = "000"
    book.save(tmp_path / "a.xlsx")
    assert read(tmp_path / "a.xlsx")[0].cells == {"id": "007"}


def test_xlsx_escaped_control_characters_are_restored(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", ["text"], ["one_x000D_\ntwo"])
    assert read(path)[0].cells == {"text": "one\r\ntwo"}


def test_damaged_workbook_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("hello.txt", "not a workbook")
    assert "readable workbook" in str(refused(path))


def test_json_array_streams_elements_larger_than_the_window(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    items = [{"n": number, "text": "é" * size} for number, size in enumerate([1, 200_000, 65_530, 0, 400_000])]
    path.write_text(json.dumps(items, ensure_ascii=False, indent=1), encoding="utf-8")
    assert [dict(row.cells) for row in read(path)] == items


@pytest.mark.parametrize("text", ['[{"a": 1}', '[{"a": 1} {"a": 2}]', '[{"a": 1},]', '[{"a": 1}] x', '[{"a": '])
def test_broken_json_array_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text, encoding="utf-8")
    assert "not JSON" in str(refused(path))


def test_deeply_nested_json_is_refused_not_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}\n", encoding="utf-8")
    assert "nested too deeply" in str(refused(path))


def test_missing_and_empty_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").touch()
    for name in ("empty.csv", "absent.csv"):
        with pytest.raises(InputFileError, match=name):
            open_source(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "text", "container"),
    [
        ("a.json", '{"a": 1}\n{"a": 2}\n', Container.JSONL),
        ("a.json", '{"a": 1}', Container.JSON_OBJECT),
        ("a.json", '{\n "a": 1\n}', Container.JSON_OBJECT),
        ("a.jsonl", '[{"a": 1}]', Container.JSON_ARRAY),
        ("a.txt", "a\tb\n1\t2\n", Container.CSV),
        ("a.tsv", "a\tb\n1\t2\n", Container.TSV),
    ],
)
def test_container_is_told_by_content_first(tmp_path: Path, name: str, text: str, container: Container) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert container_of(tmp_path / name) is container


def test_parquet_without_pyarrow_names_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1 and the rest PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "requirements-parquet.txt" in str(refused(path))
