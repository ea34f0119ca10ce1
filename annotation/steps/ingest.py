"""Taking pairs files in: all of a file or nothing of it, and the same content only once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import DataError, OperationalError, transaction

from annotation import formats
from annotation.errors import InputFileError, Problem, TiebreakError
from annotation.models import ImportReport, Study, User
from annotation.steps import audit
from annotation.steps.import_notes import pairs_alone
from annotation.steps.pair_writer import PairWriter, in_batches


def file_digest(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def import_pairs(
    *,
    study: Study,
    path: Path,
    split: str = "",
    file_format: str | None = None,
    strict: bool = False,
    actor: User | None = None,
) -> ImportReport:
    """Read ``path`` into ``split`` (or into the splits its rows name). Raises InputFileError; then nothing is stored.

    A file that was imported into the same place before is not read again: its first report is returned.
    Pairs that are already there with the same content are counted as kept; other content under a known id is refused.
    Memory does not grow with the file. TiebreakError with code ``storage`` where the database or a disk gave way.
    """
    detected = file_format or formats.detect(path)
    with storage_that_may_fail(path), transaction.atomic():
        digest = file_digest(path)
        known = ImportReport.objects.filter(study=study, kind="pairs", into=split, sha256=digest).first()
        if known is not None:
            return known
        report = ImportReport(
            study=study, kind="pairs", into=split, file_name=path.name, file_format=detected, sha256=digest
        )
        writer = PairWriter(study=study, default_split=split, file_name=path.name)
        for batch in in_batches(pairs_alone(formats.read_pairs(path, format=detected), report)):
            writer.write(batch)
        writer.finish()
        if strict and report.excluded:
            raise InputFileError([_excluded_as_problem(report)], more=report.n_excluded - 1)
        report.rows_kept = writer.written + writer.already_there
        report.save()
        audit.record(
            study=study, actor=actor, action="pairs.imported", subject=path.name, into=split, kept=report.rows_kept
        )
        return report


@contextmanager
def storage_that_may_fail(path: Path) -> Iterator[None]:
    """Turn a full disk, a lost database and a value it cannot keep into errors a user can act on."""
    try:
        yield
    except DataError as error:
        first = str(error).splitlines()[0]
        problem = Problem(path.name, None, "row", f"holds a value the database cannot keep: {first}.", "Change it.")
        raise InputFileError([problem]) from error
    except (OperationalError, sqlite3.OperationalError, OSError) as error:
        message = f"{path.name}: storing it failed, and nothing of it was stored ({str(error).splitlines()[0]})."
        raise TiebreakError(message, code="storage", permanent=False) from error


def _excluded_as_problem(report: ImportReport) -> Problem:
    first = report.excluded[0]
    remedy = "Remove it, or import without --strict."
    return Problem(report.file_name, first["row"], first["item_id"], first["reason"], remedy)
