"""People leave, are excluded, or a third opinion is wanted: giving slots on without losing a label or the balance."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import F, Max

from annotation.enums import AnnotatorState, AssignmentState, LabelKind
from annotation.errors import Refused
from annotation.models import Assignment, Item, Round, RoundAnnotator, User
from annotation.steps import audit
from annotation.steps.assign import check_annotators
from annotation.steps.pool import put_back

BATCH = 1_000


@transaction.atomic
def end_place(*, place: RoundAnnotator, state: AnnotatorState, reason: str, actor: User | None) -> int:
    """End an annotator's work in a round and give their open slots to others; returns how many went on.

    ``left``: what they submitted keeps counting. ``excluded``: it stops counting (every label and revision is kept,
    and figures can be had with and without), and those slots are given on too. Raises Refused without a reason.
    A slot for which nobody is left stays open: the round then lacks that label.
    """
    if state == AnnotatorState.ACTIVE or not reason.strip():
        raise Refused("Ending a place needs a state and a reason.", code="missing_reason")
    place = RoundAnnotator.objects.select_for_update(of=("self",)).select_related("round__study").get(pk=place.pk)
    if place.state != AnnotatorState.ACTIVE:
        raise Refused(f"{place} has already {place.state}.", code="place_ended")
    taken_back = [AssignmentState.PENDING]
    if state == AnnotatorState.EXCLUDED:
        taken_back.append(AssignmentState.SUBMITTED)
    slots = Assignment.objects.filter(annotator=place, state__in=taken_back)
    released = list(slots.select_related("item__pair").order_by("position"))
    # What was taken back by undo is no label in force, also not "with the excluded".
    slots.filter(state=AssignmentState.PENDING).update(state=AssignmentState.RELEASED, revision=0)
    slots.filter(state=AssignmentState.SUBMITTED).update(state=AssignmentState.RELEASED)
    if place.round.shared_pool:
        put_back(released)
        released = []
    place.state, place.reason = state, reason.strip()
    place.n_assigned = place.n_submitted = Assignment.objects.filter(
        annotator=place, state=AssignmentState.SUBMITTED
    ).count()
    place.save(update_fields=["state", "reason", "n_assigned", "n_submitted"])
    given = _give(place.round, [_Slot(each.item, each.kind, each.slot, each.shown_as_a) for each in released])
    audit.record(
        study=place.round.study, actor=actor, action=f"annotator.{state}", subject=place, reason=reason, given_on=given
    )
    return given


@transaction.atomic
def add_annotators(*, round: Round, users: Sequence[User], actor: User | None) -> list[RoundAnnotator]:
    """Give people a place in a round that is open; slots nobody holds go to them."""
    round = Round.objects.select_for_update(of=("self",)).select_related("study").get(pk=round.pk)
    check_annotators(round, users, at_least=0)
    count = round.annotators.count()
    places = [
        RoundAnnotator(round=round, user=user, name=f"annotator-{number}")
        for number, user in enumerate(users, count + 1)
    ]
    RoundAnnotator.objects.bulk_create(places)
    if not round.shared_pool:
        _give(round, _open_slots(round))
    audit.record(study=round.study, actor=actor, action="round.annotators_added", subject=round, count=len(places))
    return places


@transaction.atomic
def draw_thirds(*, round: Round, items: Iterable[Item], actor: User | None) -> int:
    """Ask one more independent annotator about each item; returns for how many somebody could be asked."""
    round = Round.objects.select_for_update(of=("self",)).select_related("study").get(pk=round.pk)
    wanted = [_Slot(item, LabelKind.THIRD, 0, "") for item in items]
    held = set(
        Assignment.objects.filter(round=round, kind=LabelKind.THIRD)
        .exclude(state=AssignmentState.RELEASED)
        .values_list("item_id", flat=True)
    )
    given = _give(round, [slot for slot in wanted if slot.item.pk not in held])
    audit.record(study=round.study, actor=actor, action="round.thirds_drawn", subject=round, items=given)
    return given


class _Slot:
    """A slot to give: ``shown_as_a`` is kept where it is set, so that the pair is still seen in both orders."""

    __slots__ = ("item", "kind", "number", "shown_as_a")

    def __init__(self, item: Item, kind: str, number: int, shown_as_a: str) -> None:
        self.item = item
        self.kind = kind
        self.number = number
        self.shown_as_a = shown_as_a


def _open_slots(round: Round) -> list[_Slot]:
    """The slots of the round's cap that nobody holds now, each in the order its last holder had."""
    held: dict[tuple[int, int], str] = {}
    last: dict[tuple[int, int], str] = {}
    rows = Assignment.objects.filter(round=round, kind=LabelKind.LABEL).values_list(
        "item_id", "slot", "shown_as_a", "state"
    )
    for item_id, slot, shown, state in rows.order_by("pk"):
        last[(item_id, slot)] = shown
        if state != AssignmentState.RELEASED:
            held[(item_id, slot)] = shown
    items = Item.objects.filter(round=round, kind=LabelKind.LABEL).select_related("pair").order_by("position")
    return [
        _Slot(item, LabelKind.LABEL, number, last.get((item.pk, number), ""))
        for item in items
        for number in range(round.labels_per_pair)
        if (item.pk, number) not in held
    ]


