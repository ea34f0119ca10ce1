"""Taking a verdicts file in: all of it or nothing, as judges that are replayed and never asked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.errors import Problem
from annotation.models import ImportReport, Pair, Study, User
from annotation.records import Oddity
from annotation.steps import audit
from annotation.steps.import_notes import note
from annotation.steps.ingest import file_digest
from judging import bulk
from judging.enums import ComparisonState, ProviderKind, RunState, VerdictSource
from judging.formats.verdicts import read_verdicts
from judging.models import Comparison, Condition, Judge, Reading, Run, RunComparison, Verdict
from judging.prices import NANO
from judging.records import VerdictRecord
from judging.runner.record import READING_COLUMNS, VERDICT_COLUMNS
from judging.sides import winner_number
from judging.steps.verdict_rows import VerdictRow, checked_rows, refuse

#: What a condition has besides its judge, in the file's own words.
ConditionKey = tuple[str, str, str, str, str, str, str, str]
Identity = tuple[int, int, int, int, str]


@transaction.atomic
def import_verdicts(
    *, study: Study, path: Path, run_name: str = "", actor: User | None = None
) -> tuple[Run, ImportReport]:
    """Read ``path`` into a finished run of its own. Raises InputFileError; then nothing is stored.

    Every pair must be in the study. A judge of the file becomes one of the kind ``replay``; words of the file (levels,
    probes, an empty protocol version) are kept as they stand. The same file is not read again.
    """
    digest = file_digest(path)
    known = ImportReport.objects.filter(study=study, kind="verdicts", sha256=digest).first()
    if known is not None:
        return Run.objects.get(study=study, name=known.into), known
    name = run_name or f"{path.name[:100]} {digest[:8]}"
    report = ImportReport(
        study=study, kind="verdicts", into=name, file_name=path.name, file_format="verdicts", sha256=digest
    )
    rows = checked_rows(_read(path, report), study=study, file_name=path.name)
    _check_names(study, rows, run_name=name, file_name=path.name)
    conditions = _conditions(study, rows)
    identities = [_identity(row, conditions) for row in rows]
    comparisons = _comparisons(identities, rows, file_name=path.name)
    _store(rows, identities, comparisons)
    run = _run(study, name, rows, comparisons.values(), file_name=path.name, actor=actor)
    report.rows_kept = len(rows)
    report.save()
    audit.record(study=study, actor=actor, action="verdicts.imported", subject=path.name, into=name, kept=len(rows))
    return run, report


def _read(path: Path, report: ImportReport) -> list[VerdictRecord]:
    records = []
    for record in read_verdicts(path):
        if isinstance(record, Oddity):
            note(report, record)
        else:
            records.append(record)
    report.rows_read = len(records)
    return records


def _check_names(study: Study, rows: Sequence[VerdictRow], *, run_name: str, file_name: str) -> None:
    problems = []
    if len(run_name) > 120 or Run.objects.filter(study=study, name=run_name).exists():
        problems.append(
            Problem(file_name, None, "run", f"The name {run_name!r} is taken or too long.", "Give another.")
        )
    names = {row.record.judge for row in rows}
    asked = Judge.objects.filter(study=study, name__in=names).exclude(provider=ProviderKind.REPLAY)
    for name in sorted(asked.values_list("name", flat=True)):
        message = f"{name!r} is a judge this study asks itself; a file's verdicts must not be taken for its answers."
        problems.append(Problem(file_name, None, "judge", message, "Rename it in the file, or use another study."))
    refuse(problems)


def _conditions(study: Study, rows: Sequence[VerdictRow]) -> dict[ConditionKey, Condition]:
    judges: dict[str, Judge] = {}
    conditions: dict[ConditionKey, Condition] = {}
    for key in dict.fromkeys(_condition_key(row.record) for row in rows):
        name, protocol, version, level, paraphrase, probe, attack, attacked_role = key
        if name not in judges:
            identity = json.dumps({"provider": ProviderKind.REPLAY.value, "model": name}, sort_keys=True)
            judges[name], _ = Judge.objects.get_or_create(
                study=study,
                name=name,
                defaults={
                    "provider": ProviderKind.REPLAY,
                    "model": name,
                    "config_hash": hashlib.sha256(identity.encode()).hexdigest(),
                },
            )
        conditions[key], _ = Condition.objects.get_or_create(
            judge=judges[name],
            protocol=protocol,
            protocol_version=version,
            level=level,
            paraphrase=paraphrase,
            probe=probe,
            attack=attack,
            attacked_role=attacked_role,
            seed="",
            options="",
            wave="",
        )
    for condition in conditions.values():
        condition.verdict_version += 1
        condition.save(update_fields=["verdict_version"])
    return conditions


def _condition_key(record: VerdictRecord) -> ConditionKey:
    return (
        record.judge,
        record.protocol,
        record.protocol_version,
        record.level,
        record.paraphrase,
        record.probe,
        record.attack,
        record.attacked_role,
    )


def _identity(row: VerdictRow, conditions: Mapping[ConditionKey, Condition]) -> Identity:
    record = row.record
    return conditions[_condition_key(record)].pk, row.pair_pk, row.order, record.repeat, record.cue_favours


def _comparisons(identities: Sequence[Identity], rows: Sequence[VerdictRow], *, file_name: str) -> dict[Identity, int]:
    """Ids of the file's comparisons, made where they are new. Refuses verdicts of comparisons that have one."""
    columns = ("condition_id", "pair_id", "order", "repeat", "cue_favours", "state", "claimed_by", "error_code")
    state = ComparisonState.DONE.value
    fresh = [(*identity, state, "", "") for identity in dict.fromkeys(identities)]
    bulk.insert(Comparison, columns, fresh, ignore_conflicts=True)
    wanted = {identity[0] for identity in identities}
    ids: dict[Identity, int] = {}
    stored = Comparison.objects.filter(condition__in=wanted).order_by()
    for pk, *identity in stored.values_list(
        "pk", "condition_id", "pair_id", "order", "repeat", "cue_favours"
    ).iterator():
        ids[tuple(identity)] = pk  # type: ignore[index]
    there = set(
        Verdict.objects.filter(condition__in=wanted).order_by().values_list("comparison_id", "phase").iterator()
    )
    message = "is a comparison this study already has a verdict for."
    refuse(
        [
            Problem(file_name, row.record.row, "pair_id", message, "Number repeats, or leave the row out.")
            for row, identity in zip(rows, identities, strict=True)
            if (ids[identity], row.record.phase) in there
        ]
    )
    return {identity: ids[identity] for identity in identities}


