"""Shared pools: slots made ahead without an annotator, claimed one by one under a lease that ends when work stops."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from annotation.enums import AnnotatorState, AssignmentState, LabelKind, RoundState
from annotation.models import Assignment, Round, RoundAnnotator

LEASE = timedelta(minutes=15)
#: A browser holds the pair on screen and preloads the next ones; nobody may hoard more than this.
MOST_CLAIMS = 3
BATCH = 1_000


def make_pool(round: Round) -> None:
    """Every slot of the round, unclaimed. All first slots come before all second ones, in one shuffled order."""
    items = list(round.items.filter(kind=LabelKind.LABEL))
    random.Random(f"{round.seed}:pool").shuffle(items)
    Assignment.objects.bulk_create(
        (
            Assignment(item=item, round=round, annotator=None, slot=slot, shown_as_a="", position=slot * len(items) + n)
            for slot in range(round.labels_per_pair)
            for n, item in enumerate(items)
        ),
        batch_size=BATCH,
    )


@transaction.atomic
def claim(*, place: RoundAnnotator) -> int | None:
    """Take the next free slot for ``place`` and return its id; None where nothing is left for them.

    A slot whose lease ran out counts as free: its row is released with the draft it has, and a new one is made.
    """
    place = RoundAnnotator.objects.select_for_update(of=("self",)).select_related("round").get(pk=place.pk)
    if place.state != AnnotatorState.ACTIVE or place.round.state != RoundState.OPEN:
        return None
    slot = _free_slot(place) or _overdue_slot(place)
    if slot is None:
        return None
    pair = slot.item.pair
    tier = pair.tier or ""
    lead = place.lead.get(tier, 0)
    sibling = _shown_to_sibling(slot)
    if sibling:
        shown = pair.role_2 if sibling == pair.role_1 else pair.role_1
    else:
        shown = pair.role_1 if lead <= 0 else pair.role_2
    slot.annotator, slot.shown_as_a, slot.leased_until = place, shown, timezone.now() + LEASE
    slot.save(update_fields=["annotator", "shown_as_a", "leased_until"])
    place.lead[tier] = lead + (1 if shown == pair.role_1 else -1)
    place.n_assigned += 1
    place.save(update_fields=["lead", "n_assigned"])
    return slot.pk


def extend_lease(assignment: Assignment) -> None:
    """Work on a claimed pair keeps it claimed. Does nothing outside shared pools."""
    if assignment.leased_until is not None:
        Assignment.objects.filter(pk=assignment.pk, state=AssignmentState.PENDING).update(
            leased_until=timezone.now() + LEASE
        )


def put_back(released: Sequence[Assignment]) -> None:
    """Unclaimed slots in the place of rows that were just released."""
    Assignment.objects.bulk_create(_unclaimed(each) for each in released)


def _free_slot(place: RoundAnnotator) -> Assignment | None:
    return (
        Assignment.objects.filter(
            ~_has_item(place), round=place.round_id, annotator__isnull=True, state=AssignmentState.PENDING
        )
        .select_for_update(of=("self",), skip_locked=True)
        .select_related("item__pair")
        .order_by("position")
        .first()
    )


def _overdue_slot(place: RoundAnnotator) -> Assignment | None:
    overdue = (
        Assignment.objects.filter(
            ~_has_item(place),
            round=place.round_id,
            annotator__isnull=False,
            state=AssignmentState.PENDING,
            leased_until__lt=timezone.now(),
        )
        .select_for_update(of=("self",), skip_locked=True)
        .select_related("item__pair")
        .order_by("position")
        .first()
    )
    if overdue is None:
        return None
    overdue.state = AssignmentState.RELEASED
    overdue.save(update_fields=["state"])
    RoundAnnotator.objects.filter(pk=overdue.annotator_id or 0).update(n_assigned=F("n_assigned") - 1)
    fresh = _unclaimed(overdue)
    fresh.save()
    return fresh


def _has_item(place: RoundAnnotator) -> Exists:
    return Exists(Assignment.objects.filter(item=OuterRef("item"), annotator=place))


def _shown_to_sibling(slot: Assignment) -> str:
    """The order seen in the slot that this one is paired with (0 with 1, 2 with 3 ...), or '' where there is none."""
    other = Assignment.objects.filter(item=slot.item_id, kind=slot.kind, slot=slot.slot ^ 1).exclude(
        state=AssignmentState.RELEASED
    )
    return other.values_list("shown_as_a", flat=True).first() or ""


def _unclaimed(released: Assignment) -> Assignment:
    return Assignment(
        item=released.item,
        round_id=released.round_id,
        annotator=None,
        slot=released.slot,
        kind=released.kind,
        shown_as_a="",
        position=released.position,
    )
