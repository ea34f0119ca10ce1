"""Writes small files and sorts what a reader yields, for the tests of the formats."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from annotation.errors import InputFileError, Problem
from annotation.formats import read_items, read_labels, read_pairs
from annotation.records import Excluded, LabelRecord, Oddity, PairRecord

READERS = {"pairs": read_pairs, "labels": read_labels, "items": read_items}


def write_json(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def write_lines(path: Path, *items: Any) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return path


def pairs(path: Path, **options: Any) -> list[PairRecord]:
    return [record for record in read_pairs(path, **options) if isinstance(record, PairRecord)]


def labels(path: Path, **options: Any) -> list[LabelRecord]:
    return [record for record in read_labels(path, **options) if isinstance(record, LabelRecord)]


def votes(path: Path, **options: Any) -> list[tuple[Any, ...]]:
    """(pair, annotator, question, label) of every label."""
    return [(one.pair_id, one.annotator, one.question, one.label) for one in labels(path, **options)]


def excluded(records: Iterable[object]) -> list[tuple[str, str]]:
    return [(record.item_id, record.reason) for record in records if isinstance(record, Excluded)]


def codes(records: Iterable[object]) -> list[str]:
    return [record.code for record in records if isinstance(record, Oddity)]


def counts(records: Iterable[object]) -> Counter[str]:
    """How many records of each type, and oddities of each code, a reader yields."""
    return Counter(record.code if isinstance(record, Oddity) else type(record).__name__ for record in records)


def problems(path: Path, kind: str, **options: Any) -> list[Problem]:
    with pytest.raises(InputFileError) as caught:
        list(READERS[kind](path, **options))
    return caught.value.problems
