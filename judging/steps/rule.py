"""A person reads a reply that the extractor could not. The verdict says so, and the extractor's reading stays."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone

from annotation.errors import Refused
from annotation.models import User
from annotation.steps import audit
from judging.enums import Outcome, Shown
from judging.models import Condition, Reading, Verdict
from judging.sides import winner_number

#: What a person may say of an unreadable reply: what it prefers, or that it declines to judge.
RULINGS = (*Shown.values(), Outcome.REFUSED.value)


@transaction.atomic
def rule_verdict(*, verdict: Verdict, ruling: str, reason: str, actor: User) -> Verdict:
    """Put a person's reading in force: ``ruling`` is A, B or Tie as displayed, or ``refused``. Raises Refused.

    Only what the extractor left unparsed is ruled on, again if need be; a tie only where one was offered.
    """
    locked = (
        Verdict.objects.select_for_update(of=("self",)).select_related("condition__judge__study").get(pk=verdict.pk)
    )
    if locked.outcome != Outcome.UNPARSED and not locked.ruled:
        raise Refused("Only a reply that could not be read is ruled on.")
    if ruling not in RULINGS:
        raise Refused(f"A ruling is one of {', '.join(RULINGS)}.")
    if ruling == Shown.TIE and locked.tie_offered is False:
        raise Refused("This judge was not offered a tie.")
    if not reason.strip():
        raise Refused("A ruling gives its reason.")
    decided = ruling in Shown.values()
    readings = Reading.objects.filter(comparison=locked.comparison_id, phase=locked.phase)
    last = readings.aggregate(last=Max("number"))["last"] or 0
    read = readings.order_by("-number").first()
    locked.reading = Reading.objects.create(
        comparison_id=locked.comparison_id,
        phase=locked.phase,
        number=last + 1,
        outcome=Outcome.DECIDED if decided else Outcome.REFUSED,
        shown=ruling if decided else "",
        reason="" if decided else "ruled",
        ruled_by=actor,
        ruling=reason.strip(),
        cue=read.cue if read else {},
        model_returned=read.model_returned if read else "",
        snapshot=read.snapshot if read else "",
        called_at=read.called_at if read else None,
        created_at=timezone.now(),
        record=read.record if read else {},
    )
    locked.outcome = locked.reading.outcome
    locked.winner = winner_number(locked.reading.shown, order=locked.order)
    locked.ruled = True
    locked.save(update_fields=["reading", "outcome", "winner", "ruled"])
    Condition.objects.filter(pk=locked.condition_id).update(verdict_version=F("verdict_version") + 1)
    study = locked.condition.judge.study
    audit.record(study=study, actor=actor, action="verdict.ruled", subject=locked.comparison_id, ruling=ruling)
    return locked
