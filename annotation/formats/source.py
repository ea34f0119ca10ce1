"""One input file: its path, its problems, what it is made of (JSONL, JSON, CSV, TSV, XLSX, Parquet) and
how it begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from annotation.formats.encoding import open_text
from annotation.formats.problems import ProblemLog

_SNIFFED = 65536
_UNPACK = "Unpack it and give the file inside."
#: First bytes of files that are often given by mistake: what they are, and what to give instead.
_NO_DATA_FILES = {
    b"\x1f\x8b": ("is compressed (gzip).", _UNPACK),
    b"BZh": ("is compressed (bzip2).", _UNPACK),
    b"\xfd7zXZ\x00": ("is compressed (xz).", _UNPACK),
    b"\x28\xb5\x2f\xfd": ("is compressed (zstd).", _UNPACK),
    b"7z\xbc\xaf\x27\x1c": ("is compressed (7z).", _UNPACK),
    b"PK\x05\x06": ("is an empty archive.", "Give the data file."),
    b"\xd0\xcf\x11\xe0": ("is a workbook of the old kind (.xls).", "Save it as XLSX."),
    b"%PDF": ("is a PDF.", "Give the data file."),
    b"\x89PNG": ("is an image.", "Give the data file."),
    b"\xff\xd8\xff": ("is an image.", "Give the data file."),
    b"SQLite format 3\x00": ("is a database.", "Export the table as CSV or JSON Lines."),
    b"\x80\x04\x95": ("is a Python pickle.", "Write it as JSON Lines: pickles are never opened here."),
}


class Container(StrEnum):
    JSONL = "jsonl"
    JSON_ARRAY = "json array"
    JSON_OBJECT = "json object"
    CSV = "csv"
    TSV = "tsv"
    XLSX = "xlsx"
    PARQUET = "parquet"


@dataclass(frozen=True, slots=True)
class Source:
    """A file being read. Readers report to ``problems``; whoever opened the source raises them at the end."""

    path: Path
    container: Container
    problems: ProblemLog


@dataclass(frozen=True, slots=True)
class Sample:
    """How a file begins: what a format looks at to recognise its own.

    ``rows`` are the first few rows (for a JSON object: that object alone); ``names`` are all keys met in
    them, ``problems`` what could not be read among them.
    """

    container: Container
    rows: tuple[Mapping[str, Any], ...]
    names: frozenset[str]
    problems: ProblemLog

    def has(self, *names: str) -> bool:
        return self.names.issuperset(names)

    def first(self, name: str) -> Any:
        """The first value of ``name`` that is not None among the sampled rows, or None."""
        return next((row[name] for row in self.rows if row.get(name) is not None), None)


def open_source(path: str | Path) -> Source:
    """The file as a ``Source``; raises ``InputFileError`` where it is missing, a folder, empty, or no data file."""
    path = Path(path)
    log = ProblemLog(path.name)
    if not path.is_file():
        log.add(None, "file", "does not exist or is not a file.", "Check the path.")
    elif path.stat().st_size == 0:
        log.add(None, "file", "is empty.", "Export it again.")
    elif (told := _no_data_file(path)) is not None:
        log.add(None, "file", *told)
    log.raise_if_any()
    return Source(path, container_of(path), log)


def _no_data_file(path: Path) -> tuple[str, str] | None:
    with path.open("rb") as handle:
        head = handle.read(16)
    return next((told for magic, told in _NO_DATA_FILES.items() if head.startswith(magic)), None)


def container_of(path: Path) -> Container:
    """What the file is made of, told by its content first and its name second."""
    with path.open("rb") as handle:
        magic = handle.read(4)
    if magic == b"PAR1":
        return Container.PARQUET
    if magic == b"PK\x03\x04":
        return Container.XLSX
    with open_text(path, newline="\n") as text:
        head = _head(text.read, _SNIFFED)
    start = head.lstrip("\ufeff \t\r\n")
    if start.startswith("["):
        return Container.JSON_ARRAY
    if start.startswith("{"):
        return _one_object_or_lines(path, start)
    return Container.TSV if path.suffix.lower() in {".tsv", ".tab"} else Container.CSV


def _head(read: Any, size: int) -> str:
    try:
        return str(read(size))
    except UnicodeDecodeError:
        return ""


def _one_object_or_lines(path: Path, start: str) -> Container:
    """A file that opens with a brace is JSON Lines unless its first line leaves the brace open."""
    if path.suffix.lower() in {".jsonl", ".ndjson"}:
        return Container.JSONL
    first_line, _, rest = start.partition("\n")
    if first_line.rstrip().endswith("}") and (rest.lstrip().startswith("{") or path.suffix.lower() != ".json"):
        return Container.JSONL
    return Container.JSON_OBJECT
