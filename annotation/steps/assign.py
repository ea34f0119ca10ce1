"""Making rounds: items, annotators and every slot ahead, so that no pair can get a label too many."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from annotation import schemes
from annotation.balance import balanced_orders
from annotation.enums import MemberRole, ResolutionRule, RoundState
from annotation.errors import Refused
from annotation.models import Assignment, Guideline, Item, Membership, Round, RoundAnnotator, Split, User
from annotation.steps import audit

BATCH = 1_000


@transaction.atomic
def create_round(
    *,
    split: Split,
    name: str,
    scheme: str,
    actor: User | None,
    guideline: str,
    tiers: Sequence[str] | None = None,
    labels_per_pair: int = 2,
    seed: int = 0,
    resolution_rule: ResolutionRule = ResolutionRule.UNANIMOUS,
    **provenance: object,
) -> Round:
    """A draft round over the pairs of ``split`` that have two texts (and one of ``tiers``, where given)."""
    if Round.objects.filter(study=split.study_id, name=name).exists():
        raise Refused(f"This study already has a round called {name}.", code="round_exists")
    loaded = schemes.load(scheme)
    round_ = Round.objects.create(
        study_id=split.study_id,
        split=split,
        name=name,
        scheme_name=loaded.name,
        scheme_version=loaded.version,
        scheme_hash=loaded.digest,
        scheme=loaded.canonical,
        labels_per_pair=labels_per_pair,
        seed=seed,
        resolution_rule=resolution_rule,
        **provenance,
    )
    Guideline.objects.create(round=round_, version=1, text=guideline)
    pairs = split.pairs.filter(candidate_1__isnull=False, candidate_2__isnull=False)
    if tiers is not None:
        pairs = pairs.filter(tier__in=list(tiers))
    ids = pairs.order_by("position").values_list("pk", flat=True)
    items = [Item(round=round_, pair_id=pk, position=place) for place, pk in enumerate(ids)]
    if not items:
        raise Refused(f"Split {split} has no pair with two texts for this round.", code="empty_round")
    Item.objects.bulk_create(items, batch_size=BATCH)
    audit.record(study=split.study, actor=actor, action="round.created", subject=name, items=len(items))
    return round_


@transaction.atomic
def open_round(*, round: Round, annotators: Sequence[User], actor: User | None) -> None:
    """Give every slot of every item to an annotator, in a balanced recorded order, and open the round."""
    round = Round.objects.select_for_update().get(pk=round.pk)
    if round.state != RoundState.DRAFT:
        raise Refused(f"Round {round} is {round.state}; only a draft can be opened.", code="round_not_draft")
    _check_annotators(round, annotators)
    places = [
        RoundAnnotator(round=round, user=user, name=f"annotator-{number}") for number, user in enumerate(annotators, 1)
    ]
    RoundAnnotator.objects.bulk_create(places)
    _make_slots(round, places)
    round.state = RoundState.OPEN
    round.opened_at = timezone.now()
    round.save(update_fields=["state", "opened_at"])
    audit.record(study=round.study, actor=actor, action="round.opened", subject=round, annotators=len(places))


@transaction.atomic
def close_round(*, round: Round, actor: User | None) -> None:
    """End labelling. Labels stay as they are; settling and freezing come after."""
    round = Round.objects.select_for_update().get(pk=round.pk)
    if round.state != RoundState.OPEN:
        raise Refused(f"Round {round} is {round.state}; only an open one can be closed.", code="round_not_open")
    round.state = RoundState.CLOSED
    round.closed_at = timezone.now()
    round.save(update_fields=["state", "closed_at"])
    audit.record(study=round.study, actor=actor, action="round.closed", subject=round)


def _check_annotators(round: Round, annotators: Sequence[User]) -> None:
    if len(set(annotators)) < round.labels_per_pair:
        raise Refused(
            f"Round {round} wants {round.labels_per_pair} labels a pair and has {len(set(annotators))} annotators. "
            "Add annotators, or ask for fewer labels.",
            code="too_few_annotators",
        )
    blind = set(
        Membership.objects.filter(study=round.study_id, user__in=annotators, role=MemberRole.ANNOTATOR).values_list(
            "user_id", flat=True
        )
    )
    for user in annotators:
        if user.pk not in blind:
            raise Refused(
                f"{user} is not an annotator of this study. Whoever sees roles or labels cannot label.",
                code="not_an_annotator",
            )


def _make_slots(round: Round, places: Sequence[RoundAnnotator]) -> None:
    rng = random.Random(f"{round.seed}:slots")
    items = list(round.items.select_related("pair").only("pk", "pair__tier", "pair__role_1", "pair__role_2"))
    people = _who_labels_what(items, places, round.labels_per_pair, rng)
    orders = _orders_by_tier(items, people, rng)
    slots = [
        Assignment(
            item=item,
            round=round,
            annotator=annotator,
            slot=slot,
            shown_as_a=item.pair.role_1 if orders[item.pk][slot] == 1 else item.pair.role_2,
            position=0,
        )
        for item in items
        for slot, annotator in enumerate(people[item.pk])
    ]
    for annotator in places:
        own = [slot for slot in slots if slot.annotator is annotator]
        random.Random(f"{round.seed}:{annotator.name}").shuffle(own)
        for place, slot in enumerate(own):
            slot.position = place
        annotator.n_assigned = len(own)
    Assignment.objects.bulk_create(slots, batch_size=BATCH)
    RoundAnnotator.objects.bulk_update(places, ["n_assigned"])


def _who_labels_what(
    items: Sequence[Item], places: Sequence[RoundAnnotator], wanted: int, rng: random.Random
) -> dict[int, list[RoundAnnotator]]:
    """For each item its annotators: loads differ by at most one, and who meets whom varies."""
    queue: list[RoundAnnotator] = []
    chosen: dict[int, list[RoundAnnotator]] = {}
    for item in rng.sample(list(items), len(items)):
        mine: list[RoundAnnotator] = []
        for _ in range(wanted):
            candidate = next((each for each in queue if each not in mine), None)
            if candidate is None:
                fresh = rng.sample(list(places), len(places))
                queue.extend(fresh)
                candidate = next(each for each in queue if each not in mine)
            queue.remove(candidate)
            mine.append(candidate)
        chosen[item.pk] = mine
    return chosen


def _orders_by_tier(
    items: Sequence[Item], people: dict[int, list[RoundAnnotator]], rng: random.Random
) -> dict[int, list[int]]:
    by_tier: dict[str, dict[int, list[int]]] = defaultdict(dict)
    for item in items:
        by_tier[item.pair.tier or ""][item.pk] = [annotator.pk for annotator in people[item.pk]]
    orders: dict[int, list[int]] = {}
    for tier in sorted(by_tier):
        orders.update(balanced_orders(people=by_tier[tier], rng=rng))
    return orders
