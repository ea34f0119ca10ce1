"""Reading stored replies again under today's extractor, without paying: the difference, and on request the change."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import F

from annotation.errors import Refused
from annotation.models import Pair, Study, User
from annotation.steps import audit
from judging.audited import audited_id, reasoning_of
from judging.bulk import chunks
from judging.enums import AttemptState, ComparisonState, ProviderKind
from judging.errors import UnknownProtocol
from judging.extractor import EXTRACTOR_VERSION
from judging.models import Attempt, CallUse, Comparison, Condition, Reading, Run, Verdict
from judging.protocols.comparison import Done, ReplyKey
from judging.runner.jobs import Asked, Job
from judging.runner.loading import asked_of
from judging.runner.record import READING_COLUMNS, reading_row, write_results
from judging.runner.stored import answered_of
from judging.showing import show

BATCH = 500
#: What makes a reading another one; where only its version differs the old one stands.
_TELLING = ("outcome", "shown", "reason", "repaired", "rationale", "scores", "record")
_AS_JSON = ("scores", "record")


@dataclass(frozen=True, slots=True)
class Change:
    """A phase of a comparison that reads differently now; ``before`` and ``after`` are (outcome, shown, reason)."""

    comparison_id: int
    pair_id: str
    judge: str
    phase: str
    before: tuple[str, str, str]
    after: tuple[str, str, str]
    fields: tuple[str, ...]


@dataclass(slots=True)
class ReparseReport:
    """``ruled`` were left to the person who ruled; ``unasked`` would need a call that was never made."""

    read: int = 0
    unchanged: int = 0
    changes: list[Change] = field(default_factory=list)
    ruled: int = 0
    unasked: int = 0
    unreadable: list[str] = field(default_factory=list)
    applied: bool = False


def reparse(*, study: Study, run: Run | None = None, apply: bool = False, actor: User | None = None) -> ReparseReport:
    """Read every stored reply of the study (or of one run) again; with ``apply`` new readings come into force.

    Old readings stay. Replayed judges have no replies to read. Conditions whose protocol version can no longer be run
    are named in ``unreadable``.
    """
    report = ReparseReport(applied=apply)
    conditions = Condition.objects.filter(judge__study=study).exclude(judge__provider=ProviderKind.REPLAY)
    if run is not None:
        conditions = conditions.filter(comparisons__wanted_by__run=run).distinct()
    for condition in conditions.select_related("judge").order_by("pk"):
        try:
            asked = asked_of(condition)
        except (UnknownProtocol, Refused) as error:
            report.unreadable.append(f"{condition}: {error.message}")
            continue
        wanted = Comparison.objects.filter(condition=condition, state=ComparisonState.DONE)
        if run is not None:
            wanted = wanted.filter(wanted_by__run=run)
        for ids in chunks(list(wanted.order_by("pk").values_list("pk", flat=True)), BATCH):
            _read_again(ids, asked, report, apply=apply)
    if apply:
        audit.record(
            study=study, actor=actor, action="replies.reparsed", subject=run.name if run else study.slug,
            changed=len(report.changes), extractor_version=EXTRACTOR_VERSION,
        )  # fmt: skip
    return report


@transaction.atomic
def _read_again(ids: Sequence[int], asked: Asked, report: ReparseReport, *, apply: bool) -> None:
    changed: list[tuple[Job, Done | None]] = []
    ruled = set(Verdict.objects.filter(comparison__in=ids, ruled=True).values_list("comparison_id", flat=True))
    report.ruled += len(ruled)
    stored = _readings(ids)
    for job, pair_id in _jobs([pk for pk in ids if pk not in ruled], asked):
        report.read += 1
        step = job.step()
        if not isinstance(step, Done):
            report.unasked += 1
            continue
        changes = list(_changes(job, step, pair_id, stored))
        report.changes += changes
        report.unchanged += not changes
        if changes:
            changed.append((job, step))
    if apply and changed:
        write_results(changed)
        Condition.objects.filter(pk=asked.condition.pk).update(verdict_version=F("verdict_version") + 1)


def _readings(ids: Sequence[int]) -> dict[tuple[int, str], Reading]:
    """The readings in force, by comparison and phase."""
    verdicts = Verdict.objects.filter(comparison__in=ids).select_related("reading")
    return {(verdict.comparison_id, verdict.phase): verdict.reading for verdict in verdicts}


def _jobs(ids: Sequence[int], asked: Asked) -> Iterator[tuple[Job, str]]:
    """Jobs that hold every reply their comparison has."""
    comparisons = Comparison.objects.in_bulk(ids)
    pairs = Pair.objects.in_bulk({each.pair_id for each in comparisons.values()})
    uses = list(CallUse.objects.filter(comparison__in=ids).order_by("pk"))
    answered = {
        attempt.call_id: attempt
        for attempt in Attempt.objects.filter(call__in={use.call_id for use in uses}, state=AttemptState.OK)
        .select_related("reply")
        .order_by()
    }
    numbers: dict[int, dict[str, int]] = {}
    for pk, phase, number in (
        Reading.objects.filter(comparison__in=ids).order_by("number").values_list("comparison_id", "phase", "number")
    ):
        numbers.setdefault(pk, {})[phase] = number
    checked = audited_id(asked.condition)
    audited = {} if checked is None else reasoning_of(checked, pairs=pairs)
    jobs = {}
    for pk, row in comparisons.items():
        showing = show(
            pair=pairs[row.pair_id],
            condition=asked.condition,
            order=row.order,
            repeat=row.repeat,
            cue_favours=row.cue_favours,
            audited=audited.get((row.pair_id, row.order, row.repeat), ""),
        )
        jobs[pk] = Job(
            comparison_id=pk,
            pair_id=row.pair_id,
            order=row.order,
            repeat=row.repeat,
            asked=asked,
            showing=showing,
            numbers=numbers.get(pk, {}),
        )
    for use in uses:
        if use.call_id in answered:
            jobs[use.comparison_id].take(ReplyKey(use.phase, use.stage), answered_of(answered[use.call_id], asked))
    for pk, job in jobs.items():
        yield job, pairs[comparisons[pk].pair_id].pair_id


def _changes(job: Job, done: Done, pair_id: str, stored: dict[tuple[int, str], Reading]) -> Iterator[Change]:
    for reading in done.readings:
        now = dict(zip(READING_COLUMNS, reading_row(job, reading, None), strict=True))
        now |= {name: json.loads(now[name]) for name in _AS_JSON}
        old = stored.get((job.comparison_id, str(reading.phase)))
        differing = tuple(name for name in _TELLING if old is None or getattr(old, name) != now[name])
        if differing:
            yield Change(
                comparison_id=job.comparison_id,
                pair_id=pair_id,
                judge=job.asked.condition.judge.name,
                phase=str(reading.phase),
                before=(old.outcome, old.shown, old.reason) if old else ("", "", ""),
                after=(now["outcome"], now["shown"], now["reason"]),
                fields=differing,
            )
