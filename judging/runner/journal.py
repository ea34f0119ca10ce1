"""The one transaction of a block: outcomes and verdicts in, new attempts out, money counted.

Everything a worker has to say to the database about a block goes through ``commit``, so that a kill at any moment
leaves either all of a block or nothing of it.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db import OperationalError, transaction
from django.db.models import F
from django.utils import timezone

from judging import bulk
from judging.enums import AttemptState, RunState
from judging.models import Attempt, Call, CallUse, Condition, Payload, Run
from judging.protocols.comparison import Done
from judging.runner import claims, limits
from judging.runner.jobs import Answered, Attempted, Flight, Job
from judging.runner.record import write_results
from judging.runner.spending import Spend, charge, most, used
from judging.runner.stored import answered_of

ATTEMPT_COLUMNS = (
    "call_id", "number", "run_id", "state", "worker", "request_id", "started_at", "finished_at", "http_status",
    "error_code", "error_detail", "reply_id", "finish_reason", "model_returned", "snapshot", "prompt_tokens",
    "completion_tokens", "usd_nano", "usage_reported", "latency_ms", "response_metadata",
)  # fmt: skip
_ENDED = (
    "state", "request_id", "finished_at", "http_status", "error_code", "error_detail", "reply_id", "finish_reason",
    "model_returned", "snapshot", "prompt_tokens", "completion_tokens", "usd_nano", "usage_reported", "latency_ms",
    "response_metadata",
)  # fmt: skip


@dataclass(slots=True)
class Block:
    """What happened since the last commit, and what should be sent next."""

    ended: list[tuple[Flight, Attempted]] = field(default_factory=list)
    uses: list[tuple[int, str, str, int]] = field(default_factory=list)
    finished: list[tuple[Job, Done | None]] = field(default_factory=list)
    wanted: list[Flight] = field(default_factory=list)
    pauses: list[tuple[str, dt.datetime]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.ended or self.uses or self.finished or self.wanted)


class HoldLost(Exception):
    """This worker slept past its lease and others took over what it held. Nothing of the block was written."""


@dataclass(slots=True)
class Journalled:
    """What became of the wanted flights, and how the run stands.

    ``cleared`` may be sent now; ``found`` were answered before; ``busy`` are in flight elsewhere; ``held`` have to
    wait for their rate limit, until ``held_until``; ``unpaid`` do not fit the budget, for ``over_budget``.
    """

    state: str
    cleared: list[Flight] = field(default_factory=list)
    found: list[tuple[Flight, Answered]] = field(default_factory=list)
    busy: list[Flight] = field(default_factory=list)
    held: list[Flight] = field(default_factory=list)
    held_until: dt.datetime | None = None
    unpaid: list[Flight] = field(default_factory=list)
    over_budget: str = ""
    spent: Spend = field(default_factory=Spend)


def commit(block: Block, *, run_id: int, worker: str) -> Journalled:
    """Write a block down and clear the next flights, in one transaction. Raises HoldLost."""
    for patience in (0.1, 0.5, 2.0):
        try:
            return _commit(block, run_id=run_id, worker=worker)
        except OperationalError:
            # A deadlock or a lock that was waited for in vain; whatever was numbered in the attempt is void.
            time.sleep(patience)
        for flight in block.wanted:
            flight.call_id = 0
    return _commit(block, run_id=run_id, worker=worker)


@transaction.atomic
def _commit(block: Block, *, run_id: int, worker: str) -> Journalled:
    # The run's row is locked for the block: its money is counted by one worker at a time.
    run = Run.objects.select_for_update().get(pk=run_id)
    finished = {job.comparison_id for job, _ in block.finished}
    if claims.still_held(finished, worker=worker) != finished:
        raise HoldLost
    spent = Spend.of(run) + _end_attempts(block.ended, worker=worker)
    uses = sorted(set(block.uses))
    bulk.insert(CallUse, ("comparison_id", "stage", "phase", "call_id"), uses, ignore_conflicts=True)
    for pk in sorted(write_results(block.finished)):
        Condition.objects.filter(pk=pk).update(verdict_version=F("verdict_version") + 1)
    for bucket, until in block.pauses:
        limits.pause(bucket, until=until)
    result = Journalled(state=run.state)
    if block.wanted and run.state == RunState.RUNNING:
        spent = _clear(block.wanted, run=run, worker=worker, spent=spent, result=result)
    else:
        result.unpaid = list(block.wanted)
    result.spent = spent
    if spent != Spend.of(run):
        spent.store(run)
    return result


def _end_attempts(ended: Sequence[tuple[Flight, Attempted]], *, worker: str) -> Spend:
    """Write outcomes to this worker's attempts; what that changes in the money spent. Raises HoldLost."""
    if not ended:
        return Spend()
    ids = [flight.call_id for flight, _ in ended]
    sql = "SELECT call_id, number FROM judging_attempt WHERE worker = %s AND state = %s AND call_id IN ({in})"
    open_ones = set(bulk.select_in(sql, ids, before=[worker, AttemptState.IN_FLIGHT.value]))
    if any((flight.call_id, flight.number) not in open_ones for flight, _ in ended):
        raise HoldLost
    replies = _store_payloads(end.reply for _, end in ended)
    sent = _store_payloads(end.sent for _, end in ended)
    bulk.update(
        Attempt,
        ("call_id", "number"),
        _ENDED,
        [
            (flight.call_id, flight.number, *_end_values(flight, end, replies=replies, sent=sent))
            for flight, end in ended
        ],
    )
    change = Spend()
    for flight, end in ended:
        change += used(flight, end) - most(flight)
    return change


