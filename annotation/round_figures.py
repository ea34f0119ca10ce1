"""What a round's pages tell its coordinator: how far it is, what is disputed, what is missing, how people work."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from django.db.models import F, Sum

from analysis.stats.estimate import Estimate
from analysis.stats.paired import mcnemar
from analysis.stats.proportions import proportion
from annotation import schemes
from annotation.enums import AssignmentState, LabelKind, RoundState
from annotation.models import Item, Label, Resolution, Round, RoundAnnotator
from annotation.schemes.scheme import SIDES, Scheme
from annotation.steps.adjudicate import latest_resolutions
from annotation.steps.in_force import LabelInForce, labels_in_force


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One item with everybody's labels in force and its settlement."""

    item_id: int
    pair_id: str
    tier: str | None
    labels: tuple[LabelInForce, ...]
    settled: Resolution | None
    wanted: int

    @property
    def is_complete(self) -> bool:
        return len(self.labels) >= self.wanted

    @property
    def is_disputed(self) -> bool:
        return len({label.category for label in self.labels}) > 1

    @property
    def state(self) -> str:
        if self.settled is not None:
            return "settled"
        if self.is_disputed:
            return "disputed"
        return "agreed" if self.is_complete else "open"


@dataclass(frozen=True, slots=True)
class Overview:
    """``missing`` says in sentences what stands between the round and its freeze; empty: nothing does."""

    items: int
    slots: int
    labels: int
    disputed: int
    settled: int
    unsettled_disputes: int
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Person:
    """How one annotator works. ``first`` is the share of A among their A and B answers, ``p`` tests it against half."""

    place: RoundAnnotator
    assigned: int
    submitted: int
    flagged: int
    seconds_per_pair: float | None
    idle_share: float | None
    shares: dict[str, int]
    first: Estimate
    p: float | None
    gold_right: int
    gold_total: int
    repeats_same: int
    repeats_total: int


@dataclass
class _Tally:
    labels: int = 0
    flagged: int = 0
    timed: int = 0
    seconds: float = 0.0
    idle: float = 0.0
    shown: Counter[str] = field(default_factory=Counter)
    gold: list[bool] = field(default_factory=list)
    by_pair: dict[int, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))


def item_rows(round: Round) -> list[ItemRow]:
    """Every item that is labelled for agreement, in the round's order. Three queries."""
    by_item: dict[int, list[LabelInForce]] = defaultdict(list)
    for label in labels_in_force(round):
        by_item[label.item_id].append(label)
    settled = latest_resolutions(round)
    items = Item.objects.filter(round=round, kind=LabelKind.LABEL).order_by("position")
    return [
        ItemRow(pk, pair_id, tier, tuple(by_item[pk]), settled.get(pk), round.labels_per_pair)
        for pk, pair_id, tier in items.values_list("pk", "pair__pair_id", "pair__tier")
    ]


def overview(round: Round, rows: list[ItemRow]) -> Overview:
    """The line of truth on top of a round's page. One query beside the rows."""
    counts = round.annotators.aggregate(slots=Sum("n_assigned"), labels=Sum("n_submitted"))
    states = Counter(row.state for row in rows)
    disputed = sum(row.is_disputed for row in rows)
    return Overview(
        items=len(rows),
        slots=counts["slots"] or 0,
        labels=counts["labels"] or 0,
        disputed=disputed,
        settled=states["settled"],
        unsettled_disputes=states["disputed"],
        missing=tuple(_missing(round, states, incomplete=sum(not row.is_complete for row in rows))),
    )


def _missing(round: Round, states: Counter[str], *, incomplete: int) -> list[str]:
    found = []
    if round.state == RoundState.DRAFT:
        found.append("The round is a draft: choose its annotators and open it.")
    if incomplete and round.state != RoundState.DRAFT:
        found.append(f"{_pairs(incomplete)} still {_lack(incomplete)} a label.")
    if round.state == RoundState.OPEN:
        found.append("The round is open: close it when labelling is over.")
    if states["disputed"]:
        found.append(f"{_pairs(states['disputed'])} in dispute, to be settled by an adjudicator.")
    if not schemes.from_canonical(round.scheme).primary:
        found.append("Its scheme has no primary question, so there is no category to settle or freeze.")
    elif states["agreed"] and round.state == RoundState.CLOSED:
        found.append(f"{_pairs(states['agreed'])} agreed on, to be settled by the round's rule.")
    return found


def _pairs(n: int) -> str:
    return "1 pair" if n == 1 else f"{n} pairs"


def _lack(n: int) -> str:
    return "lacks" if n == 1 else "lack"


def people_of(round: Round) -> list[Person]:
    """Each annotator's figures, in the order they joined. Two queries, whatever the round's size."""
    scheme = schemes.from_canonical(round.scheme)
    tallies: dict[int, _Tally] = defaultdict(_Tally)
    rows = Label.objects.filter(
        assignment__round=round, assignment__state=AssignmentState.SUBMITTED, revision=F("assignment__revision")
    ).values_list(
        "assignment__annotator_id",
        "kind",
        "category",
        "seconds",
        "idle_seconds",
        "flagged",
        "assignment__shown_as_a",
        "assignment__item__pair_id",
        "assignment__item__pair__role_1",
        "assignment__item__pair__role_2",
        "assignment__item__gold_category",
    )
    for annotator, kind, category, seconds, idle, flagged, shown_as_a, pair, role_1, role_2, gold in rows:
        tally = tallies[annotator]
        tally.labels += 1
        tally.flagged += flagged
        if seconds is not None:
            tally.timed += 1
            tally.seconds += seconds
            tally.idle += idle or 0.0
        if kind == LabelKind.GOLD:
            tally.gold.append(category == gold)
        if kind in {LabelKind.LABEL, LabelKind.REPEAT}:
            tally.by_pair[pair][kind] = category
        tally.shown[_on_screen(scheme, category, (role_1, role_2), shown_as_a)] += 1
    return [_person(place, tallies[place.pk]) for place in round.annotators.select_related("user")]


def _on_screen(scheme: Scheme, category: str, roles: tuple[str, str], shown_as_a: str) -> str:
    """The primary answer as it was on screen: A, B or a word; '' where the order or the answer is not known."""
    if not scheme.primary or not category or shown_as_a not in roles:
        return ""
    return str(scheme.to_sides({scheme.primary: category}, roles=roles, shown_as_a=shown_as_a)[scheme.primary])


def _person(place: RoundAnnotator, tally: _Tally) -> Person:
    a, b = (tally.shown[side] for side in SIDES)
    repeats = [both for both in tally.by_pair.values() if len(both) == 2]
    spent = tally.seconds + tally.idle
    return Person(
        place=place,
        assigned=place.n_assigned,
        submitted=place.n_submitted,
        flagged=tally.flagged,
        seconds_per_pair=tally.seconds / tally.timed if tally.timed else None,
        idle_share=tally.idle / spent if spent else None,
        shares={shown: count for shown, count in sorted(tally.shown.items()) if shown},
        first=proportion(a, a + b, unit="label"),
        p=mcnemar(a, b).exact if a + b else None,
        gold_right=sum(tally.gold),
        gold_total=len(tally.gold),
        repeats_same=sum(both[LabelKind.LABEL] == both[LabelKind.REPEAT] for both in repeats),
        repeats_total=len(repeats),
    )
