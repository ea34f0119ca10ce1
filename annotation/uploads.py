"""Uploaded files as the readers want them: on disk, under the name their owner gave them, for as long as needed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.files.uploadedfile import UploadedFile


@contextmanager
def on_disk(upload: UploadedFile) -> Iterator[Path]:
    """The path of ``upload`` while the block runs. Reports name the file, so its own name is kept."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / (Path(upload.name or "").name or "upload")
        with path.open("wb") as file:
            for chunk in upload.chunks():
                file.write(chunk)
        yield path
