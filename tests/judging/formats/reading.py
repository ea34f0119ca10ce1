"""Writing small verdict files and reading them back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.errors import InputFileError
from annotation.records import Oddity
from judging.formats.verdicts import read_verdicts
from judging.records import VerdictRecord


def written(path: Path, *rows: Any) -> Path:
    """``rows`` as JSON Lines, or as one array where the name ends in .json."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(rows) if path.suffix == ".json" else "".join(json.dumps(row) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")
    return path


def verdicts(path: Path, **options: Any) -> list[VerdictRecord]:
    return [one for one in read_verdicts(path, **options) if isinstance(one, VerdictRecord)]


def told(path: Path) -> dict[str, str]:
    return {one.code: one.message for one in read_verdicts(path) if isinstance(one, Oddity)}


def refused(path: Path, **options: Any) -> list[tuple[int | None, str]]:
    with pytest.raises(InputFileError) as caught:
        list(read_verdicts(path, **options))
    assert all(problem.file == path.name and problem.remedy for problem in caught.value.problems)
    return [(problem.row, problem.field) for problem in caught.value.problems]
