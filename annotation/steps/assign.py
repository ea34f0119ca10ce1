"""Making rounds: items, annotators and every slot ahead, so that no pair can get a label too many."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation import schemes
from annotation.enums import LabelKind, MemberRole, ResolutionRule, RoundKind, RoundState
from annotation.errors import Refused
from annotation.models import Guideline, Item, Membership, Pair, Round, RoundAnnotator, Split, User
from annotation.schemes import Scheme
from annotation.steps import audit
from annotation.steps.pool import make_pool
from annotation.steps.slots import make_slots

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
    subset: int | None = None,
    labels_per_pair: int = 2,
    seed: int = 0,
    resolution_rule: ResolutionRule = ResolutionRule.UNANIMOUS,
    gold: Mapping[str, str] | None = None,
    repeats: int = 0,
    training: Round | None = None,
    shared_pool: bool = False,
    **provenance: object,
) -> Round:
    """A draft round over the pairs of ``split`` that have two texts (and one of ``tiers``, where given).

    ``subset``: a seeded draw of that many of them. ``gold``: {pair id: expected category}, given to every annotator
    beside their own pairs and kept out of agreement. ``repeats``: how many of their pairs each annotator gets twice.
    ``training``: the training round to pass first. ``shared_pool``: slots are made ahead but claimed one by one.
    Raises Refused for a name in use, no pair, an unknown gold pair, or gold and repeats in a shared pool.
    """
    if shared_pool and (gold or repeats):
        raise Refused("Gold pairs and repeats need slots given ahead; leave out the pool.", code="pool_with_checks")
    loaded = schemes.load(scheme)
    round_ = _new_round(
        split, name, loaded, guideline, labels_per_pair=labels_per_pair, seed=seed,
        resolution_rule=resolution_rule, n_repeats=repeats, training=training, shared_pool=shared_pool, **provenance,
    )  # fmt: skip
    pairs = _with_texts(split)
    if tiers is not None:
        pairs = pairs.filter(tier__in=list(tiers))
    gold_pairs = _known(pairs, gold or {}, loaded)
    ids = list(pairs.exclude(pair_id__in=gold_pairs).order_by("position").values_list("pk", flat=True))
    if subset is not None:
        drawn = set(random.Random(f"{seed}:subset").sample(ids, min(subset, len(ids))))
        ids = [pk for pk in ids if pk in drawn]
    if not ids:
        raise Refused(f"Split {split} has no pair with two texts for this round.", code="empty_round")
    items = [Item(round=round_, pair_id=pk, position=place) for place, pk in enumerate(ids)]
    for pair_id, pair in gold_pairs.items():
        items.append(
            Item(
                round=round_,
                pair=pair,
                kind=LabelKind.GOLD,
                gold_category=(gold or {})[pair_id],
                position=len(items),
            )
        )
    Item.objects.bulk_create(items, batch_size=BATCH)
    audit.record(study=split.study, actor=actor, action="round.created", subject=name, items=len(items))
    return round_


@transaction.atomic
def create_training_round(
    *,
    split: Split,
    name: str,
    scheme: str,
    actor: User | None,
    guideline: str,
    answers: Mapping[str, tuple[str, str]],
    pass_mark: float,
    seed: int = 0,
) -> Round:
    """A draft training round: ``answers`` is {pair id: (expected category, why)}, the why shown as feedback."""
    if not 0 <= pass_mark <= 1:
        raise Refused("A pass mark is a share from 0 to 1.", code="invalid_pass_mark")
    loaded = schemes.load(scheme)
    round_ = _new_round(
        split, name, loaded, guideline, labels_per_pair=1, seed=seed, kind=RoundKind.TRAINING, pass_mark=pass_mark
    )
    pairs = _known(_with_texts(split), {pair_id: category for pair_id, (category, _) in answers.items()}, loaded)
    if not pairs:
        raise Refused("A training round needs pairs with their expected answers.", code="empty_round")
    Item.objects.bulk_create(
        Item(
            round=round_,
            pair=pair,
            kind=LabelKind.TRAINING,
            gold_category=answers[pair_id][0],
            gold_reason=answers[pair_id][1],
            position=place,
        )
        for place, (pair_id, pair) in enumerate(pairs.items())
    )
    audit.record(study=split.study, actor=actor, action="round.created", subject=name, items=len(pairs))
    return round_


def _new_round(split: Split, name: str, scheme: Scheme, guideline: str, **fields: object) -> Round:
    if Round.objects.filter(study=split.study_id, name=name).exists():
        raise Refused(f"This study already has a round called {name}.", code="round_exists")
    round_ = Round.objects.create(
        study_id=split.study_id,
        split=split,
        name=name,
        scheme_name=scheme.name,
        scheme_version=scheme.version,
        scheme_hash=scheme.digest,
        scheme=scheme.canonical,
        **fields,
    )
    Guideline.objects.create(round=round_, version=1, text=guideline)
    return round_


def _with_texts(split: Split) -> QuerySet[Pair]:
    return split.pairs.filter(candidate_1__isnull=False, candidate_2__isnull=False)


def _known(pairs: QuerySet[Pair], expected: Mapping[str, str], scheme: Scheme) -> dict[str, Pair]:
    """The pairs by id; Refused for an id that is not among them, or a category that the scheme does not declare."""
    found = {pair.pair_id: pair for pair in pairs.filter(pair_id__in=list(expected))}
    for pair_id, category in expected.items():
        if pair_id not in found:
            raise Refused(f"There is no pair {pair_id!r} with two texts in this round.", code="unknown_pair")
        declared = scheme.categories(scheme.primary, found[pair_id].roles)
        if category not in declared:
            raise Refused(
                f"{category!r} is expected of {pair_id}, but not one of {', '.join(declared)}.", code="unknown_category"
            )
    return {pair_id: found[pair_id] for pair_id in expected}


@transaction.atomic
def revise_guideline(*, round: Round, text: str, actor: User | None) -> Guideline:
    """A new version of the guideline; every annotator is shown it before their next pair."""
    latest = Guideline.objects.select_for_update().filter(round=round).order_by("-version").first()
    if latest is not None and latest.text == text:
        return latest
    made = Guideline.objects.create(round=round, version=(latest.version if latest else 0) + 1, text=text)
    audit.record(study=round.study, actor=actor, action="guideline.revised", subject=round, version=made.version)
    return made


@transaction.atomic
def open_round(*, round: Round, annotators: Sequence[User], actor: User | None) -> None:
    """Give every slot of every item to an annotator, in a balanced recorded order, and open the round."""
    round = Round.objects.select_for_update().get(pk=round.pk)
    if round.state != RoundState.DRAFT:
        raise Refused(f"Round {round} is {round.state}; only a draft can be opened.", code="round_not_draft")
    check_annotators(round, annotators, at_least=round.labels_per_pair)
    places = [
        RoundAnnotator(round=round, user=user, name=f"annotator-{number}") for number, user in enumerate(annotators, 1)
    ]
    RoundAnnotator.objects.bulk_create(places)
    if round.shared_pool:
        make_pool(round)
    else:
        make_slots(round, places)
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


def check_annotators(round: Round, annotators: Sequence[User], *, at_least: int) -> None:
    """Refused where there are too few of them, or one who is no annotator of the study now."""
    if len(set(annotators)) < at_least:
        raise Refused(
            f"Round {round} wants {round.labels_per_pair} labels a pair and has {len(set(annotators))} annotators. "
            "Add annotators, or ask for fewer labels.",
            code="too_few_annotators",
        )
    blind = set(
        Membership.objects.filter(
            study=round.study_id, user__in=annotators, role=MemberRole.ANNOTATOR, removed_at__isnull=True
        ).values_list("user_id", flat=True)
    )
    for user in annotators:
        if user.pk not in blind:
            raise Refused(
                f"{user} is not an annotator of this study. Whoever sees roles or labels cannot label.",
                code="not_an_annotator",
            )
