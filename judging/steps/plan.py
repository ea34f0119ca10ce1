"""Planning a run: every comparison is written down, and its cost estimated, before anything is sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from itertools import product

from django.conf import settings
from django.db import transaction

from annotation.errors import Refused
from annotation.models import Pair, Split, Study, User, ValidatedSplit
from annotation.steps import audit
from judging import bulk
from judging.attacks import AttackError
from judging.audited import audit_options, audited_id, reasoning_of
from judging.enums import ComparisonState
from judging.models import Comparison, Condition, Judge, Run, RunComparison
from judging.protocols.lock import content_hash
from judging.protocols.registry import get_protocol
from judging.providers.registry import provider_of
from judging.showing import has_two_texts, placebo_side, show
from judging.steps.budget import NO_BUDGET, Budget
from judging.steps.estimate import Estimate, estimate_condition
from judging.steps.ways import Way, each_role, known_protocol, parse_ways

ORDERS = {"both": (1, 2), "first": (1,), "second": (2,)}

#: condition, pair, order, repeat and cue_favours: a comparison's identity.
Key = tuple[int, int, int, int, str]


@transaction.atomic
def plan_run(
    *,
    study: Study,
    judges: Sequence[Judge],
    protocols: Sequence[str | Way],
    name: str,
    split: Split | None = None,
    validated: ValidatedSplit | None = None,
    orders: str = "both",
    repeats: int = 1,
    budget: Budget = NO_BUDGET,
    concurrency: int | None = None,
    actor: User | None = None,
) -> Run:
    """Write down a run over the pairs of ``split``, or of a validated split, and its estimate in ``Run.plan``.

    ``protocols`` are Ways, or texts such as ``ladder:L0-L4`` (see ``parse_ways``). Pairs without two texts are left
    out and counted. Comparisons that another run has planned or answered are shared, not asked again. Raises Refused,
    and then nothing is stored.
    """
    _check_request(study, judges, name, orders=orders, repeats=repeats, split=split, validated=validated)
    found = _pairs(split, validated)
    pairs = [pair for pair in found if has_two_texts(pair)]
    if not pairs:
        raise Refused("There is no pair with two texts to judge.")
    ways = _with_audited(_ways(protocols, pairs), study)
    conditions = [_condition(judge, way) for judge in judges for way in ways]
    askable = {condition.pk: _askable(condition, pairs) for condition in conditions}
    wanted = list(_wanted(conditions, pairs, askable, orders=ORDERS[orders], repeats=repeats))
    if not wanted:
        raise Refused("None of the pairs can be asked in any of these ways.")
    ids, answered = _comparisons(conditions, wanted)
    estimate = _estimate(conditions, pairs, askable, wanted, answered)
    usd = budget.usd_nano()
    if usd is not None and estimate.unpriced:
        raise Refused(
            f"A budget in dollars needs prices, and judging/prices.toml has none for {', '.join(estimate.unpriced)}. "
            "Add them, or set the budget in calls or tokens."
        )
    run = Run.objects.create(
        study=study,
        split=split or _only_split(pairs),
        name=name,
        plan={
            "format": 1,
            "judges": [judge.name for judge in judges],
            "ways": [asdict(way) for way in ways],
            "orders": orders,
            "repeats": repeats,
            "validated_split": str(validated) if validated else "",
            "pairs": len(pairs),
            "pairs_without_two_texts": len(found) - len(pairs),
            "pairs_no_attack_fits": sum(len(pairs) - len(each) for each in askable.values()),
            "comparisons": len(wanted),
            "already_answered": len(answered),
            "estimate": estimate.as_json(),
        },
        budget_calls=budget.calls,
        budget_tokens=budget.tokens,
        budget_usd_nano=usd,
        concurrency=concurrency or settings.JUDGE_CONCURRENCY,
        by=actor,
    )
    bulk.insert(RunComparison, ("run_id", "comparison_id"), ((run.pk, ids[key]) for key in wanted))
    audit.record(study=study, actor=actor, action="run.planned", subject=run.name, comparisons=len(wanted))
    return run


def _check_request(
    study: Study,
    judges: Sequence[Judge],
    name: str,
    *,
    orders: str,
    repeats: int,
    split: Split | None,
    validated: ValidatedSplit | None,
) -> None:
    if not judges:
        raise Refused("A run needs a judge.")
    if not name.strip() or len(name) > 120:
        raise Refused("A run needs a name of at most 120 characters.")
    if Run.objects.filter(study=study, name=name).exists():
        raise Refused(f"This study already has a run called {name!r}. Resume it, or give another name.")
    if orders not in ORDERS:
        raise Refused(f"There are no orders {orders!r}; there are: {', '.join(ORDERS)}.")
    if not 1 <= repeats <= 100:
        raise Refused("A comparison is repeated 1 to 100 times.")
    if (split is None) == (validated is None):
        raise Refused("A run is over a split or over a validated split: name one of them.")
    of_study = [judge.study_id == study.pk for judge in judges]
    of_study += [each.study_id == study.pk for each in (split, validated) if each is not None]
    if not all(of_study):
        raise Refused("Judges and split must belong to the run's study.")


def _pairs(split: Split | None, validated: ValidatedSplit | None) -> list[Pair]:
    if validated is not None:
        return list(Pair.objects.filter(validations__validated_split=validated).order_by("split_id", "position"))
    return list(Pair.objects.filter(split=split).order_by("position"))


def _only_split(pairs: Sequence[Pair]) -> Split | None:
    splits = {pair.split_id for pair in pairs}
    return pairs[0].split if len(splits) == 1 else None


def _ways(protocols: Sequence[str | Way], pairs: Sequence[Pair]) -> list[Way]:
    given: list[Way] = []
    for each in protocols:
        given += parse_ways(each) if isinstance(each, str) else [each]
    roles = list(dict.fromkeys(role for pair in pairs for role in pair.roles))
    ways = each_role(given, roles)
    if not ways:
        raise Refused("A run needs a protocol.")
    for way in ways:
        if way.attacked_role and way.attacked_role not in roles:
            raise Refused(f"No pair has the role {way.attacked_role!r}; the roles are: {', '.join(roles)}.")
    return ways


def _with_audited(ways: Sequence[Way], study: Study) -> list[Way]:
    """One way for each condition of the run that a way audits; other ways as they are."""
    spread: list[Way] = []
    for way in ways:
        if not way.audits:
            spread.append(way)
            continue
        if not known_protocol(way.protocol).needs_audited:
            raise Refused(f"{way.protocol} checks no earlier reasoning; leave out audits={way.audits}.")
        run = Run.objects.filter(study=study, name=way.audits).first()
        if run is None:
            raise Refused(f"The study has no run {way.audits!r} whose reasoning could be checked.")
        audited = Condition.objects.filter(comparisons__wanted_by__run=run).distinct().order_by("pk")
        spread += [replace(way, options=audit_options(condition)) for condition in audited]
    return spread


def _condition(judge: Judge, way: Way) -> Condition:
    protocol = way.check(judge_may_tie=provider_of(judge).may_tie)
    digest = _protocol_hash(protocol.name, protocol.version)
    condition, _ = Condition.objects.get_or_create(
        judge=judge,
        protocol=protocol.name,
        protocol_version=protocol.version,
        level=way.level,
        paraphrase=way.paraphrase,
        probe=way.probe,
        attack=way.attack,
        attacked_role=way.attacked_role,
        seed=way.seed,
        options=way.options,
        wave=way.wave,
        defaults={"protocol_hash": digest},
    )
    if condition.protocol_hash and condition.protocol_hash != digest:
        raise Refused(
            f"{protocol.key} has changed since its version {protocol.version} was first used here. "
            "Give the changed protocol a new version."
        )
    return condition


@lru_cache(maxsize=256)
def _protocol_hash(name: str, version: str) -> str:
    return content_hash(get_protocol(name, version))


def _askable(condition: Condition, pairs: Sequence[Pair]) -> set[int]:
    """The pairs this condition can show: those that have the attacked role, with a text the attack can change."""
    if not condition.attack and condition.probe in ("", "blind"):
        return {pair.pk for pair in pairs}
    askable = set()
    for pair in pairs:
        if condition.attacked_role and condition.attacked_role not in pair.roles:
            continue
        try:
            show(pair=pair, condition=condition, order=1, cue_favours=placebo_side(pair, condition.probe))
        except AttackError:
            continue
        askable.add(pair.pk)
    return askable


def _wanted(
    conditions: Sequence[Condition],
    pairs: Sequence[Pair],
    askable: Mapping[int, set[int]],
    *,
    orders: Sequence[int],
    repeats: int,
) -> Iterable[Key]:
    """Pair by pair, so that a run stopped early has whole pairs and not whole conditions."""
    audited = {condition.pk: audited_id(condition) for condition in conditions}
    places = {pk: reasoning_of(checked) for pk, checked in audited.items() if checked is not None}
    for pair in pairs:
        for condition in conditions:
            if pair.pk in askable[condition.pk]:
                favours = placebo_side(pair, condition.probe)
                for repeat, order in product(range(repeats), orders):
                    if condition.pk not in places or (pair.pk, order, repeat) in places[condition.pk]:
                        yield condition.pk, pair.pk, order, repeat, favours


def _comparisons(conditions: Sequence[Condition], wanted: Sequence[Key]) -> tuple[dict[Key, int], set[Key]]:
    """Ids of all wanted comparisons, made where they are new, and the keys of those that are answered already."""
    columns = ("condition_id", "pair_id", "order", "repeat", "cue_favours", "state", "claimed_by", "error_code")
    fresh = ((*key, ComparisonState.PENDING.value, "", "") for key in wanted)
    bulk.insert(Comparison, columns, fresh, ignore_conflicts=True)
    ids: dict[Key, int] = {}
    answered: set[Key] = set()
    sought = set(wanted)
    rows = Comparison.objects.filter(condition__in=conditions).values_list(
        "condition_id", "pair_id", "order", "repeat", "cue_favours", "pk", "state"
    )
    for *key_parts, pk, state in rows.iterator(chunk_size=5_000):
        key: Key = tuple(key_parts)  # type: ignore[assignment]
        if key in sought:
            ids[key] = pk
            if state == ComparisonState.DONE:
                answered.add(key)
    return ids, answered


def _estimate(
    conditions: Sequence[Condition],
    pairs: Sequence[Pair],
    askable: Mapping[int, set[int]],
    wanted: Sequence[Key],
    answered: set[Key],
) -> Estimate:
    open_ones: dict[int, int] = {}
    for key in wanted:
        if key not in answered:
            open_ones[key[0]] = open_ones.get(key[0], 0) + 1
    total = Estimate()
    for condition in conditions:
        able = [pair for pair in pairs if pair.pk in askable[condition.pk]]
        total += estimate_condition(condition=condition, pairs=able, unanswered=open_ones.get(condition.pk, 0))
    return total
