"""Every slot of a round, made ahead: who labels what, in which order, with which role on side A."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence

from annotation.balance import balanced_orders
from annotation.enums import LabelKind, RoundKind
from annotation.models import Assignment, Item, Round, RoundAnnotator

BATCH = 1_000


def make_slots(round: Round, places: Sequence[RoundAnnotator]) -> None:
    """Give the round's items to ``places`` (saved, active) and count them along.

    Labels: ``labels_per_pair`` different people an item, loads within one of each other. Gold and training items go
    to everybody. Repeats: each annotator gets some of their own first pairs again near the end, in the same order.
    """
    rng = random.Random(f"{round.seed}:slots")
    items = list(round.items.select_related("pair").only("pk", "kind", "pair__tier", "pair__role_1", "pair__role_2"))
    labelled = [item for item in items if item.kind == LabelKind.LABEL]
    for_all = [item for item in items if item.kind in {LabelKind.GOLD, LabelKind.TRAINING}]
    if round.kind == RoundKind.TRAINING:
        for_all, labelled = items, []
    people = who_labels_what(labelled, places, round.labels_per_pair, rng)
    people.update({item.pk: list(places) for item in for_all})
    orders = _orders_by_tier([*labelled, *for_all], people, rng)
    own: dict[int, list[Assignment]] = {place.pk: [] for place in places}
    for item in [*labelled, *for_all]:
        for slot, place in enumerate(people[item.pk]):
            shown = item.pair.role_1 if orders[item.pk][slot] == 1 else item.pair.role_2
            own[place.pk].append(
                Assignment(
                    item=item, round=round, annotator=place, slot=slot, kind=item.kind, shown_as_a=shown, position=0
                )
            )
    for place in places:
        random.Random(f"{round.seed}:{place.name}").shuffle(own[place.pk])
    _add_repeats(round, places, own)
    for place in places:
        for position, assignment in enumerate(own[place.pk]):
            assignment.position = position
        place.n_assigned = len(own[place.pk])
    Assignment.objects.bulk_create([each for mine in own.values() for each in mine], batch_size=BATCH)
    RoundAnnotator.objects.bulk_update(places, ["n_assigned"])


def who_labels_what(
    items: Sequence[Item], places: Sequence[RoundAnnotator], wanted: int, rng: random.Random
) -> dict[int, list[RoundAnnotator]]:
    """For each item ``wanted`` different people: loads differ by at most one, and who meets whom varies."""
    queue: list[RoundAnnotator] = []
    chosen: dict[int, list[RoundAnnotator]] = {}
    for item in rng.sample(list(items), len(items)):
        mine: list[RoundAnnotator] = []
        for _ in range(wanted):
            if all(each in mine for each in queue):
                queue.extend(rng.sample(list(places), len(places)))
            candidate = next(each for each in queue if each not in mine)
            queue.remove(candidate)
            mine.append(candidate)
        chosen[item.pk] = mine
    return chosen


def _orders_by_tier(
    items: Sequence[Item], people: Mapping[int, Sequence[RoundAnnotator]], rng: random.Random
) -> dict[int, list[int]]:
    by_tier: dict[str, dict[int, list[int]]] = defaultdict(dict)
    for item in items:
        by_tier[item.pair.tier or ""][item.pk] = [place.pk for place in people[item.pk]]
    orders: dict[int, list[int]] = {}
    for tier in sorted(by_tier):
        orders.update(balanced_orders(people=by_tier[tier], rng=rng))
    return orders


def _add_repeats(round: Round, places: Sequence[RoundAnnotator], own: Mapping[int, list[Assignment]]) -> None:
    """Copies of pairs from the first half of an annotator's list, put into its last quarter."""
    if not round.n_repeats:
        return
    repeats: dict[int, Item] = {}
    slots: dict[int, int] = defaultdict(int)
    next_position = round.items.count()
    chosen: dict[int, list[Assignment]] = {}
    for place in places:
        mine = own[place.pk]
        first_half = [each for each in mine[: max(1, len(mine) // 2)] if each.kind == LabelKind.LABEL]
        rng = random.Random(f"{round.seed}:repeats:{place.name}")
        chosen[place.pk] = rng.sample(first_half, min(round.n_repeats, len(first_half)))
        for each in chosen[place.pk]:
            if each.item.pair_id not in repeats:
                repeats[each.item.pair_id] = Item(
                    round=round, pair=each.item.pair, kind=LabelKind.REPEAT, position=next_position + len(repeats)
                )
    Item.objects.bulk_create(repeats.values(), batch_size=BATCH)
    for place in places:
        mine = own[place.pk]
        rng = random.Random(f"{round.seed}:repeat places:{place.name}")
        for each in chosen[place.pk]:
            item = repeats[each.item.pair_id]
            again = Assignment(
                item=item,
                round=round,
                annotator=place,
                slot=slots[item.pair_id],
                kind=LabelKind.REPEAT,
                shown_as_a=each.shown_as_a,
                position=0,
            )
            slots[item.pair_id] += 1
            mine.insert(rng.randint(len(mine) * 3 // 4, len(mine)), again)
