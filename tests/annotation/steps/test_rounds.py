"""Rounds: slots made ahead, balanced orders, labelling, undo, settlement and freeze."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from annotation.enums import AssignmentState, MemberRole, ResolutionMethod, ResolutionRule, ValidationStatus
from annotation.errors import NotAllowed, Refused
from annotation.models import Assignment, Draft, Item, Label, Resolution, Round, RoundAnnotator
from annotation.steps.adjudicate import disagreements, settle, settle_round
from annotation.steps.assign import close_round, create_round, open_round
from annotation.steps.freeze import freeze
from annotation.steps.label import as_blind_pair, next_assignment, save_draft, submit_label, undo_last
from annotation.steps.members import set_member
from tests.material import GRADED, Material, pair_row, say

pytestmark = pytest.mark.django_db


def slots(round: Round, annotator: int = 0) -> list[Assignment]:
    places = list(round.annotators.order_by("pk"))
    return list(Assignment.objects.filter(annotator=places[annotator]).order_by("position"))


@pytest.mark.parametrize(("people", "labels"), [(2, 2), (5, 2), (3, 3), (4, 1)])
def test_slots_are_capped_spread_and_balanced(material: Material, people: int, labels: int) -> None:
    material.pairs([pair_row(n, tier=("moderate", "conflict")[n % 2]) for n in range(23)])
    round_ = material.round(annotators=material.annotators(people), labels_per_pair=labels, seed=7)
    per_item: dict[int, list[Assignment]] = defaultdict(list)
    load: Counter[int] = Counter()
    first: dict[tuple[int, str], int] = defaultdict(int)
    for slot in Assignment.objects.select_related("item__pair"):
        per_item[slot.item_id].append(slot)
        load[slot.annotator_id or 0] += 1
        first[(slot.annotator_id or 0, slot.item.pair.tier or "")] += 1 if slot.shown_as_a == "plain" else -1
    assert len(per_item) == 23
    assert all(len({slot.annotator_id for slot in each}) == labels for each in per_item.values())
    assert max(load.values()) - min(load.values()) <= 1
    assert all(abs(lead) <= 1 for lead in first.values())
    if labels == 2:
        assert all({slot.shown_as_a for slot in each} == {"plain", "cited"} for each in per_item.values())
    assert round_.state == "open"


def test_annotators_see_the_pairs_in_orders_of_their_own(material: Material) -> None:
    material.pairs([pair_row(n) for n in range(12)])
    round_ = material.round()
    mine, theirs = ([slot.item_id for slot in slots(round_, who)] for who in (0, 1))
    assert sorted(mine) == sorted(theirs)
    assert mine != theirs


def test_the_database_refuses_a_second_slot_for_the_same_person(material: Material) -> None:
    material.pairs([pair_row(1)])
    slot = slots(material.round())[0]
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.create(
            item=slot.item, round=slot.round, annotator=slot.annotator, slot=9, shown_as_a="plain", position=9
        )


def test_whoever_sees_behind_cannot_label(material: Material) -> None:
    material.pairs([pair_row(1)])
    researcher = material.member(MemberRole.RESEARCHER)
    made = create_round(
        split=material.split(), name="r", scheme="graded", actor=None, guideline="Read.", labels_per_pair=1
    )
    with pytest.raises(Refused, match="cannot label"):
        open_round(round=made, annotators=[researcher], actor=None)
    with pytest.raises(Refused, match="cannot become an annotator"):
        set_member(study=material.study, user=researcher, role=MemberRole.ANNOTATOR, actor=None)


def test_pairs_without_text_are_never_labelled(material: Material) -> None:
    material.pairs([pair_row(1), pair_row(2, candidates={"plain": None, "cited": "x"})])
    round_ = material.round()
    assert [item.pair.pair_id for item in round_.items.select_related("pair")] == ["p001"]


def test_a_label_is_stored_in_roles_whatever_side_was_shown(material: Material) -> None:
    material.pairs([pair_row(n) for n in range(6)])
    round_ = material.round()
    seen = set()
    for slot in slots(round_):
        label = say(slot, "plain")
        seen.add(slot.shown_as_a)
        assert label.category == "plain"
        assert label.answers["preference"] == "plain"
    assert seen == {"plain", "cited"}


def test_what_an_annotator_is_shown_holds_no_role(material: Material) -> None:
    material.pairs([pair_row(1)])
    slot = next_assignment(place=RoundAnnotator.objects.order_by("pk")[0]) if material.round() else None
    assert slot is not None
    shown = as_blind_pair(slot)
    assert {shown.a, shown.b} == {"Plain answer 1.", "Cited answer 1 [1]."}
    text = str(shown.as_json()).replace("Plain answer", "").replace("Cited answer", "").lower()
    for hidden in ("plain", "cited", "moderate", "p001", "main"):
        assert hidden not in text


def test_submitting_twice_stores_once(material: Material) -> None:
    material.pairs([pair_row(1)])
    slot = slots(material.round())[0]
    first, second = (say(slot, "Tie", client_key="k") for _ in range(2))
    assert first.pk == second.pk
    assert Label.objects.count() == 1


def test_answers_outside_the_scheme_are_refused_and_nothing_is_stored(material: Material) -> None:
    material.pairs([pair_row(1)])
    slot = slots(material.round())[0]
    assert slot.annotator is not None
    user = slot.annotator.user
    assert user is not None
    for answers, message in (
        ({**GRADED, "preference": "plain"}, "does not offer 'plain'"),
        (GRADED, "has no answer yet"),
        ({**GRADED, "preference": "A", "mood": "good"}, "no question 'mood'"),
    ):
        with pytest.raises(Refused, match=message):
            submit_label(user=user, public_id=slot.public_id, answers=answers, client_key="k")
    assert Label.objects.count() == 0


def test_anothers_assignment_is_refused(material: Material) -> None:
    material.pairs([pair_row(1)])
    slot = slots(material.round(), 0)[0]
    stranger = material.member(MemberRole.ANNOTATOR)
    with pytest.raises(NotAllowed):
        submit_label(user=stranger, public_id=slot.public_id, answers={**GRADED, "preference": "A"}, client_key="k")


def test_undo_brings_the_last_pair_back_as_it_was_seen(material: Material) -> None:
    material.pairs([pair_row(n) for n in range(4)])
    round_ = material.round()
    first, second = slots(round_)[:2]
    say(first, "Tie")
    say(second, "cited", comment="B hides a step")
    place = RoundAnnotator.objects.get(pk=first.annotator_id)
    back = undo_last(place=place)
    assert back.pk == second.pk
    draft = Draft.objects.get(assignment=second)
    assert draft.answers["preference"] == ("A" if second.shown_as_a == "cited" else "B")
    assert draft.comment == "B hides a step"
    upcoming = next_assignment(place=place)
    assert upcoming is not None
    assert upcoming.pk == second.pk
    say(second, "plain")
    assert [label.category for label in Label.objects.filter(assignment=second)] == ["cited", "plain"]
    assert Assignment.objects.get(pk=second.pk).revision == 2


def test_the_database_refuses_to_change_a_label(material: Material) -> None:
    material.pairs([pair_row(1)])
    say(slots(material.round())[0], "Tie")
    with pytest.raises(DatabaseError, match="rows are never changed"), transaction.atomic():
        Label.objects.update(category="plain")


def test_a_draft_is_kept_until_the_label_is_submitted(material: Material) -> None:
    material.pairs([pair_row(1)])
    slot = slots(material.round())[0]
    assert slot.annotator is not None
    assert slot.annotator.user is not None
    save_draft(user=slot.annotator.user, public_id=slot.public_id, answers={"preference": "A"}, sequence=1, revision=0)
    assert Draft.objects.get(assignment=slot).answers == {"preference": "A"}
    say(slot, "Tie")
    assert not Draft.objects.exists()


def test_a_closed_round_takes_no_label_and_keeps_what_it_has(material: Material) -> None:
    material.pairs([pair_row(n) for n in range(2)])
    round_ = material.round()
    say(slots(round_)[0], "Tie")
    close_round(round=round_, actor=None)
    with pytest.raises(Refused, match="closed"):
        say(slots(round_)[1], "Tie")
    assert Label.objects.count() == 1


def label_all(round_: Round, choices: dict[str, tuple[str, str]]) -> None:
    """Submit (first annotator, second annotator) by pair id."""
    for who in (0, 1):
        for slot in slots(round_, who):
            pair_id = Item.objects.select_related("pair").get(pk=slot.item_id).pair.pair_id
            say(slot, choices[pair_id][who])


def test_settling_follows_the_rule_and_leaves_the_rest_to_people(material: Material) -> None:
    material.pairs([pair_row(n) for n in range(3)])
    round_ = material.round()
    label_all(round_, {"p000": ("plain", "plain"), "p001": ("plain", "Tie"), "p002": ("Tie", "Tie")})
    assert settle_round(round=round_, actor=None) == 2
    assert settle_round(round=round_, actor=None) == 0
    open_ones = disagreements(round_, settled=False)
    assert [each.pair_id for each in open_ones] == ["p001"]
    item = Item.objects.get(pk=open_ones[0].item_id)
    with pytest.raises(Refused, match="needs its reason"):
        settle(item=item, category="plain", reason=" ", by=material.owner)
    with pytest.raises(Refused, match="not one of plain, cited, Tie, Unclear"):
        settle(item=item, category="better", reason="Clear.", by=material.owner)
    settle(item=item, category="plain", reason="The other drops the bridge fact.", by=material.owner)
    assert disagreements(round_, settled=False) == []
    assert Resolution.objects.get(item=item).method == ResolutionMethod.ADJUDICATED
    assert {label.category for label in Label.objects.filter(assignment__item=item)} == {"plain", "Tie"}


def test_majority_settles_two_of_three(material: Material) -> None:
    material.pairs([pair_row(1)])
    round_ = material.round(
        annotators=material.annotators(3), labels_per_pair=3, resolution_rule=ResolutionRule.MAJORITY
    )
    for slot, said in zip(Assignment.objects.order_by("slot"), ("plain", "Tie", "plain"), strict=True):
        say(slot, said)
    settle_round(round=round_, actor=None)
    assert Resolution.objects.get().category == "plain"
    assert Resolution.objects.get().method == ResolutionMethod.MAJORITY


def frozen_material(material: Material) -> Round:
    material.pairs(
        [
            pair_row(0, tier="moderate", target="plain"),
            pair_row(1, tier="moderate", target="plain"),
            pair_row(2, tier="soft", target=None),
            pair_row(3, tier="moderate", target="plain"),
            pair_row(4, tier="equivalence", target=None),
        ]
    )
    round_ = material.round()
    label_all(
        round_,
        {
            "p000": ("plain", "plain"),
            "p001": ("Tie", "Tie"),
            "p002": ("Tie", "plain"),
            "p003": ("plain", "Tie"),
            "p004": ("Unclear", "Unclear"),
        },
    )
    settle_round(round=round_, actor=None)
    close_round(round=round_, actor=None)
    return round_


def test_freeze_keeps_human_and_constructed_targets_side_by_side(material: Material) -> None:
    round_ = frozen_material(material)
    frozen = freeze(study=material.study, name="main", rounds=[round_], by=material.owner)
    rows = {row.pair.pair_id: row for row in frozen.pairs.select_related("pair")}
    assert {name: (row.human_target, row.status) for name, row in rows.items()} == {
        "p000": ("plain", ValidationStatus.CONFIRMED),
        "p001": ("tie", ValidationStatus.CONTRADICTED),
        "p002": ("boundary", ValidationStatus.CONFIRMED),
        "p003": (None, ValidationStatus.UNDECIDED),
        "p004": (None, ValidationStatus.EXCLUDED),
    }
    assert [rows[name].any_tie for name in sorted(rows)] == [False, True, True, True, False]
    assert rows["p001"].constructed_target == "plain"
    assert all(row.reason for row in rows.values())


def test_freeze_hash_is_of_its_text_and_repeats(material: Material) -> None:
    round_ = frozen_material(material)
    first = freeze(study=material.study, name="main", rounds=[round_], by=material.owner)
    second = freeze(study=material.study, name="main", rounds=[round_], by=None)
    assert first.sha256 == hashlib.sha256(first.canonical.encode()).hexdigest() == second.sha256
    assert (first.version, second.version) == (1, 2)
    for hidden in (material.owner.username, "annotator-1", str(first.created_at.date())):
        assert hidden not in first.canonical


def test_freeze_refuses_an_open_round_and_a_pair_held_twice(material: Material) -> None:
    material.pairs([pair_row(1)])
    open_one = material.round()
    with pytest.raises(Refused, match="Close it before freezing"):
        freeze(study=material.study, name="x", rounds=[open_one], by=None)
    close_round(round=open_one, actor=None)
    other = material.round()
    close_round(round=other, actor=None)
    with pytest.raises(Refused, match="p001 is in two of these rounds"):
        freeze(study=material.study, name="x", rounds=[open_one, other], by=None)


def test_released_assignments_do_not_count(material: Material) -> None:
    material.pairs([pair_row(1)])
    round_ = material.round()
    label_all(round_, {"p001": ("plain", "Tie")})
    Assignment.objects.filter(slot=1).update(state=AssignmentState.RELEASED)
    assert disagreements(round_) == []
