"""From claimed rows to jobs: conditions with their protocol, provider and price, looked up once each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils import timezone

from annotation.errors import Refused
from annotation.models import Pair
from judging.audited import Place, audited_id, reasoning_of
from judging.enums import ComparisonState
from judging.models import Comparison, Condition, Run
from judging.prices import price_of
from judging.protocols.registry import get_protocol
from judging.providers.registry import is_in_process, provider_of
from judging.runner import claims
from judging.runner.jobs import Asked, Job
from judging.runner.limits import bucket_name
from judging.showing import show

_SHOWN = ("pair_id", "role_1", "role_2", "tier", "position", "task", "context", "candidate_1", "candidate_2", "meta")


@dataclass(frozen=True, slots=True)
class Leftovers:
    """Comparisons of a run that are open, and those that other workers hold."""

    open: int
    held: int


class Loader:
    """What one worker knows of one run. Made before anything is sent; raises Refused where a condition cannot run."""

    def __init__(self, run: Run) -> None:
        conditions = Condition.objects.filter(comparisons__wanted_by__run=run).distinct().select_related("judge")
        self.asked: Mapping[int, Asked] = {condition.pk: asked_of(condition) for condition in conditions}
        self._pairs: dict[int, Pair] = {}
        self.sends = any(not asked.in_process for asked in self.asked.values())
        self.answers_here = any(asked.in_process for asked in self.asked.values())

    def claim(self, *, run: Run, worker: str, limit: int, after: int) -> tuple[list[Job], int]:
        """Up to ``limit`` claimed comparisons as jobs, and the plan's row to go on after."""
        claimed, last = claims.claim(run=run, worker=worker, limit=limit, after=after)
        wanted = {each.pair_id for each in claimed}
        # Plans go pair by pair: the pairs of the last block are the only ones worth keeping.
        self._pairs = {pk: pair for pk, pair in self._pairs.items() if pk in wanted}
        missing = wanted - self._pairs.keys()
        self._pairs |= {pair.pk: pair for pair in Pair.objects.filter(pk__in=missing).only(*_SHOWN).order_by()}
        audited = {pk: reasoning_of(pk, pairs=wanted) for pk in self._audited(claimed)}
        return [self._job(each, audited) for each in claimed], last

    def _audited(self, claimed: Iterable[claims.Claimed]) -> set[int]:
        checked = {audited_id(self.asked[pk].condition) for pk in {each.condition_id for each in claimed}}
        return {pk for pk in checked if pk is not None}

    def _job(self, claimed: claims.Claimed, audited: Mapping[int, Mapping[Place, str]]) -> Job:
        asked = self.asked[claimed.condition_id]
        checked = audited_id(asked.condition)
        place = (claimed.pair_id, claimed.order, claimed.repeat)
        return Job(
            comparison_id=claimed.comparison_id,
            pair_id=claimed.pair_id,
            order=claimed.order,
            repeat=claimed.repeat,
            asked=asked,
            showing=show(
                pair=self._pairs[claimed.pair_id],
                condition=asked.condition,
                order=claimed.order,
                repeat=claimed.repeat,
                cue_favours=claimed.cue_favours,
                audited=audited[checked].get(place, "") if checked is not None else "",
            ),
            numbers=claimed.numbers,
        )

    def leftovers(self, *, run: Run) -> Leftovers:
        """Take back what dead workers hold, then count what is open and what the living hold."""
        claims.sweep(run=run)
        wanted = Comparison.objects.filter(wanted_by__run=run)
        return Leftovers(
            open=wanted.filter(state=ComparisonState.PENDING).count(),
            held=wanted.filter(state=ComparisonState.CLAIMED).count(),
        )

    def state_of(self, *, run: Run) -> str:
        return str(Run.objects.values_list("state", flat=True).get(pk=run.pk))


def asked_of(condition: Condition) -> Asked:
    """A condition at work. Raises Refused where its protocol version or its judge can no longer be asked."""
    judge = condition.judge
    in_process = is_in_process(judge.provider)
    protocol = get_protocol(condition.protocol, condition.protocol_version)
    if condition.probe and condition.probe not in protocol.probes:
        raise Refused(f"{protocol.key} is no longer defined under the probe {condition.probe}.")
    return Asked(
        condition=condition,
        protocol=protocol,
        provider=provider_of(judge),
        in_process=in_process,
        price=price_of(model=judge.model, base_url=judge.base_url, on=timezone.now().date()),
        bucket="" if in_process else bucket_name(judge),
        parameters=judge.parameters,
    )
