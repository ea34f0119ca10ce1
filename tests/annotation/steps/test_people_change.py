"""Annotators leave, are excluded, join, are trained, checked and repeated: no label is lost, no cap exceeded."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.enums import AnnotatorState, AssignmentState, LabelKind, MemberRole
from annotation.errors import NotAllowed, Refused
from annotation.models import Assignment, Invitation, Item, Label, Membership, Resolution, Round, RoundAnnotator
from annotation.steps.adjudicate import disagreements, settle, start_blind_answer
from annotation.steps.assign import close_round, create_round, create_training_round, open_round, revise_guideline
from annotation.steps.freeze import freeze
from annotation.steps.hand_over import add_annotators, draw_thirds, end_place
from annotation.steps.in_force import labels_in_force
from annotation.steps.invite import accept, invite, open_invitation
from annotation.steps.members import remove_member, set_member
from annotation.steps.training import feedback, training_result
from tests.material import Material, pair_row, say, side_of

pytestmark = pytest.mark.django_db


def live(round_: Round) -> list[Assignment]:
    return list(
        Assignment.objects.filter(round=round_)
        .exclude(state=AssignmentState.RELEASED)
        .select_related("item__pair", "annotator__user")
        .order_by("annotator", "position")
    )


def check_cap(round_: Round) -> None:
    per_item = Counter(each.item_id for each in live(round_) if each.kind == LabelKind.LABEL)
    assert set(per_item.values()) == {round_.labels_per_pair}
    for place in round_.annotators.all():
        own = [each for each in live(round_) if each.annotator_id == place.pk]
        assert place.n_assigned == len(own)
        assert place.n_submitted == sum(each.state == AssignmentState.SUBMITTED for each in own)


@pytest.mark.parametrize("state", [AnnotatorState.LEFT, AnnotatorState.EXCLUDED])
def test_slots_of_somebody_who_ends_go_to_others_and_keep_both_orders(
    material: Material, state: AnnotatorState
) -> None:
    material.pairs([pair_row(n) for n in range(20)])
    round_ = material.round(annotators=material.annotators(4), seed=3)
    place = round_.annotators.order_by("pk")[0]
    for each in [each for each in live(round_) if each.annotator_id == place.pk][:3]:
        say(each, "plain")
    end_place(place=place, state=state, reason="Moved on.", actor=material.owner)
    check_cap(round_)
    assert Label.objects.count() == 3
    assert len(labels_in_force(round_)) == (3 if state == AnnotatorState.LEFT else 0)
    assert len(labels_in_force(round_, with_excluded=True)) == 3
    orders = defaultdict(set)
    lead: Counter[int] = Counter()
    for each in live(round_):
        orders[each.item_id].add(each.shown_as_a)
        if each.annotator_id != place.pk:
            lead[each.annotator_id or 0] += 1 if each.shown_as_a == "plain" else -1
    assert all(seen == {"plain", "cited"} for seen in orders.values())
    assert all(abs(each) <= 2 for each in lead.values())


def test_a_slot_nobody_can_take_waits_for_the_next_annotator(material: Material) -> None:
    material.pairs([pair_row(n) for n in range(5)])
    round_ = material.round()
    place = round_.annotators.order_by("pk")[0]
    assert end_place(place=place, state=AnnotatorState.LEFT, reason="Ill.", actor=None) == 0
    assert len(live(round_)) == 5
    add_annotators(round=round_, users=material.annotators(1), actor=None)
    check_cap(round_)


def test_ending_a_place_needs_a_reason(material: Material) -> None:
    material.pairs([pair_row(1)])
    place = material.round().annotators.order_by("pk")[0]
    with pytest.raises(Refused, match="needs a state and a reason"):
        end_place(place=place, state=AnnotatorState.EXCLUDED, reason=" ", actor=None)


def test_a_withdrawn_label_is_not_counted_with_the_excluded(material: Material) -> None:
    from annotation.steps.label import undo_last

    material.pairs([pair_row(n) for n in range(3)])
    round_ = material.round()
    place = round_.annotators.order_by("pk")[0]
    say(next(each for each in live(round_) if each.annotator_id == place.pk), "plain")
    undo_last(place=place)
    end_place(place=place, state=AnnotatorState.EXCLUDED, reason="Guessing.", actor=None)
    assert labels_in_force(round_, with_excluded=True) == []


def test_thirds_are_independent_of_the_first_two(material: Material) -> None:
    material.pairs([pair_row(n) for n in range(4)])
    round_ = material.round(annotators=material.annotators(3))
    for each in live(round_):
        say(each, ("plain", "Tie")[each.slot])
    disputed = [Item.objects.get(pk=each.item_id) for each in disagreements(round_)]
    assert draw_thirds(round=round_, items=disputed, actor=None) == 4
    assert draw_thirds(round=round_, items=disputed, actor=None) == 0
    thirds = [each for each in live(round_) if each.kind == LabelKind.THIRD]
    for third in thirds:
        assert say(third, "plain").kind == LabelKind.THIRD
    assert len(labels_in_force(round_)) == 12


def test_gold_and_repeats_stay_out_of_agreement(material: Material) -> None:
    material.pairs([pair_row(n) for n in range(12)])
    round_ = material.round(gold={"p000": "plain", "p001": "Tie"}, repeats=2)
    kinds = Counter(each.kind for each in live(round_))
    assert kinds == {LabelKind.LABEL: 20, LabelKind.GOLD: 4, LabelKind.REPEAT: 4}
    for place in round_.annotators.all():
        own = [each for each in live(round_) if each.annotator_id == place.pk]
        assert [each.position for each in own] == list(range(14))
        first = {each.item.pair_id: each for each in own if each.kind == LabelKind.LABEL}
        for again in (each for each in own if each.kind == LabelKind.REPEAT):
            assert again.shown_as_a == first[again.item.pair_id].shown_as_a
            assert again.position > first[again.item.pair_id].position
    for each in live(round_):
        say(each, "plain")
    assert len(labels_in_force(round_)) == 20
    close_round(round=round_, actor=None)
    frozen = freeze(study=material.study, name="f", rounds=[round_], by=None)
    assert frozen.pairs.count() == 10


def test_training_tells_what_was_right_and_opens_the_round_when_passed(material: Material) -> None:
    material.pairs([pair_row(n) for n in range(4)], split="main")
    material.pairs([pair_row(n) for n in range(90, 94)], split="training")
    people = material.annotators(2)
    training = create_training_round(
        split=material.split("training"), name="training", scheme="graded", actor=None, guideline="Learn.",
        answers={f"p{n:03d}": ("plain", "The other drops a step.") for n in range(90, 94)}, pass_mark=0.75,
    )  # fmt: skip
    open_round(round=training, annotators=people, actor=None)
    main = material.round(annotators=people, training=training)
    waiting = next(each for each in live(main) if each.annotator and each.annotator.user == people[0])
    with pytest.raises(Refused, match="First pass the training round"):
        say(waiting, "plain")
    own = [each for each in live(training) if each.annotator and each.annotator.user == people[0]]
    with pytest.raises(Refused, match="no feedback"):
        feedback(own[0])
    for place, each in enumerate(own):
        say(each, "Tie" if place == 0 else "plain")
        each.refresh_from_db()
        told = feedback(each)
        assert (told.right, told.expected) == (place > 0, side_of(each, "plain"))
    result = training_result(training=training, user=people[0])
    assert (result.done, result.right, result.total, result.passed) == (4, 3, 4, True)
    assert say(waiting, "plain").category == "plain"
    close_round(round=training, actor=None)
    with pytest.raises(Refused, match="validate nothing"):
        freeze(study=material.study, name="t", rounds=[training], by=None)


def test_gold_pairs_and_categories_must_exist(material: Material) -> None:
    material.pairs([pair_row(n) for n in range(3)])
    for gold, message in (({"nope": "plain"}, "no pair 'nope'"), ({"p000": "best"}, "not one of plain, cited")):
        with pytest.raises(Refused, match=message):
            create_round(split=material.split(), name="g", scheme="graded", actor=None, guideline="g", gold=gold)
    assert Round.objects.count() == 0


def test_a_subset_is_drawn_by_its_seed(material: Material) -> None:
    material.pairs([pair_row(n) for n in range(40)])
    drawn = [
        set(material.round(subset=10, seed=seed).items.values_list("pair__pair_id", flat=True)) for seed in (1, 1, 2)
    ]
    assert len(drawn[0]) == 10
    assert drawn[0] == drawn[1] != drawn[2]


def test_an_independent_adjudication_rests_on_a_blind_answer_of_a_stranger_to_the_pair(material: Material) -> None:
    material.pairs([pair_row(1)])
    round_ = material.round()
    for each in live(round_):
        say(each, ("plain", "Tie")[each.slot])
    close_round(round=round_, actor=None)
    item = Item.objects.get()
    adjudicator = material.member(MemberRole.ADJUDICATOR)
    with pytest.raises(Refused, match="rests on your own blind answer"):
        settle(item=item, category="plain", reason="Clear.", by=adjudicator, independent=True)
    answer = start_blind_answer(item=item, adjudicator=adjudicator)
    assert start_blind_answer(item=item, adjudicator=adjudicator).pk == answer.pk
    assert say(answer, "plain").kind == LabelKind.ADJUDICATION
    answer.refresh_from_db()
    settled = settle(item=item, category="plain", reason="Clear.", by=adjudicator, answer=answer, independent=True)
    assert settled.independent
    assert len(labels_in_force(round_)) == 2
    labeller = RoundAnnotator.objects.order_by("pk")[0].user
    assert labeller is not None
    with pytest.raises(Refused, match="You labelled this pair"):
        start_blind_answer(item=item, adjudicator=labeller)
    assert Resolution.objects.count() == 1


def test_a_revised_guideline_is_a_new_version(material: Material) -> None:
    material.pairs([pair_row(1)])
    round_ = material.round()
    assert revise_guideline(round=round_, text="Read both, then answer.", actor=None).version == 1
    assert revise_guideline(round=round_, text="Read both twice.", actor=None).version == 2


def test_an_invitation_works_once_and_expires(material: Material) -> None:
    from annotation.models import User

    _, token = invite(study=material.study, role=MemberRole.ANNOTATOR, by=material.owner)
    assert token not in str(list(Invitation.objects.values()))
    guest = User.objects.create_user(username="guest")
    assert accept(token=token, user=guest).role == MemberRole.ANNOTATOR
    with pytest.raises(NotAllowed):
        accept(token=token, user=User.objects.create_user(username="second"))
    _, late = invite(study=material.study, role=MemberRole.RESEARCHER, by=material.owner)
    Invitation.objects.filter(used_at=None).update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(NotAllowed):
        open_invitation(late)


def test_leaving_does_not_make_anybody_blind_again(material: Material) -> None:
    researcher = material.member(MemberRole.RESEARCHER)
    membership = Membership.objects.get(user=researcher)
    remove_member(membership=membership, actor=material.owner)
    with pytest.raises(Refused, match="cannot become an annotator"):
        set_member(study=material.study, user=researcher, role=MemberRole.ANNOTATOR, actor=None)


def test_a_study_keeps_its_last_owner(material: Material) -> None:
    with pytest.raises(Refused, match="keeps at least one owner"):
        remove_member(membership=Membership.objects.get(user=material.owner), actor=None)
