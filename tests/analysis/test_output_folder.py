"""A report's files are written all or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.output_folder import write_files
from annotation.errors import Refused


def test_files_are_written_and_replaced_with_nothing_left_over(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    write_files(folder, {"one.txt": "old", "two.bin": b"\x00"})
    write_files(folder, {"one.txt": "näher"}, absent=["two.bin", "three.txt"])
    assert {path.name for path in folder.iterdir()} == {"one.txt"}
    assert (folder / "one.txt").read_text(encoding="utf-8") == "näher"


def test_a_failure_half_way_leaves_the_old_files(tmp_path: Path) -> None:
    write_files(tmp_path, {"one.txt": "old"})
    with pytest.raises(Refused, match="cannot be written"):
        write_files(tmp_path, {"one.txt": "new", "no/such/folder.txt": "new"})
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {"one.txt": "old"}


def test_a_file_in_the_folders_place_is_refused_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(Refused, match="Name a folder"):
        write_files(tmp_path / "taken", {"one.txt": ""})
