"""From claimed rows to jobs: conditions with their protocol, provider and price, looked up once each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils import timezone

from annotation.errors import Refused
from judging.enums import ComparisonState
from judging.models import Comparison, Condition, Run
from judging.prices import price_of
from judging.protocols.registry import get_protocol
from judging.providers.registry import is_in_process, provider_of
from judging.runner import claims
from judging.runner.jobs import Asked, Job
from judging.runner.limits import bucket_name
from judging.showing import show


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
        self.sends = any(not asked.in_process for asked in self.asked.values())
        self.answers_here = any(asked.in_process for asked in self.asked.values())

    def claim(self, *, run: Run, worker: str, limit: int, after: int) -> tuple[list[Job], int]:
        """Up to ``limit`` claimed comparisons as jobs, and the plan's row to go on after."""
        claimed, last = claims.claim(run=run, worker=worker, limit=limit, after=after)
        return [self._job(each) for each in claimed], last

    def _job(self, claimed: claims.Claimed) -> Job:
        asked = self.asked[claimed.condition_id]
        return Job(
            comparison_id=claimed.comparison_id,
            pair_id=claimed.pair.pk,
            order=claimed.order,
            repeat=claimed.repeat,
            asked=asked,
            showing=show(
                pair=claimed.pair,
                condition=asked.condition,
                order=claimed.order,
                repeat=claimed.repeat,
                cue_favours=claimed.cue_favours,
            ),
            numbers=dict(claimed.numbers),
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
