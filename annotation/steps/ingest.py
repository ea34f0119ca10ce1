"""Taking pairs files in: all of a file or nothing of it, and the same content only once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path

from django.db import transaction
from django.db.models import Max

from annotation import formats
from annotation.errors import InputFileError, Problem
from annotation.models import ImportReport, Pair, Split, Study, User
from annotation.records import Excluded, Oddity, PairRecord
from annotation.steps import audit

BATCH = 500
#: How many exclusions and oddities a report keeps by name; the counts are always whole.
KEPT_BY_NAME = 1_000


def file_digest(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@transaction.atomic
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
    """
    detected = file_format or formats.detect(path)
    digest = file_digest(path)
    known = ImportReport.objects.filter(study=study, kind="pairs", into=split, sha256=digest).first()
    if known is not None:
        return known
    report = ImportReport(
        study=study, kind="pairs", into=split, file_name=path.name, file_format=detected, sha256=digest
    )
    writer = _PairWriter(study=study, default_split=split, file_name=path.name)
    for batch in _batches(_noted(formats.read_pairs(path, format=detected), report)):
        writer.write(batch)
    writer.finish()
    if strict and report.excluded:
        first = report.excluded[0]
        raise InputFileError(
            [
                Problem(
                    path.name, first["row"], first["item_id"], first["reason"], "Remove it, or import without --strict."
                )
            ]
        )
    report.rows_kept = writer.written + writer.already_there
    report.save()
    audit.record(
        study=study, actor=actor, action="pairs.imported", subject=path.name, into=split, kept=report.rows_kept
    )
    return report


def _noted(records: Iterator[PairRecord | Excluded | Oddity], report: ImportReport) -> Iterator[PairRecord]:
    """The pairs alone; exclusions and oddities go into the report."""
    for record in records:
        match record:
            case PairRecord():
                report.rows_read += 1
                yield record
            case Excluded():
                report.rows_read += 1
                if len(report.excluded) < KEPT_BY_NAME:
                    report.excluded.append(asdict(record))
            case Oddity():
                if len(report.oddities) < KEPT_BY_NAME:
                    report.oddities.append(asdict(record))


def _batches(records: Iterator[PairRecord]) -> Iterator[list[PairRecord]]:
    while batch := list(islice(records, BATCH)):
        yield batch


class _PairWriter:
    """Writes batches of records into their splits, and remembers the splits' roles and next places."""

    def __init__(self, *, study: Study, default_split: str, file_name: str) -> None:
        self.study = study
        self.default_split = default_split
        self.file_name = file_name
        self.splits: dict[str, Split] = {}
        self.next_place: dict[str, int] = {}
        self.problems: list[Problem] = []
        self.written = 0
        self.already_there = 0

    def write(self, batch: list[PairRecord]) -> None:
        there = dict(
            Pair.objects.filter(study=self.study, pair_id__in=[record.pair_id for record in batch]).values_list(
                "pair_id", "content_hash"
            )
        )
        fresh = []
        for record in batch:
            digest = record.content_hash()
            if record.pair_id not in there:
                fresh.append(self._pair(record, digest))
            elif there[record.pair_id] == digest:
                self.already_there += 1
            elif len(self.problems) < 50:
                self.problems.append(
                    Problem(
                        self.file_name,
                        None,
                        f"pair_id {record.pair_id}",
                        "this study already has a pair of that id with other content.",
                        "Pairs are never rewritten: give the new one an id of its own.",
                    )
                )
        Pair.objects.bulk_create(fresh)
        self.written += len(fresh)

    def finish(self) -> None:
        if self.problems:
            raise InputFileError(self.problems)
        Split.objects.bulk_update(self.splits.values(), ["roles"])

    def _pair(self, record: PairRecord, digest: str) -> Pair:
        split = self._split(self.default_split or record.split or "default")
        split.roles.extend(role for role in record.roles if role not in split.roles)
        place = self.next_place[split.name]
        self.next_place[split.name] += 1
        return Pair(
            study=self.study,
            split=split,
            pair_id=record.pair_id,
            position=place,
            task=record.task,
            context=record.context,
            role_1=record.roles[0],
            role_2=record.roles[1],
            candidate_1=record.candidates[0],
            candidate_2=record.candidates[1],
            tier=record.tier,
            target=record.target,
            cluster=record.cluster or record.pair_id,
            artifact_kind=record.artifact_kind,
            artifact_role=record.artifact_role,
            domain=record.domain,
            source_dataset=record.source_dataset,
            source_id=record.source_id,
            source_licence=record.source_licence,
            meta=dict(record.meta),
            content_hash=digest,
        )

    def _split(self, name: str) -> Split:
        if name not in self.splits:
            split, _ = Split.objects.get_or_create(study=self.study, name=name, defaults={"roles": []})
            last = Pair.objects.filter(split=split).aggregate(last=Max("position"))["last"]
            self.splits[name] = split
            self.next_place[name] = 0 if last is None else last + 1
        return self.splits[name]