def _end_values(
    flight: Flight, end: Attempted, *, replies: dict[bytes, str], sent: dict[bytes, str]
) -> tuple[object, ...]:
    """Values for ``_ENDED``."""
    prompt, completion, usd_nano = charge(flight, end)
    return (
        end.state,
        sent[end.sent] if end.sent is not None else None,
        bulk.moment(end.finished_at),
        end.http_status,
        end.error_code[:60],
        bulk.plain_text(end.error_detail),
        replies[end.reply] if end.reply is not None else None,
        bulk.plain_text(end.finish_reason),
        bulk.plain_text(end.model_returned),
        bulk.plain_text(end.snapshot),
        prompt,
        completion,
        usd_nano,
        end.prompt_tokens is not None and end.completion_tokens is not None,
        end.latency_ms,
        bulk.json_text(end.metadata),
    )


def _store_payloads(bodies: Iterable[bytes | None]) -> dict[bytes, str]:
    """Hashes by body; bodies that are there already are left alone."""
    hashes = {body: hashlib.sha256(body).hexdigest() for body in bodies if body is not None}
    rows = sorted({(digest, body) for body, digest in hashes.items()})
    bulk.insert(Payload, ("sha256", "body"), rows, ignore_conflicts=True)
    return hashes


def _clear(wanted: list[Flight], *, run: Run, worker: str, spent: Spend, result: Journalled) -> Spend:
    """Sort the wanted flights into what was answered, what is busy, what must wait, and what is sent now."""
    numbers = _look_up(wanted, result=result, now=timezone.now())
    taken = {id(flight) for flight, _ in result.found} | {id(flight) for flight in result.busy}
    fresh = [flight for flight in wanted if id(flight) not in taken]
    fresh = limits.admit(fresh, result=result)
    affordable: list[Flight] = []
    for flight in fresh:
        reason = (spent + most(flight)).over(run)
        if reason:
            result.unpaid.append(flight)
            result.over_budget = reason
        else:
            spent += most(flight)
            affordable.append(flight)
    cleared = _write_attempts(affordable, numbers, run=run, worker=worker, result=result)
    for flight in affordable:
        if id(flight) not in cleared:
            spent -= most(flight)
    return spent


