"""Settling what annotators left open. Labels are never edited; a settlement is a row of its own."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max

from annotation import schemes
from annotation.enums import AssignmentState, LabelKind, ResolutionMethod, ResolutionRule
from annotation.errors import Refused
from annotation.models import Assignment, Item, Resolution, Round, RoundAnnotator, User
from annotation.steps import audit
from annotation.steps.in_force import LabelInForce, labels_in_force

BATCH = 1_000


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An item whose independent labels differ, with what everybody said and in which order they saw it."""

    item_id: int
    pair_id: str
    labels: tuple[LabelInForce, ...]
    settled: Resolution | None

    @property
    def spread(self) -> tuple[int, int]:
        """Worst first: more different categories, then a smaller majority."""
        votes = Counter(label.category for label in self.labels)
        return (-len(votes), max(votes.values()))


def disagreements(round: Round, *, settled: bool | None = None) -> list[Disagreement]:
    """The items whose labels differ, worst first; ``settled`` keeps only those (not) yet settled. Two queries."""
    by_item: dict[int, list[LabelInForce]] = defaultdict(list)
    for label in labels_in_force(round):
        by_item[label.item_id].append(label)
    latest = latest_resolutions(round)
    found = [
        Disagreement(item, labels[0].pair_id, tuple(labels), latest.get(item))
        for item, labels in by_item.items()
        if len({label.category for label in labels}) > 1
    ]
    if settled is not None:
        found = [each for each in found if (each.settled is not None) is settled]
    return sorted(found, key=lambda each: each.spread)


def latest_resolutions(round: Round, *, with_pairs: bool = False) -> dict[int, Resolution]:
    """The settlement in force of each item, by item id, with its pair loaded where asked. One query."""
    rows = Resolution.objects.filter(item__round=round).order_by("item_id", "version")
    if with_pairs:
        rows = rows.select_related("item__pair")
    return {row.item_id: row for row in rows}


@transaction.atomic
def settle(
    *,
    item: Item,
    category: str,
    reason: str,
    by: User | None,
    answer: Assignment | None = None,
    independent: bool = False,
) -> Resolution:
    """Settle one item with a reason. Raises Refused for an undeclared category or a missing reason.

    ``answer`` is the adjudicator's own blind answer; with ``independent`` it must be theirs, on this item, and given.
    """
    item = Item.objects.select_for_update(of=("self",)).select_related("round__study", "pair").get(pk=item.pk)
    scheme = schemes.from_canonical(item.round.scheme)
    declared = scheme.categories(scheme.primary, item.pair.roles)
    if category not in declared:
        raise Refused(f"{category!r} is not one of {', '.join(declared)}.", code="unknown_category")
    if not reason.strip():
        raise Refused("A settlement needs its reason.", code="missing_reason")
    if independent and not _is_blind_answer(answer, item, by):
        raise Refused("An independent settlement rests on your own blind answer to this pair.", code="not_independent")
    last = Resolution.objects.filter(item=item).aggregate(last=Max("version"))["last"] or 0
    resolution = Resolution.objects.create(
        item=item,
        version=last + 1,
        category=category,
        method=ResolutionMethod.ADJUDICATED,
        reason=reason.strip(),
        by=by,
        assignment=answer,
        independent=independent,
    )
    audit.record(study=item.round.study, actor=by, action="item.settled", subject=item.pair.pair_id, category=category)
    return resolution


def _is_blind_answer(answer: Assignment | None, item: Item, by: User | None) -> bool:
    return (
        answer is not None
        and answer.item_id == item.pk
        and answer.kind == LabelKind.ADJUDICATION
        and answer.state == AssignmentState.SUBMITTED
        and by is not None
        and answer.annotator is not None
        and answer.annotator.user_id == by.pk
    )


@transaction.atomic
def settle_round(*, round: Round, actor: User | None) -> int:
    """Settle by the round's rule every item that needs no adjudicator, and return how many were settled now.

    Unanimous: all labels of a fully labelled item agree. Majority: more than half of them do. Items that have a
    settlement keep it.
    """
    round = Round.objects.select_for_update().get(pk=round.pk)
    by_item: dict[int, list[str]] = defaultdict(list)
    for label in labels_in_force(round):
        by_item[label.item_id].append(label.category)
    done = set(Resolution.objects.filter(item__round=round).values_list("item_id", flat=True))
    fresh = []
    for item_id, categories in by_item.items():
        if item_id not in done and len(categories) >= round.labels_per_pair:
            settled = _by_rule(ResolutionRule(round.resolution_rule), categories)
            if settled is not None:
                category, method = settled
                fresh.append(Resolution(item_id=item_id, version=1, category=category, method=method))
    Resolution.objects.bulk_create(fresh, batch_size=BATCH)
    audit.record(study=round.study, actor=actor, action="round.settled", subject=round, items=len(fresh))
    return len(fresh)


def _by_rule(rule: ResolutionRule, categories: Sequence[str]) -> tuple[str, ResolutionMethod] | None:
    category, votes = Counter(categories).most_common(1)[0]
    if not category or rule == ResolutionRule.ADJUDICATED:
        return None
    if votes == len(categories):
        return category, ResolutionMethod.UNANIMOUS
    if rule == ResolutionRule.MAJORITY and votes * 2 > len(categories):
        return category, ResolutionMethod.MAJORITY
    return None


@transaction.atomic
def start_blind_answer(*, item: Item, adjudicator: User) -> Assignment:
    """The adjudicator's own blind look at an item, made once: they answer it like an annotator, then see the labels.

    Raises Refused for whoever labelled this pair, in this or any other round of the study.
    """
    item = Item.objects.select_for_update(of=("self",)).select_related("round", "pair").get(pk=item.pk)
    own = Assignment.objects.filter(item__pair=item.pair_id, annotator__user=adjudicator)
    known = own.filter(item=item, kind=LabelKind.ADJUDICATION).first()
    if known is not None:
        return known
    if own.exclude(kind=LabelKind.ADJUDICATION).exists():
        raise Refused("You labelled this pair; somebody else must adjudicate it.", code="not_independent")
    place, _ = RoundAnnotator.objects.get_or_create(
        round=item.round, user=adjudicator, defaults={"name": f"adjudicator-{item.round.annotators.count() + 1}"}
    )
    mine = Assignment.objects.filter(annotator=place)
    shown_first = mine.filter(shown_as_a=item.pair.role_1).count()
    role = item.pair.role_1 if shown_first * 2 <= mine.count() else item.pair.role_2
    last = mine.aggregate(last=Max("position"))["last"]
    taken = Assignment.objects.filter(item=item, kind=LabelKind.ADJUDICATION).count()
    return Assignment.objects.create(
        item=item,
        round=item.round,
        annotator=place,
        slot=taken,
        kind=LabelKind.ADJUDICATION,
        shown_as_a=role,
        position=0 if last is None else last + 1,
    )