def _give(round: Round, slots: Sequence[_Slot]) -> int:
    """Give each slot to the least loaded active annotator who never had its pair, and whose balance it helps."""
    places = list(round.annotators.filter(state=AnnotatorState.ACTIVE, user__isnull=False))
    if not places or not slots:
        return 0
    rng = random.Random(f"{round.seed}:handed over:{Assignment.objects.filter(round=round).count()}")
    holders: dict[int, set[int]] = {}
    load: Counter[int] = Counter()
    lead: Counter[tuple[int, str]] = Counter()
    rows = Assignment.objects.filter(round=round).values_list(
        "item_id", "annotator_id", "state", "shown_as_a", "item__pair__tier", "item__pair__role_1"
    )
    for item_id, annotator_id, state, shown, tier, role_1 in rows:
        if annotator_id is not None:
            holders.setdefault(item_id, set()).add(annotator_id)
            if state != AssignmentState.RELEASED:
                load[annotator_id] += 1
                lead[(annotator_id, tier or "")] += 1 if shown == role_1 else -1
    fresh: list[Assignment] = []
    for slot in slots:
        free = [place for place in places if place.pk not in holders.get(slot.item.pk, set())]
        if not free:
            continue
        pair = slot.item.pair
        direction = {pair.role_1: 1, pair.role_2: -1}.get(slot.shown_as_a, 0)
        chosen = min(
            free,
            key=lambda place: (load[place.pk], direction * lead[(place.pk, pair.tier or "")], rng.random()),
        )
        shown = slot.shown_as_a or (pair.role_1 if lead[(chosen.pk, pair.tier or "")] <= 0 else pair.role_2)
        holders.setdefault(slot.item.pk, set()).add(chosen.pk)
        load[chosen.pk] += 1
        lead[(chosen.pk, pair.tier or "")] += 1 if shown == pair.role_1 else -1
        fresh.append(
            Assignment(
                item=slot.item,
                round=round,
                annotator=chosen,
                slot=slot.number,
                kind=slot.kind,
                shown_as_a=shown,
                position=0,
            )
        )
    _append(fresh, rng)
    return len(fresh)


def _append(fresh: list[Assignment], rng: random.Random) -> None:
    """Put the new assignments behind what each annotator already has, in a shuffled order."""
    rng.shuffle(fresh)
    by_place: dict[int, list[Assignment]] = {}
    for assignment in fresh:
        by_place.setdefault(assignment.annotator_id or 0, []).append(assignment)
    for place_id, own in by_place.items():
        last = Assignment.objects.filter(annotator=place_id).aggregate(last=Max("position"))["last"]
        for offset, assignment in enumerate(own, 1):
            assignment.position = (-1 if last is None else last) + offset
        RoundAnnotator.objects.filter(pk=place_id).update(n_assigned=F("n_assigned") + len(own))
    Assignment.objects.bulk_create(fresh, batch_size=BATCH)