def _look_up(wanted: Sequence[Flight], *, result: Journalled, now: dt.datetime) -> dict[str, int]:
    """Find stored calls by key. Returns the last attempt's number by key, for calls that may be tried again."""
    by_key = {flight.key: flight for flight in wanted}
    keys = sorted(by_key)
    for call_id, key in bulk.select_in("SELECT id, key FROM judging_call WHERE key IN ({in})", keys):
        by_key[key].call_id = call_id
    by_call = {flight.call_id: flight for flight in wanted if flight.call_id}
    numbers: dict[str, int] = {}
    in_flight: dict[int, str] = {}
    answered: list[int] = []
    sql = "SELECT call_id, number, state, worker FROM judging_attempt WHERE call_id IN ({in}) ORDER BY call_id, number"
    for call_id, number, state, worker in bulk.select_in(sql, sorted(by_call)):
        numbers[by_call[call_id].key] = number
        if state == AttemptState.OK:
            answered.append(call_id)
        elif state == AttemptState.IN_FLIGHT:
            in_flight[call_id] = worker
    stale = claims.stale_workers(in_flight.values(), now=now) if in_flight else set()
    lost = [call_id for call_id, worker in in_flight.items() if worker in stale]
    if lost:
        Attempt.objects.filter(call__in=lost, state=AttemptState.IN_FLIGHT).update(**claims.lost_values(now))
    result.busy += [by_call[call_id] for call_id, worker in in_flight.items() if worker not in stale]
    result.found += stored_answers(answered, by_call)
    return numbers


def stored_answers(call_ids: Sequence[int], by_call: dict[int, Flight]) -> list[tuple[Flight, Answered]]:
    """The stored replies of answered calls, read as their provider reads them."""
    found = []
    attempts = Attempt.objects.filter(call__in=call_ids, state=AttemptState.OK).select_related("reply").order_by()
    for attempt in attempts:
        flight = by_call[attempt.call_id]
        found.append((flight, answered_of(attempt, flight.asked)))
    return found


def _write_attempts(
    flights: Sequence[Flight], numbers: dict[str, int], *, run: Run, worker: str, result: Journalled
) -> set[int]:
    """Write calls and attempts; the ids (in memory) of the flights whose attempt was written."""
    if not flights:
        return set()
    now = timezone.now()
    fresh = [flight for flight in flights if not flight.call_id]
    bulk.insert(
        Payload,
        ("sha256", "body"),
        sorted({(flight.payload_sha, flight.payload) for flight in fresh}),
        ignore_conflicts=True,
    )
    moment = bulk.moment(now)
    rows = sorted((run.study_id, flight.key, flight.payload_sha, moment) for flight in fresh)
    columns = ("study_id", "key", "request_id", "created_at")
    made = bulk.insert(Call, columns, rows, ignore_conflicts=True, returning=("key", "id"))
    ids = dict(made)
    for flight in fresh:
        flight.call_id = ids.get(flight.key, 0)
    attempts = []
    replies = _store_payloads(flight.instant.reply for flight in flights if flight.instant)
    for flight in sorted(flights, key=lambda flight: flight.call_id):
        if flight.call_id:
            flight.number = numbers.get(flight.key, 0) + 1
            flight.started_at = now
            attempts.append(_attempt_row(flight, run=run, worker=worker, moment=moment, replies=replies))
    written = bulk.insert(Attempt, ATTEMPT_COLUMNS, attempts, ignore_conflicts=True, returning=("call_id",))
    in_flight = {call_id for (call_id,) in written}
    cleared = [flight for flight in flights if flight.call_id in in_flight]
    # Another worker wrote the same call or its attempt between the look-up and now.
    result.busy += [flight for flight in flights if flight.call_id not in in_flight]
    result.cleared += cleared
    return {id(flight) for flight in cleared}


def _attempt_row(
    flight: Flight, *, run: Run, worker: str, moment: object, replies: dict[bytes, str]
) -> tuple[object, ...]:
    """Values for ``ATTEMPT_COLUMNS``: in flight and charged at its most, or answered already."""
    head = (flight.call_id, flight.number, run.pk)
    end = flight.instant
    if end is not None:
        state, request_id, *rest = _end_values(flight, end, replies=replies, sent={})
        return (*head, state, worker, request_id, moment, *rest)
    charged = (flight.prompt_at_most, flight.completion_at_most, flight.usd_nano_at_most)
    in_flight = AttemptState.IN_FLIGHT.value
    return (*head, in_flight, worker, None, moment, None, None, "", "", None, "", "", "", *charged, False, None, "{}")
