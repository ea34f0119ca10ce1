"""From what the engine read to rows: the reading kept for good, and the narrow verdict in roles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.utils import timezone

from judging import bulk
from judging.enums import ComparisonState, Outcome, Phase
from judging.models import Reading, Verdict
from judging.protocols.comparison import Done, PhaseReading
from judging.protocols.stages import SIDES
from judging.runner.jobs import Answered, Job
from judging.showing import Showing

READING_COLUMNS = (
    "comparison_id", "phase", "number", "extractor_version", "outcome", "shown", "reason", "repaired", "ruling", "cue",
    "model_returned", "snapshot", "called_at", "created_at", "rationale", "scores", "record",
)  # fmt: skip
VERDICT_COLUMNS = (
    "reading_id", "comparison_id", "phase", "condition_id", "pair_id", "order", "repeat", "outcome", "winner",
    "tie_offered", "source", "ruled", "n_calls", "prompt_tokens", "completion_tokens", "usd_nano", "latency_ms",
)  # fmt: skip
#: Everything a later reading of the same comparison and phase puts in the first one's place.
_REPLACED = ("reading_id", "outcome", "winner", "tie_offered", "source", "ruled", *VERDICT_COLUMNS[12:])


def write_results(results: Sequence[tuple[Job, Done | None]]) -> set[int]:
    """Write readings, verdicts and states of finished jobs; the ids of the conditions whose verdicts changed.

    A job without a Done failed: its verdict is an error under every phase, and it can be asked again. Call it inside
    a transaction, with jobs that are still this worker's own.
    """
    rows: dict[tuple[int, str], tuple[Job, PhaseReading]] = {}
    for job, done in results:
        for reading in done.readings if done else error_readings(job):
            rows[job.comparison_id, str(reading.phase)] = (job, reading)
    now = bulk.moment(timezone.now())
    written = bulk.insert(
        Reading,
        READING_COLUMNS,
        (reading_row(job, reading, now) for job, reading in rows.values()),
        returning=("id", "comparison_id", "phase"),
    )
    verdicts = [(reading_id, *verdict_row(*rows[comparison_id, phase])) for reading_id, comparison_id, phase in written]
    fresh = [row for row in verdicts if row[2] not in rows[row[1], row[2]][0].numbers]
    bulk.insert(Verdict, VERDICT_COLUMNS, fresh)
    _replace([row for row in verdicts if row[2] in rows[row[1], row[2]][0].numbers])
    _settle(results)
    return {job.asked.condition.pk for job, _ in results}


def error_readings(job: Job) -> tuple[PhaseReading, ...]:
    protocol = job.asked.protocol
    return tuple(
        PhaseReading(phase=phase, outcome=Outcome.ERROR, reason=job.error[:60], offered=protocol.offers)
        for phase in protocol.phases(job.showing.shown.probe)
    )


def reading_row(job: Job, reading: PhaseReading, now: Any) -> tuple[Any, ...]:
    """Values for ``READING_COLUMNS``."""
    phase = str(reading.phase)
    last = _last(job, phase)
    return (
        job.comparison_id,
        phase,
        job.numbers.get(phase, 0) + 1,
        reading.extractor_version,
        str(reading.outcome),
        reading.shown,
        reading.reason[:60],
        reading.repaired,
        "",
        bulk.json_text(job.showing.revealed if phase == Phase.AFTER else job.showing.cue),
        last.model_returned if last else "",
        last.snapshot if last else "",
        bulk.moment(last.called_at if last else None),
        now,
        bulk.plain_text(reading.rationale),
        bulk.json_text(scores_by_role(reading.scores, job.showing)),
        bulk.json_text(record_of(reading)),
    )


def scores_by_role(scores: Mapping[str, Mapping[str, float]], showing: Showing) -> dict[str, Any]:
    """{role: {criterion: n}}; what is not scored by side stays under its own name."""
    if set(scores) != set(SIDES):
        return {name: dict(values) for name, values in scores.items()}
    return {showing.roles[showing.role_number(side) - 1]: dict(scores[side]) for side in SIDES}


def record_of(reading: PhaseReading) -> dict[str, Any]:
    """What every stage wrote, by stage, in screen terms; and beside it what the engine found out about it."""
    if not reading.record and not reading.stage:
        return {}
    kept: dict[str, Any] = {"stages": dict(reading.record)}
    if reading.stage:
        kept["stopped_at"] = reading.stage
    if reading.scanned:
        kept["leaks"] = [asdict(leak) for leak in reading.leaks]
    if reading.computed:
        kept |= {"stated": reading.stated, "computed": reading.computed, "mismatch": reading.mismatch}
    return kept


def verdict_row(job: Job, reading: PhaseReading) -> tuple[Any, ...]:
    """Values for ``VERDICT_COLUMNS`` after the reading's id. A phase bears the cost of the calls made in it."""
    phase = str(reading.phase)
    answers = [answer for key, answer in job.answers.items() if key.phase == phase]
    offered = reading.offered or job.asked.protocol.offers
    return (
        job.comparison_id,
        phase,
        job.asked.condition.pk,
        job.pair_id,
        job.order,
        job.repeat,
        str(reading.outcome),
        job.showing.role_number(reading.shown) if reading.shown else None,
        "Tie" in offered if offered else None,
        job.asked.provider.source.value,
        False,
        len(answers),
        _sum([answer.prompt_tokens for answer in answers]),
        _sum([answer.completion_tokens for answer in answers]),
        _sum([answer.usd_nano for answer in answers]),
        _sum([answer.latency_ms for answer in answers]),
    )


def _last(job: Job, phase: str) -> Answered | None:
    return next((answer for key, answer in reversed(job.answers.items()) if key.phase == phase), None)


def _sum(values: Sequence[int | None]) -> int | None:
    """Unknown where any part is unknown."""
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _replace(rows: Sequence[tuple[Any, ...]]) -> None:
    places = [VERDICT_COLUMNS.index(column) for column in ("comparison_id", "phase", *_REPLACED)]
    bulk.update(Verdict, ("comparison_id", "phase"), _REPLACED, [[row[place] for place in places] for row in rows])


def _settle(results: Sequence[tuple[Job, Done | None]]) -> None:
    ended: dict[tuple[str, str], list[int]] = {}
    for job, done in results:
        end = (ComparisonState.FAILED.value, job.error[:60]) if done is None else (ComparisonState.DONE.value, "")
        ended.setdefault(end, []).append(job.comparison_id)
    for end, ids in ended.items():
        bulk.execute_in(
            "UPDATE judging_comparison SET state = %s, error_code = %s, claimed_by = '', claimed_until = NULL"
            " WHERE id IN ({in})",
            ids,
            before=end,
        )
