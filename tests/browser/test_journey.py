"""The whole way through the pages: two annotators label by keyboard, one loses the connection, an adjudicator settles
what they differ on, a coordinator freezes it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from annotation.enums import MemberRole
from annotation.models import Label, Round, ValidatedPair, ValidatedSplit
from tests.browser.person import Person
from tests.material import pair_row

pytestmark = [pytest.mark.browser, pytest.mark.journey, pytest.mark.django_db(transaction=True)]

PAIRS = 4


def label_all(person: Person, prefer: str) -> None:
    """All pairs by keys alone; ``prefer`` is the beginning of the better text, or a key."""
    for place in range(PAIRS):
        key = prefer if len(prefer) == 1 else person.side_with(prefer)
        if place < PAIRS - 1:
            person.answer_graded(key)
        else:
            person.press("1", "t", "t", "2", key, "Enter")
    person.expect_text("h1", "All done, thank you")


def test_from_a_draft_round_to_a_frozen_split(site: Any, enter: Any) -> None:
    site.pairs([pair_row(number) for number in range(1, PAIRS + 1)])
    first, second = site.annotators(2)
    adjudicator = site.member(MemberRole.ADJUDICATOR)
    coordinator = enter(site.owner, f"/studies/{site.study.slug}/rounds/new/")

    coordinator.page.fill("#id_name", "The first round")
    coordinator.page.select_option("#id_scheme", "graded")
    coordinator.page.fill("#id_guideline", "Read both answers, then decide.")
    coordinator.page.get_by_role("button", name="Make the draft").click()
    for box in coordinator.page.get_by_role("checkbox").all():
        box.check()
    coordinator.page.get_by_role("button", name="Open the round").click()
    coordinator.expect_text("main", "under My work")

    ada, ben = enter(first), enter(second)
    ada.start_labelling()
    label_all(ada, "Plain answer")

    ben.start_labelling()
    ben.press("1", "t")
    ben.page.context.set_offline(True)
    ben.press("t", "2", "t", "Enter")
    ben.expect_text("[data-saved]", re.compile("offline: kept on this device, 1 waiting"))
    ben.page.context.set_offline(False)
    ben.expect_text("[data-saved]", re.compile("saved"))
    for _ in range(PAIRS - 2):
        ben.answer_graded(ben.side_with("Plain answer"))
    ben.press("1", "t", "t", "2", ben.side_with("Plain answer"), "Enter")
    ben.expect_text("h1", "All done, thank you")
    assert Label.objects.count() == 2 * PAIRS

    coordinator.page.reload()
    coordinator.expect_text(".truth", f"{2 * PAIRS} of {2 * PAIRS} labels given")
    coordinator.page.get_by_role("button", name="Close the round").click()
    coordinator.page.get_by_role("button", name="Settle by the rule").click()
    coordinator.expect_text("main", f"settled {PAIRS - 1} pairs")

    round_ = Round.objects.get()
    judge = enter(adjudicator, f"/studies/{site.study.slug}/rounds/{round_.pk}/disagreements/")
    judge.page.get_by_role("link", name="Answer blind first").click()
    for name, value in (
        ("final_answers_equivalent", "yes"),
        ("more_complete_support", "same"),
        ("more_specific_reasoning", "same"),
        ("display_adds_substance", "no"),
        ("preference", "Tie"),
    ):
        judge.page.locator(f'[name="q-{name}"][value="{value}"]').check()
    judge.page.get_by_role("button", name="Submit and see the labels").click()
    judge.expect_text("main", "You answered this pair blind")
    judge.press("3")
    judge.page.keyboard.type("Both give the same answer.")
    judge.press("Control+Enter")
    judge.expect_text("main", "Nothing is left in dispute")

    coordinator.go(f"/studies/{site.study.slug}/rounds/{round_.pk}/")
    coordinator.expect_text(".truth", "Ready to freeze")
    coordinator.page.get_by_role("button", name="Freeze", exact=True).click()
    expect(coordinator.page.locator("h1")).to_contain_text("version 1")
    coordinator.expect_text("main", ValidatedSplit.objects.get().sha256)

    assert sorted(ValidatedPair.objects.values_list("category", flat=True)) == ["Tie", "plain", "plain", "plain"]
    assert [person.troubles for person in (coordinator, ada, judge)] == [[], [], []]
