"""Reads that more than one page needs. Each says how many queries it costs."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, QuerySet, Sum

from annotation.enums import AssignmentState
from annotation.models import Assignment, Label, RoundAnnotator


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one annotator is in one round, in pairs. ``total`` is 0 in a shared pool, which has no end of its own."""

    done: int
    total: int

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 0


def progress_of(place: RoundAnnotator) -> Progress:
    """Read afresh from the counts that the steps keep, so it costs the same in a round of any size. One query."""
    done, total = RoundAnnotator.objects.values_list("n_submitted", "n_assigned").get(pk=place.pk)
    return Progress(done=done, total=0 if place.round.shared_pool else total)


def active_seconds(place: RoundAnnotator) -> float:
    """An annotator's own active time over the labels in force, in seconds. One query."""
    found = Label.objects.filter(
        assignment__annotator=place, assignment__state=AssignmentState.SUBMITTED, revision=F("assignment__revision")
    ).aggregate(total=Sum("seconds"))
    return float(found["total"] or 0.0)


def own_pairs(place: RoundAnnotator) -> QuerySet[Assignment]:
    """An annotator's own pairs in their own order, with the task's words and ``label_flagged``. One query."""
    in_force = Label.objects.filter(assignment=OuterRef("pk"), revision=OuterRef("revision"), flagged=True)
    return (
        Assignment.objects.filter(annotator=place)
        .exclude(state=AssignmentState.RELEASED)
        .select_related("item__pair")
        .only("public_id", "position", "state", "submitted_at", "item__pair__task")
        .annotate(label_flagged=Exists(in_force))
        .order_by("position")
    )
