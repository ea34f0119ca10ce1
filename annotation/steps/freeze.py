"""Freezing settled pairs into a validated split: hashed text that anyone can check, and rows to score against."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max

from annotation import schemes
from annotation.enums import LabelKind, RoundKind, RoundState
from annotation.errors import Refused
from annotation.models import Item, Round, Study, User, ValidatedPair, ValidatedSplit
from annotation.steps import audit
from annotation.steps.adjudicate import latest_resolutions
from annotation.steps.in_force import labels_in_force
from annotation.targets import human_target, is_unanimous

HASH_FORMAT = 1
BATCH = 1_000


@transaction.atomic
def freeze(*, study: Study, name: str, rounds: Sequence[Round], by: User | None) -> ValidatedSplit:
    """Freeze the settled pairs of closed ``rounds`` under ``name``; a second freeze of a name is its next version.

    Nothing is left out: a pair without a settled category is kept as undecided or excluded, with the reason.
    Raises Refused for an open round, a round of another study, or a pair that two of the rounds hold.
    """
    rounds = list(Round.objects.select_for_update().filter(pk__in=[each.pk for each in rounds]).order_by("pk"))
    if not rounds:
        raise Refused("Name at least one round to freeze.", code="nothing_to_freeze")
    for round_ in rounds:
        if round_.study_id != study.pk:
            raise Refused(f"Round {round_} belongs to another study.", code="other_study")
        if round_.kind == RoundKind.TRAINING:
            raise Refused(f"Round {round_} is a training round; its labels validate nothing.", code="training_round")
        if round_.state != RoundState.CLOSED:
            raise Refused(f"Round {round_} is {round_.state}. Close it before freezing.", code="round_not_closed")
    validated = [pair for round_ in rounds for pair in _validated_pairs(round_)]
    _refuse_pairs_held_twice(validated)
    canonical = canonical_text(rounds=rounds, pairs=validated)
    last = ValidatedSplit.objects.filter(study=study, name=name).aggregate(last=Max("version"))["last"] or 0
    frozen = ValidatedSplit.objects.create(
        study=study,
        name=name,
        version=last + 1,
        hash_format=HASH_FORMAT,
        sha256=hashlib.sha256(canonical.encode()).hexdigest(),
        canonical=canonical,
        by=by,
    )
    frozen.rounds.set(rounds)
    for pair in validated:
        pair.validated_split = frozen
    ValidatedPair.objects.bulk_create(validated, batch_size=BATCH)
    audit.record(study=study, actor=by, action="split.frozen", subject=frozen, sha256=frozen.sha256)
    return frozen


def canonical_text(*, rounds: Sequence[Round], pairs: Sequence[ValidatedPair]) -> str:
    """The hashed text: JSON lines in code-point order of pair id, without database ids, users, times or floats."""
    head = {
        "format": HASH_FORMAT,
        "rounds": sorted([r.name, r.scheme_name, r.scheme_version, r.scheme_hash] for r in rounds),
    }
    body = [
        {
            "pair_id": each.pair.pair_id,
            "content": each.pair.content_hash,
            "categories": each.categories,
            "category": each.category,
            "constructed_tier": each.constructed_tier,
            "constructed_target": each.constructed_target,
            "human_target": each.human_target,
            "status": str(each.status),
            "reason": each.reason,
            "any_tie": each.any_tie,
            "unanimous": each.unanimous,
        }
        for each in sorted(pairs, key=lambda each: each.pair.pair_id)
    ]
    return "".join(
        json.dumps(line, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n" for line in [head, *body]
    )


def _validated_pairs(round: Round) -> list[ValidatedPair]:
    scheme = schemes.from_canonical(round.scheme)
    given: dict[int, list[str]] = defaultdict(list)
    for label in labels_in_force(round):
        given[label.item_id].append(label.category)
    settled = latest_resolutions(round)
    rows = []
    for item in Item.objects.filter(round=round, kind=LabelKind.LABEL).select_related("pair"):
        pair, categories = item.pair, sorted(given[item.pk])
        resolution = settled.get(item.pk)
        category = resolution.category if resolution else ""
        meaning = human_target(
            tier=pair.tier,
            categories=categories,
            settled=category or None,
            constructed=pair.target,
            roles=pair.roles,
            mapping=scheme.meanings(pair.roles, tier=pair.tier),
        )
        ties = scheme.ties(pair.roles)
        rows.append(
            ValidatedPair(
                pair=pair,
                resolution=resolution,
                category=category,
                categories=categories,
                constructed_tier=pair.tier,
                constructed_target=pair.target,
                human_target=meaning.target,
                status=meaning.status,
                reason=meaning.reason,
                any_tie=any(each in ties for each in categories),
                unanimous=is_unanimous(categories),
            )
        )
    return rows


def _refuse_pairs_held_twice(pairs: Sequence[ValidatedPair]) -> None:
    seen: set[int] = set()
    for each in pairs:
        if each.pair_id in seen:
            raise Refused(
                f"Pair {each.pair.pair_id} is in two of these rounds. Freeze them apart.", code="pair_in_two_rounds"
            )
        seen.add(each.pair_id)
