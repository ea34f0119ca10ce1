"""Writing pairs into a study's splits: known ids are checked, places counted on, parts of a partition kept apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.db import IntegrityError, reset_queries
from django.db.models import Max

from annotation.errors import InputFileError
from annotation.formats.problems import ProblemLog
from annotation.models import Pair, Split, Study
from annotation.records import PairRecord
from annotation.steps.pair_storage import LIMITS, row_of, store

#: A batch ends with whichever comes first, so that long candidates do not make it heavy.
BATCH_PAIRS = 2_000
BATCH_CHARACTERS = 4_000_000
_LOOKED_UP_TOGETHER = 500
_LONGEST_SPLIT_NAME = Split._meta.get_field("name").max_length or 0


def in_batches(records: Iterable[PairRecord]) -> Iterator[list[PairRecord]]:
    """The records in lists of bounded length and bounded text."""
    batch: list[PairRecord] = []
    characters = 0
    for record in records:
        batch.append(record)
        texts = (record.task, record.context, *record.candidates)
        characters += sum(len(text) for text in texts if text)
        if len(batch) >= BATCH_PAIRS or characters >= BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


class PairWriter:
    """Writes batches of records into their splits. Make it, and call everything, inside one transaction.

    The study's row is locked, so two imports into one study take turns. ``finish`` raises InputFileError for all that
    could not be taken; whoever calls it then rolls back.
    """

    def __init__(self, *, study: Study, default_split: str, file_name: str, part: str = "") -> None:
        self.study = Study.objects.select_for_update().get(pk=study.pk)
        self.default_split = default_split
        self.part = part
        self.log = ProblemLog(file_name)
        self.splits: dict[str, Split] = {}
        self.next_place: dict[str, int] = {}
        self.written = 0
        self.already_there = 0
        # In an empty study nothing can be there already: a million look-ups are spared.
        self._nothing_there = not Pair.objects.filter(study=study).exists()

    def write(self, batch: list[PairRecord]) -> None:
        """Store what is new of the batch; note what contradicts a pair that is there or fits no column."""
        there = {} if self._nothing_there else self._known(batch)
        fresh: list[dict[str, Any]] = []
        for record in batch:
            digest = record.content_hash()
            known = there.get(record.pair_id)
            if known is None:
                row = self._row(record, digest)
                if row is not None:
                    fresh.append(row)
            elif known == digest:
                self.already_there += 1
            else:
                self.log.add(
                    None,
                    f"pair_id {record.pair_id}",
                    "this study already has a pair of that id with other content.",
                    "Pairs are never rewritten: give the new one an id of its own.",
                )
        if self.log.total:
            return  # nothing of this file will stay, so only its problems are still of interest
        try:
            store(fresh)
        except IntegrityError as error:
            self._tell(error, fresh)
        self.written += len(fresh)
        # With DEBUG on, Django keeps every statement it sent, texts and all.
        reset_queries()

    def finish(self) -> None:
        """Write the splits' roles. Raises InputFileError for everything noted, and where two parts share a cluster."""
        self.log.raise_if_any()
        for split in self.splits.values():
            if split.part:
                self._keep_apart(split)
        self.log.raise_if_any()
        Split.objects.bulk_update(self.splits.values(), ["roles"])

    def _known(self, batch: list[PairRecord]) -> dict[str, str]:
        """{pair id: content hash} of those that are there already."""
        found: dict[str, str] = {}
        for start in range(0, len(batch), _LOOKED_UP_TOGETHER):
            ids = [record.pair_id for record in batch[start : start + _LOOKED_UP_TOGETHER]]
            there = Pair.objects.filter(study=self.study, pair_id__in=ids)
            found.update(there.values_list("pair_id", "content_hash"))
        return found

    def _row(self, record: PairRecord, digest: str) -> dict[str, Any] | None:
        name = self.default_split or record.split or "default"
        if len(name) > _LONGEST_SPLIT_NAME:
            self._too_long(record, "split", len(name), _LONGEST_SPLIT_NAME)
            return None
        split = self._split(name)
        row = row_of(record, study=self.study, split=split, place=self.next_place[name], digest=digest)
        for field, limit in LIMITS.items():
            if row[field] is not None and len(row[field]) > limit:
                self._too_long(record, field, len(row[field]), limit)
                return None
        split.roles.extend(role for role in record.roles if role not in split.roles)
        self.next_place[name] += 1
        return row

    def _split(self, name: str) -> Split:
        if name not in self.splits:
            split, made = Split.objects.get_or_create(
                study=self.study, name=name, defaults={"roles": [], "part": self.part}
            )
            if self.part and not made and split.part != self.part:
                remedy = "Build the part into a split of its own."
                self.log.add(None, f"split {name}", f"is there and is not the part {self.part}.", remedy)
            last = Pair.objects.filter(split=split).aggregate(last=Max("position"))["last"]
            self.splits[name] = split
            self.next_place[name] = 0 if last is None else last + 1
        return self.splits[name]

    def _keep_apart(self, split: Split) -> None:
        others = Pair.objects.filter(study=self.study).exclude(split__part__in=["", split.part])
        shared = Pair.objects.filter(split=split, cluster__in=others.values("cluster"))
        for cluster in shared.values_list("cluster", flat=True).order_by("cluster").distinct()[:10]:
            message = f"the cluster {cluster} is in another part of this study already."
            remedy = "A cluster belongs to one part: build both with the study's partition."
            self.log.add(None, f"split {split.name}", message, remedy)

    def _too_long(self, record: PairRecord, field: str, length: int, limit: int) -> None:
        name = record.pair_id if len(record.pair_id) <= 60 else f"{record.pair_id[:60]}..."
        message = f"{field} has {length} characters; the database keeps {limit}."
        self.log.add(None, f"pair_id {name}", message, "Shorten it.")

    def _tell(self, error: IntegrityError, rows: list[dict[str, Any]]) -> None:
        """Raise what the database found wrong as a problem of the file; nothing more can be asked of it now."""
        ids = [row["pair_id"] for row in rows]
        twice = next((name for name in ids if ids.count(name) > 1), None)
        where = f"pair_id {twice}" if twice else "pair_id"
        message = "occurs twice in the file." if twice else f"the database refuses a row: {str(error).splitlines()[0]}"
        self.log.add(None, where, message, "Give every pair an id of its own.")
        raise InputFileError(self.log.problems, more=self.log.more) from error
