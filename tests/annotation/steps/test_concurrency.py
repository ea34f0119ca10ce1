"""Sixteen people at once, on whichever database the run uses: no cap exceeded, no label lost or doubled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from annotation.enums import AssignmentState
from annotation.models import Assignment, Label, Round, RoundAnnotator
from annotation.steps.label import next_assignment
from tests.material import Material, pair_row, say

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = 16


def at_once(work: Callable[[RoundAnnotator], None], places: list[RoundAnnotator]) -> None:
    def and_close(place: RoundAnnotator) -> None:
        try:
            work(place)
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=len(places)) as pool:
        for done in [pool.submit(and_close, place) for place in places]:
            done.result()


def label_everything(place: RoundAnnotator) -> None:
    while (slot := next_assignment(place=place)) is not None:
        say(slot, ("plain", "cited", "Tie")[slot.pk % 3])


@pytest.fixture
def crowd(tmp_path: Path, transactional_db: None) -> Material:
    return Material(tmp_path)


def places_of(round_: Round) -> list[RoundAnnotator]:
    return list(round_.annotators.select_related("round", "user"))


def test_sixteen_annotators_never_exceed_the_cap_of_a_shared_pool(crowd: Material) -> None:
    crowd.pairs([pair_row(n) for n in range(40)])
    round_ = crowd.round(annotators=crowd.annotators(PEOPLE), shared_pool=True)
    at_once(label_everything, places_of(round_))
    live = Assignment.objects.exclude(state=AssignmentState.RELEASED)
    assert Counter(live.values_list("item_id", flat=True)) == dict.fromkeys(
        round_.items.values_list("pk", flat=True), 2
    )
    assert set(live.values_list("state", flat=True)) == {AssignmentState.SUBMITTED}
    assert Label.objects.count() == 80
    for item in round_.items.all():
        slots = list(live.filter(item=item))
        assert len({slot.annotator_id for slot in slots}) == 2
        assert {slot.shown_as_a for slot in slots} == {"plain", "cited"}
    for place in places_of(round_):
        assert place.n_assigned == place.n_submitted == live.filter(annotator=place).count()


def test_sixteen_annotators_label_their_own_slots_without_a_lost_or_double_label(crowd: Material) -> None:
    crowd.pairs([pair_row(n) for n in range(40)])
    round_ = crowd.round(annotators=crowd.annotators(PEOPLE), labels_per_pair=4)
    at_once(label_everything, places_of(round_))
    assert Label.objects.count() == 160
    assert Assignment.objects.filter(state=AssignmentState.SUBMITTED, revision=1).count() == 160


def test_one_label_sent_sixteen_times_at_once_is_stored_once(crowd: Material) -> None:
    crowd.pairs([pair_row(1)])
    slot = next_assignment(place=places_of(crowd.round())[0])
    assert slot is not None
    place = slot.annotator
    assert place is not None

    def send(_: RoundAnnotator) -> None:
        say(slot, "Tie", client_key="same")

    at_once(send, [place] * PEOPLE)
    assert Label.objects.count() == 1
    assert RoundAnnotator.objects.get(pk=place.pk).n_submitted == 1


def test_a_lease_that_ran_out_goes_to_somebody_else_and_keeps_the_cap(crowd: Material) -> None:
    crowd.pairs([pair_row(1)])
    round_ = crowd.round(annotators=crowd.annotators(2), labels_per_pair=1, shared_pool=True)
    first, second = places_of(round_)
    held = next_assignment(place=first)
    assert held is not None
    assert next_assignment(place=second) is None
    Assignment.objects.filter(pk=held.pk).update(leased_until=timezone.now() - timedelta(seconds=1))
    taken = next_assignment(place=second)
    assert taken is not None
    assert taken.public_id != held.public_id
    with pytest.raises(Exception, match="given to somebody else"):
        say(held, "plain")
    assert say(taken, "plain").category == "plain"
    assert [place.n_assigned for place in places_of(round_)] == [0, 1]
