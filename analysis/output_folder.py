"""Writing a report's files: all of them or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from annotation.errors import Refused


def write_files(folder: Path, contents: Mapping[str, str | bytes], *, absent: Iterable[str] = ()) -> None:
    """Write ``contents`` (file name -> text or bytes) into ``folder``, which is made where it is missing.

    Every file is first written in full under a passing name, so that a full disk leaves the old files as they were.
    ``absent`` names files of an earlier report that this one has not: they are removed.
    Raises Refused, saying what to do, where the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".writing-") as passing:
            for name, content in contents.items():
                data = content.encode("utf-8") if isinstance(content, str) else content
                (Path(passing) / name).write_bytes(data)
            for name in contents:
                os.replace(Path(passing) / name, folder / name)
            for name in absent:
                (folder / name).unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(f"--out: {folder} cannot be written ({reason}). Name a folder that can be made.") from error
