"""Rows of a Parquet file, batch by batch. Needs pyarrow, which is optional (requirements-parquet.txt)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotation.formats.source import Source

_BATCH = 512


def read(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """(record number from 1, cells); a Parquet null is None."""
    try:
        import pyarrow  # only those who read Parquet install it
        import pyarrow.parquet
    except ImportError:
        source.problems.add(
            None, "file", "is Parquet, which needs pyarrow.", "Run: pip install -r requirements-parquet.txt"
        )
        return
    number = 0
    try:
        with pyarrow.parquet.ParquetFile(source.path) as file:
            for batch in file.iter_batches(batch_size=_BATCH):
                for cells in batch.to_pylist():
                    number += 1
                    yield number, cells
    except pyarrow.ArrowException as error:
        source.problems.add(number + 1, "record", f"is not readable Parquet ({error}).", "Write the file again.")