def _store(rows: Sequence[VerdictRow], identities: Sequence[Identity], comparisons: Mapping[Identity, int]) -> None:
    by_place = {
        (comparisons[identity], row.record.phase): (row, identity)
        for row, identity in zip(rows, identities, strict=True)
    }
    now = bulk.moment(timezone.now())
    written = bulk.insert(
        Reading,
        READING_COLUMNS,
        (_reading(comparison_id, row, now) for (comparison_id, _), (row, _) in by_place.items()),
        returning=("id", "comparison_id", "phase"),
    )
    verdicts = (
        (reading_id, comparison_id, *_verdict(*by_place[comparison_id, phase]))
        for reading_id, comparison_id, phase in written
    )
    bulk.insert(Verdict, VERDICT_COLUMNS, verdicts)


def _reading(comparison_id: int, row: VerdictRow, now: Any) -> tuple[Any, ...]:
    """Values for ``READING_COLUMNS``."""
    record = row.record
    return (
        comparison_id,
        record.phase,
        1,
        "",
        record.outcome,
        record.winner,
        record.reason,
        False,
        "",
        bulk.json_text(dict(record.cue)),
        record.model_returned,
        record.snapshot,
        bulk.moment(row.called_at),
        now,
        record.rationale,
        bulk.json_text({role: dict(scores) for role, scores in record.scores.items()}),
        "{}",
    )


def _verdict(row: VerdictRow, identity: Identity) -> tuple[Any, ...]:
    """Values for ``VERDICT_COLUMNS`` after the reading's and the comparison's ids."""
    record = row.record
    condition_id, pair_pk, order, repeat, _ = identity
    return (
        record.phase,
        condition_id,
        pair_pk,
        order,
        repeat,
        record.outcome,
        winner_number(record.winner, order=order),
        "Tie" in record.offered if record.offered else None,
        record.source or VerdictSource.REPLAY.value,
        False,
        record.n_calls,
        record.prompt_tokens,
        record.completion_tokens,
        None if record.usd is None else round(record.usd * NANO),
        None if record.latency_ms is None else round(record.latency_ms),
    )


def _run(
    study: Study,
    name: str,
    rows: Sequence[VerdictRow],
    comparisons: Iterable[int],
    *,
    file_name: str,
    actor: User | None,
) -> Run:
    now = timezone.now()
    places = dict(Pair.objects.filter(study=study).order_by().values_list("pk", "split_id"))
    splits = {places[row.pair_pk] for row in rows}
    run = Run.objects.create(
        study=study,
        split_id=splits.pop() if len(splits) == 1 else None,
        name=name,
        state=RunState.DONE,
        plan={"format": 1, "imported_from": file_name, "comparisons": len(set(comparisons))},
        by=actor,
        started_at=now,
        finished_at=now,
    )
    bulk.insert(RunComparison, ("run_id", "comparison_id"), ((run.pk, pk) for pk in sorted(set(comparisons))))
    return run
