"""Taking a labels file in as a closed round of its own, in the annotators' own names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation import formats, schemes
from annotation.enums import AGREEMENT_KINDS, AssignmentState, LabelKind, ResolutionMethod, RoundState
from annotation.errors import InputFileError, Problem, Refused
from annotation.models import (
    Assignment,
    Guideline,
    ImportReport,
    Item,
    Label,
    Pair,
    Resolution,
    Round,
    RoundAnnotator,
    Study,
    User,
)
from annotation.records import Excluded, LabelRecord, Oddity
from annotation.schemes import Scheme, sides_to_roles
from annotation.steps import audit
from annotation.steps.adjudicate import settle_round
from annotation.steps.import_notes import note
from annotation.steps.ingest import file_digest, storage_that_may_fail

BATCH = 500
MOST_PROBLEMS = 50
_LONGEST_NAME = RoundAnnotator._meta.get_field("name").max_length or 0
_LONGEST_ROUND = Round._meta.get_field("name").max_length or 0


@dataclass
class _Given:
    """What one annotator gave one pair in one revision."""

    kind: str
    shown_as_a: str
    answers: dict[str, Any] = field(default_factory=dict)
    seconds: float | None = None
    comments: list[str] = field(default_factory=list)


def import_labels(
    *,
    study: Study,
    path: Path,
    round_name: str,
    scheme: str,
    file_format: str | None = None,
    actor: User | None = None,
) -> tuple[Round, ImportReport]:
    """Read ``path`` into a new closed round. Raises InputFileError; then nothing is stored.

    Every pair must be in the study, in one split. Labels are A / B with ``shown_as_a``, or declared categories as
    they stand. The same file into the same round is not read again.
    """
    with storage_that_may_fail(path), transaction.atomic():
        digest = file_digest(path)
        known = ImportReport.objects.filter(study=study, kind="labels", into=round_name, sha256=digest).first()
        if known is not None:
            return Round.objects.get(study=study, name=round_name), known
        if len(round_name) > _LONGEST_ROUND:
            raise Refused(f"A round's name has at most {_LONGEST_ROUND} characters.", code="bad_name")
        if Round.objects.filter(study=study, name=round_name).exists():
            raise Refused(
                f"This study already has a round called {round_name}. Import under another name.", code="round_exists"
            )
        detected = file_format or formats.detect(path)
        report = ImportReport(
            study=study, kind="labels", into=round_name, file_name=path.name, file_format=detected, sha256=digest
        )
        records = _read(path, detected, report)
        pairs = _pairs(study, {record.pair_id for record in records})
        reader = _LabelReader(scheme=schemes.load(scheme), file_name=path.name, pairs=pairs)
        for record in records:
            reader.take(record)
        reader.check()
        round_ = _store(study, round_name, reader)
        report.rows_kept = len(records)
        report.save()
        audit.record(study=study, actor=actor, action="labels.imported", subject=path.name, into=round_name)
        settle_round(round=round_, actor=actor)
        return round_, report


def _read(path: Path, file_format: str, report: ImportReport) -> list[LabelRecord]:
    records = []
    for record in formats.read_labels(path, format=file_format):
        match record:
            case LabelRecord():
                records.append(record)
            case Excluded() | Oddity():
                note(report, record)
    report.rows_read = len(records) + report.n_excluded
    return records


def _pairs(study: Study, ids: Iterable[str]) -> dict[str, Pair]:
    found: dict[str, Pair] = {}
    waiting = iter(sorted(ids))
    while chunk := list(islice(waiting, BATCH)):
        rows = Pair.objects.filter(study=study, pair_id__in=chunk).select_related("split")
        found.update({row.pair_id: row for row in rows.defer("task", "context", "candidate_1", "candidate_2")})
    return found


class _LabelReader:
    """Turns label records into answers in roles, and collects what is wrong with each row."""

    def __init__(self, *, scheme: Scheme, file_name: str, pairs: dict[str, Pair]) -> None:
        self.scheme = scheme
        self.file_name = file_name
        self.pairs = pairs
        self.problems: list[Problem] = []
        self.more = 0
        # {(pair id, annotator): {revision: what was given}}
        self.given: dict[tuple[str, str], dict[int, _Given]] = {}

    def take(self, record: LabelRecord) -> None:
        if len(record.annotator) > _LONGEST_NAME:
            message = f"has {len(record.annotator)} characters; the database keeps {_LONGEST_NAME}."
            self._wrong(record, "annotator", message, "Shorten the name.")
            return
        pair = self.pairs.get(record.pair_id)
        if pair is None:
            self._wrong(record, "pair_id", f"this study has no pair {record.pair_id!r}.", "Import the pairs first.")
            return
        name = record.question or self.scheme.primary
        if not any(question.name == name for question in self.scheme.questions):
            self._wrong(record, "question", f"scheme {self.scheme.name} asks no {name!r}.", "Name another scheme.")
            return
        revisions = self.given.setdefault((record.pair_id, record.annotator), {})
        given = revisions.setdefault(record.revision or 1, _Given(kind=record.kind, shown_as_a=record.shown_as_a))
        if given.kind != record.kind:
            self._wrong(
                record,
                "kind",
                f"{record.annotator} gives this pair both a {given.kind} and a {record.kind}.",
                "Whoever labelled a pair cannot be its independent adjudicator; use another annotator's name.",
            )
            return
        if record.shown_as_a and record.shown_as_a not in pair.roles:
            self._wrong(record, "shown_as_a", f"{record.shown_as_a!r} is no role of it.", f"Use one of {pair.roles}.")
            return
        answer = self._answer(record, name, pair)
        if answer is not None:
            given.answers[name] = answer
            given.seconds = record.seconds if given.seconds is None else given.seconds
            if record.comment and record.comment not in given.comments:
                given.comments.append(record.comment)

    def check(self) -> None:
        if self.problems:
            raise InputFileError(self.problems, more=self.more)

    def _answer(self, record: LabelRecord, name: str, pair: Pair) -> Any:
        question = self.scheme.question(name)
        if question.kind == "text":
            return record.label
        values = [record.label] if isinstance(record.label, str) else list(record.label)
        categories = [self._category(record, name, value, pair) for value in values]
        if any(category is None for category in categories):
            return None
        return categories if question.kind == "multi" else categories[0]

    def _category(self, record: LabelRecord, name: str, value: str, pair: Pair) -> str | None:
        choice = self.scheme.question(name).choice(value)
        if choice is not None and choice.side:
            if not record.shown_as_a:
                self._wrong(
                    record, "shown_as_a", f"{value} says nothing without it.", "Fill it in, or name a category."
                )
                return None
            role = sides_to_roles(pair.roles, record.shown_as_a)[choice.side]
            return choice.category_for(self.scheme.role_name(role))
        declared = self.scheme.categories(name, pair.roles)
        if value in declared:
            return value
        if choice is not None:
            return choice.category_for("")
        self._wrong(record, "label", f"{value!r} is not offered by {name}.", f"Use one of {', '.join(declared)}.")
        return None

    def _wrong(self, record: LabelRecord, field_: str, message: str, remedy: str) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(self.file_name, record.row or None, field_, message, remedy))
        else:
            self.more += 1


def _store(study: Study, name: str, reader: _LabelReader) -> Round:
    used = sorted({pair_id for pair_id, _ in reader.given}, key=lambda pair_id: reader.pairs[pair_id].position)
    splits = {reader.pairs[pair_id].split for pair_id in used}
    if len(splits) != 1:
        names = ", ".join(sorted(split.name for split in splits)) or "none"
        raise Refused(f"A round labels one split; these labels are over {names}.", code="several_splits")
    now = timezone.now()
    scheme = reader.scheme
    per_pair: dict[str, int] = dict.fromkeys(used, 0)
    for (pair_id, _), revisions in reader.given.items():
        per_pair[pair_id] += revisions[max(revisions)].kind in AGREEMENT_KINDS
    round_ = Round.objects.create(
        study=study,
        split=splits.pop(),
        name=name,
        scheme_name=scheme.name,
        scheme_version=scheme.version,
        scheme_hash=scheme.digest,
        scheme=scheme.canonical,
        state=RoundState.CLOSED,
        labels_per_pair=max(1, min(per_pair.values())),
        opened_at=now,
        closed_at=now,
    )
    Guideline.objects.create(round=round_, version=1, text="Labels imported from a file; its guideline is not here.")
    items = {pair_id: Item(round=round_, pair=reader.pairs[pair_id], position=n) for n, pair_id in enumerate(used)}
    Item.objects.bulk_create(items.values(), batch_size=BATCH)
    people = {who: RoundAnnotator(round=round_, name=who) for who in dict.fromkeys(who for _, who in reader.given)}
    RoundAnnotator.objects.bulk_create(people.values(), batch_size=BATCH)
    _store_labels(round_, reader, items, people)
    return round_


def _store_labels(
    round: Round, reader: _LabelReader, items: dict[str, Item], people: dict[str, RoundAnnotator]
) -> None:
    slots: dict[tuple[str, str], int] = {}
    positions: dict[str, int] = {}
    assignments: list[Assignment] = []
    labels: list[Label] = []
    resolutions: list[Resolution] = []
    for (pair_id, who), revisions in reader.given.items():
        newest = max(revisions)
        given = revisions[newest]
        slot = slots.get((pair_id, given.kind), 0)
        slots[(pair_id, given.kind)] = slot + 1
        positions[who] = positions.get(who, -1) + 1
        assignment = Assignment(
            item=items[pair_id],
            round=round,
            annotator=people[who],
            slot=slot,
            kind=given.kind,
            shown_as_a=given.shown_as_a,
            position=positions[who],
            state=AssignmentState.SUBMITTED,
            revision=newest,
            submitted_at=round.closed_at,
        )
        assignments.append(assignment)
        labels.extend(_label(assignment, number, each, reader.scheme) for number, each in revisions.items())
        if given.kind == LabelKind.ADJUDICATION:
            resolutions.append(
                Resolution(
                    item=items[pair_id],
                    version=1,
                    category=given.answers.get(reader.scheme.primary, ""),
                    method=ResolutionMethod.IMPORTED,
                    reason=" ".join(given.comments),
                    assignment=assignment,
                )
            )
    Assignment.objects.bulk_create(assignments, batch_size=BATCH)
    for who, person in people.items():
        person.n_assigned = person.n_submitted = positions[who] + 1
    RoundAnnotator.objects.bulk_update(people.values(), ["n_assigned", "n_submitted"], batch_size=BATCH)
    Label.objects.bulk_create(labels, batch_size=BATCH)
    Resolution.objects.bulk_create(resolutions, batch_size=BATCH)


def _label(assignment: Assignment, revision: int, given: _Given, scheme: Scheme) -> Label:
    return Label(
        assignment=assignment,
        revision=revision,
        kind=given.kind,
        client_key=f"import-{revision}",
        answers=given.answers,
        category=given.answers.get(scheme.primary, "") if scheme.primary else "",
        comment=" ".join(given.comments),
        seconds=given.seconds,
    )
