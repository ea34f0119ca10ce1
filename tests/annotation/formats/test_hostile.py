"""Files that are damaged, compressed, of another kind or full of extremes: refused by name, never a crash."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from annotation.errors import InputFileError
from annotation.formats import FORMATS, read_items, read_labels, read_pairs
from annotation.records import PairRecord
from judging.formats.verdicts import FORMATS as VERDICT_FORMATS
from judging.formats.verdicts import read_verdicts

NAMES = ["pair_id", "task", "role_1", "role_2", "candidate_1", "candidate_2"]


def row(number: int = 1, **changes: Any) -> dict[str, Any]:
    texts = {"plain": f"Answer {number}.", "cited": "Answer [1]."}
    return {"pair_id": f"p{number}", "task": "Who?", "roles": ["plain", "cited"], "candidates": texts} | changes


def lines(*rows: dict[str, Any]) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in rows).encode()


def refusal(path: Path) -> str:
    with pytest.raises(InputFileError) as caught:
        list(read_pairs(path))
    return str(caught.value)


SOUND = lines(row(1), row(2))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (gzip.compress(SOUND), "compressed (gzip)"),
        (gzip.compress(SOUND)[:-9], "compressed (gzip)"),
        (bz2.compress(SOUND), "compressed (bzip2)"),
        (lzma.compress(SOUND), "compressed (xz)"),
        (b"\x28\xb5\x2f\xfd" + SOUND, "compressed (zstd)"),
        (b"%PDF-1.7\n" + SOUND, "is a PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + SOUND, "old kind (.xls)"),
        (b"\x80\x04\x95" + SOUND, "Python pickle"),
        (b"PAR1" + SOUND, "Parquet"),
        (b"PK\x03\x04" + SOUND, "not a readable workbook"),
    ],
)
def test_a_file_of_another_kind_is_refused_by_what_it_is(content: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(content)
    assert told in refusal(path)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-16-le", "utf-32"])
def test_every_encoding_gives_the_same_pairs(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(SOUND.decode().encode(encoding))
    assert [one.pair_id for one in read_pairs(path) if isinstance(one, PairRecord)] == ["p1", "p2"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (SOUND.decode().encode("utf-16")[:-1], "cannot be decoded"),
        (SOUND[:-20], "row 2, line: is not JSON"),
        (SOUND.replace(b"Who?", b"Who\\u0000?", 1), "row 1, task: holds the character U+0000"),
        (SOUND.replace(b"Who?", b"Who\\ud800?", 1), "row 1, task: holds half a character"),
        (SOUND.replace(b"Who?", b"Who\xff?", 1), "row 1, task: holds the byte 0xFF"),
        (lines(row(1, meta={"n": 1})).replace(b'"n": 1', b'"n": 1e400'), "row 1, meta.n: is a number too large"),
        (lines(row(1, meta={"n": [1]})).replace(b"[1]", b"[-1e999]"), "row 1, meta.n: is a number too large"),
        (lines(row(1, meta={"n": 1})).replace(b'"n": 1', b'"n": NaN'), "NaN is not JSON"),
        (lines(row(1, meta={"n": 1})).replace(b'"n": 1', b'"n": ' + b"9" * 5000), "row 1, line: is not JSON"),
        (lines(row(1, meta={"n": 1})).replace(b'"n": 1', b'"n": ' + b"[" * 99_999 + b"]" * 99_999), "too deeply"),
        (lines(*(row(number) for number in range(5_000)), row(3)), "row 5001, pair_id: 'p3' was used in row 4"),
    ],
)
def test_what_cannot_be_stored_is_refused_by_row_and_field(content: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(content)
    assert told in refusal(path)


def test_a_line_of_ten_megabytes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(lines(row(1, task="x" * 10_000_000), row(2)))
    sizes = [len(one.task) for one in read_pairs(path) if isinstance(one, PairRecord)]
    assert sizes == [10_000_000, 4]


def workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(NAMES)
    for number in range(30):
        sheet.append([f"p{number}", "Who?", "plain", "cited", f"Answer {number}.", "Answer [1]."])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def damaged(content: bytes, draw: random.Random) -> bytes:
    """The workbook with one of its parts cut, dropped or garbled, or bytes of the archive itself changed."""
    if draw.random() < 0.3:
        at = draw.randrange(len(content))
        return content[:at] + bytes([draw.randrange(256)]) * draw.randrange(1, 9) + content[at + 4 :]
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        chosen = draw.choice(old.namelist())
        for name in old.namelist():
            part = old.read(name)
            if name == chosen:
                at = draw.randrange(len(part))
                part = draw.choice([b"", part[:at], part[:at] + b"<" + part[at:], part.replace(b'"', b"", 1)])
            if name != chosen or draw.random() < 0.8:
                new.writestr(name, part)
    return out.getvalue()


def test_a_damaged_workbook_is_read_or_refused_whole(tmp_path: Path) -> None:
    sound, draw = workbook(), random.Random(5)
    path = tmp_path / "pairs.xlsx"
    path.write_bytes(sound)
    assert len(list(read_pairs(path))) == 30
    refusals = 0
    for _ in range(150):
        path.write_bytes(damaged(sound, draw))
        try:
            list(read_pairs(path))
        except InputFileError:
            refusals += 1
    assert refusals > 50


def test_noise_is_refused_by_every_reader(tmp_path: Path) -> None:
    draw = random.Random(9)
    path = tmp_path / "noise"
    for start in (b"", b"{", b"[", b"[{", b'{"', b"\xff\xfe", b"\xef\xbb\xbf", b"a,b\n", b"PAR1", b"PK\x03\x04"):
        path.write_bytes(start + draw.randbytes(3_000))
        for reader, known in ((read_pairs, "pairs"), (read_labels, "labels"), (read_items, "items")):
            for name in (None, *(one.name for one in FORMATS.values() if getattr(one, known))):
                with pytest.raises(InputFileError):
                    list(reader(path, format=name))
        for name in VERDICT_FORMATS:
            with pytest.raises(InputFileError):
                list(read_verdicts(path, format=name))
