"""Reads that more than one page needs. Each says how many queries it costs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, QuerySet, Sum

from annotation.enums import AssignmentState
from annotation.models import Assignment, Label, RoundAnnotator


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one annotator is in one round, in pairs."""

    done: int
    total: int

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 0


def progress_of(place: RoundAnnotator) -> Progress:
    """As the steps counted it along, read anew: one query by key, whatever the round's size."""
    return progress_by_place([place.pk])[place.pk]


def progress_by_place(place_ids: Iterable[int]) -> dict[int, Progress]:
    """The progress of several annotators, by the id of their place. One query."""
    rows = RoundAnnotator.objects.filter(pk__in=list(place_ids)).values_list("pk", "n_submitted", "n_assigned")
    return {pk: Progress(done=done, total=total) for pk, done, total in rows.order_by()}


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
