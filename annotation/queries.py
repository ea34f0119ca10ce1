"""Reads that more than one page needs. Each says how many queries it costs."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum

from annotation.enums import AssignmentState, ValidationStatus
from annotation.models import Assignment, Label, Pair, Round, RoundAnnotator, Split, Study, ValidatedPair


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one annotator is in one round, in pairs. ``total`` is 0 in a shared pool, which has no end of its own."""

    done: int
    total: int

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 0


def progress_of(place: RoundAnnotator) -> Progress:
    """From the counts that the steps keep, as they were when ``place`` was read. No query."""
    return Progress(done=place.n_submitted, total=0 if place.round.shared_pool else place.n_assigned)


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


def rounds_of(study: Study) -> QuerySet[Round]:
    """A study's rounds, newest first, with ``n_labels`` and ``n_slots``. One query."""
    return (
        Round.objects.filter(study=study)
        .select_related("split")
        .defer("scheme")
        .annotate(n_labels=Sum("annotators__n_submitted", default=0), n_slots=Sum("annotators__n_assigned", default=0))
        .order_by("-created_at", "-pk")
    )


def splits_of(study: Study) -> QuerySet[Split]:
    """A study's splits by name, with ``n_pairs`` and ``n_without_text``. One query."""
    no_text = Q(pairs__candidate_1__isnull=True) | Q(pairs__candidate_2__isnull=True)
    return Split.objects.filter(study=study).annotate(
        n_pairs=Count("pairs"), n_without_text=Count("pairs", filter=no_text)
    )


def tiers_of(split: Split) -> list[tuple[str | None, int]]:
    """(tier, number of pairs) of a split. One query."""
    rows = Pair.objects.filter(split=split).values_list("tier").annotate(n=Count("pk")).order_by("tier")
    return [(tier, n) for tier, n in rows]


def tier_report(pairs: QuerySet[ValidatedPair]) -> list[dict[str, object]]:
    """Per constructed tier: how many pairs people confirmed, contradicted or left open, and where they agreed.

    ``as_built``: unanimous and confirmed (TRACE's both-better-plain style); ``any_tie``: somebody chose a tie.
    One query.
    """
    rows = (
        pairs.values("constructed_tier")
        .annotate(
            n=Count("pk"),
            as_built=Count("pk", filter=Q(unanimous=True, status=ValidationStatus.CONFIRMED)),
            n_any_tie=Count("pk", filter=Q(any_tie=True)),
            **{str(status): Count("pk", filter=Q(status=status)) for status in ValidationStatus},
        )
        .order_by("constructed_tier")
    )
    return [dict(row) for row in rows]
