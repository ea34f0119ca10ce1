"""The labelling screen in a real browser: keys, drafts, the broken connection, two tabs, time."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from annotation.models import Assignment, Draft, Label, Round, RoundAnnotator, User
from annotation.steps.assign import close_round, revise_guideline
from tests.browser.person import Person
from tests.material import pair_row

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEPT = re.compile("kept on this device")


@pytest.fixture
def at_work(site: Any, enter: Any) -> tuple[Person, Round, User]:
    """An annotator in front of the first of six pairs."""
    site.pairs([pair_row(number) for number in range(1, 7)])
    people = site.annotators(2)
    made = site.round(annotators=people)
    person = enter(people[0], "/work/")
    person.start_labelling()
    return person, made, people[0]


def labels_of(user: User) -> list[Label]:
    return list(Label.objects.filter(assignment__annotator__user=user).order_by("created_at"))


def saved(person: Person) -> None:
    expect(person.page.locator("[data-saved]")).to_contain_text("saved")


def test_keys_answer_move_on_and_submit(at_work: Any) -> None:
    person, _, user = at_work
    page = person.page
    expect(page.locator(".question.is-current")).to_have_attribute("data-question", "final_answers_equivalent")
    person.press("1")
    expect(page.locator(".question.is-current")).to_have_attribute("data-question", "more_complete_support")
    person.press("t", "t", "2", "n")
    assert page.evaluate("document.activeElement.hasAttribute('data-submit')")
    person.press("Enter")
    person.expect_text("[data-progress]", "1 / 6")
    saved(person)
    [label] = labels_of(user)
    assert label.category == "Unclear"
    assert label.answers["more_complete_support"] == "same"
    assert label.seconds is not None
    assert person.troubles == []


def test_enter_goes_to_what_is_missing_and_submits_nothing(at_work: Any) -> None:
    person, _, user = at_work
    person.press("1", "t")
    person.press("Enter")
    expect(person.page.locator(".question.is-missing")).to_have_count(3)
    expect(person.page.locator(".question.is-current")).to_have_attribute("data-question", "more_specific_reasoning")
    assert labels_of(user) == []


def test_keys_never_answer_while_somebody_types(at_work: Any) -> None:
    person, _, user = at_work
    person.press("c")
    person.page.keyboard.type("a b t 1 u f ?")
    expect(person.page.locator("#comment-text")).to_have_value("a b t 1 u f ?")
    expect(person.page.locator("[data-group] input:checked")).to_have_count(0)
    person.press("Escape")
    expect(person.page.locator("#comment")).to_be_hidden()
    person.press("Enter")  # belongs to the questions again, and does not open the comment anew
    expect(person.page.locator("#comment")).to_be_hidden()
    expect(person.page.locator(".question.is-missing")).to_have_count(5)
    person.answer_graded("t")
    saved(person)
    assert labels_of(user)[0].comment == "a b t 1 u f ?"


def test_single_keys_can_be_switched_off(at_work: Any) -> None:
    person, _, _ = at_work
    person.press("?")
    person.page.get_by_label("Single keys answer questions").uncheck()
    person.press("Escape")
    person.press("1", "t", "f")
    expect(person.page.locator("[data-group] input:checked")).to_have_count(0)
    expect(person.page.locator(".finish kbd").first).to_be_hidden()
    person.page.reload()
    person.press("1")
    expect(person.page.locator("[data-group] input:checked")).to_have_count(0)


def test_undo_brings_the_last_pair_back_as_it_was_answered(at_work: Any) -> None:
    person, _, user = at_work
    first = person.task
    person.answer_graded("n")
    second = person.task
    saved(person)
    person.press("u")
    person.expect_text("[data-task]", first)
    person.expect_text("[data-progress]", "0 / 6")
    expect(person.page.locator('[name="q-preference"]:checked')).to_have_value("Unclear")
    person.press("Tab")
    person.page.locator('[data-question="preference"] [value="Tie"]').check()
    person.press("Enter")
    person.expect_text("[data-task]", second)
    saved(person)
    assert [label.category for label in labels_of(user)] == ["Unclear", "Tie"]


def test_a_draft_survives_a_reload(at_work: Any) -> None:
    person, _, user = at_work
    first = person.task
    person.press("1", "t", "f")
    saved(person)
    assert Draft.objects.get(assignment__annotator__user=user).flagged
    person.page.reload()
    assert person.task == first
    expect(person.page.locator('[name="q-final_answers_equivalent"]:checked')).to_have_value("yes")
    expect(person.page.locator('[name="flagged"]')).to_be_checked()


def test_a_draft_that_never_reached_the_server_survives_too(at_work: Any) -> None:
    person, _, user = at_work
    person.page.context.set_offline(True)
    person.press("1", "t")
    person.expect_text("[data-saved]", KEPT)
    assert not Draft.objects.filter(assignment__annotator__user=user).exists()
    person.page.context.set_offline(False)
    person.page.reload()
    expect(person.page.locator('[name="q-more_complete_support"]:checked')).to_have_value("same")


def test_a_cut_mid_item_keeps_the_submission_and_sends_it_once(at_work: Any) -> None:
    person, _, user = at_work
    first = person.task
    person.press("1", "t")
    person.page.context.set_offline(True)
    person.press("t", "2", "t", "Enter")
    expect(person.page.locator("[data-task]")).not_to_have_text(first)
    person.expect_text("[data-saved]", re.compile("offline: kept on this device, 1 waiting"))
    person.expect_text("[data-progress]", "1 / 6")
    assert labels_of(user) == []
    person.page.context.set_offline(False)
    person.page.reload()
    person.expect_text("[data-progress]", "1 / 6")
    expect(person.page.locator("[data-task]")).not_to_have_text(first)
    assert [label.category for label in labels_of(user)] == ["Tie"]
    assert person.page.evaluate("Object.keys(localStorage).filter((key) => key.endsWith('queue')).length") == 0


def test_an_answer_whose_acknowledgement_was_lost_is_stored_once(at_work: Any) -> None:
    """The server stores it, the answer never comes back, the browser sends it again."""
    person, _, user = at_work
    lost = []

    def lose_first(route: Any) -> None:
        if not lost:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    person.page.route("**/submit", lose_first)
    person.answer_graded("t")
    person.expect_text("[data-saved]", "saved")
    assert lost == [200]
    assert len(labels_of(user)) == 1


def test_what_still_waits_after_the_last_pair_is_sent_from_the_page_of_thanks(site: Any, enter: Any) -> None:
    site.pairs([pair_row(1)])
    people = site.annotators(2)
    site.round(annotators=people)
    person = enter(people[0])
    person.start_labelling()
    place = person.page.url

    def lose(route: Any) -> None:
        route.fetch()
        route.abort()

    person.page.route("**/submit", lose)
    person.press("1", "t", "t", "2", "t", "Enter")
    person.expect_text("[data-state-title]", "No connection")
    person.page.unroute("**/submit")
    waiting = "() => Object.keys(localStorage).filter((key) => key.endsWith('queue')).length"
    assert person.page.evaluate(waiting) == 1
    person.page.goto(place)
    person.expect_text("h1", "All done, thank you")
    person.page.wait_for_load_state("networkidle")
    assert person.page.evaluate(waiting) == 0
    assert len(labels_of(people[0])) == 1


def test_offline_past_the_pair_held_waits_and_goes_on_by_itself(at_work: Any) -> None:
    person, _, user = at_work
    person.page.wait_for_load_state("networkidle")  # the next pair is held by now
    person.page.context.set_offline(True)
    person.answer_graded("t")
    person.press("1", "t", "t", "2", "t", "Enter")
    expect(person.page.locator("[data-state-title]")).to_have_text("No connection")
    person.page.context.set_offline(False)
    expect(person.page.locator("[data-state]")).to_be_hidden(timeout=15_000)
    person.expect_text("[data-progress]", "2 / 6")
    saved(person)
    assert len(labels_of(user)) == 2


def test_a_pair_answered_in_another_tab_is_told_and_neither_answer_is_lost(at_work: Any) -> None:
    person, _, user = at_work
    other = Person(person.page.context.new_page(), person.url)
    other.page.goto(person.page.url)
    expect(other.page.locator("body.js")).to_be_visible()
    person.answer_graded("t")
    saved(person)
    other.answer_graded("n")
    notice = other.page.locator(".notice")
    expect(notice).to_contain_text("answered in another tab")
    assert [label.category for label in labels_of(user)] == ["Tie"]
    notice.get_by_role("button", name="Replace it with mine").click()
    saved(other)
    other.page.wait_for_timeout(300)
    assert [label.category for label in labels_of(user)] == ["Tie", "Unclear"]


def test_a_guideline_that_changes_is_read_before_going_on(at_work: Any) -> None:
    person, made, _ = at_work
    person.answer_graded("t")
    saved(person)
    revise_guideline(round=made, text="Read this anew.", actor=None)
    person.press("1", "t", "t", "2", "t", "Enter")
    person.expect_text("[data-state-title]", "The guideline has changed")
    person.page.get_by_role("button", name="Read the guideline").click()
    person.expect_text("main", "Read this anew.")
    person.page.get_by_role("button", name="I have read it").click()
    person.expect_text("[data-progress]", "2 / 6")


def test_a_round_that_closes_says_what_is_kept(at_work: Any) -> None:
    person, made, user = at_work
    person.press("1", "t")
    saved(person)
    close_round(round=made, actor=None)
    person.press("t", "2", "t", "Enter")
    person.expect_text("[data-state-title]", "closed")
    assert labels_of(user) == []
    person.page.get_by_role("button", name="Go on").click()
    person.expect_text("h1", "This round is closed")


def test_the_last_pair_leads_to_thanks(at_work: Any) -> None:
    person, _, user = at_work
    for _ in range(5):
        person.answer_graded("t")
    person.press("1", "t", "t", "2", "t", "Enter")
    person.expect_text("h1", "All done, thank you")
    person.expect_text("main", "You labelled 6 pairs")
    assert len(labels_of(user)) == 6


def test_an_own_label_can_be_changed_from_the_list(at_work: Any) -> None:
    person, _, user = at_work
    person.answer_graded("t")
    saved(person)
    person.page.get_by_role("link", name="Your labels").click()
    person.page.get_by_role("link", name="Question number").first.click()
    expect(person.page.locator('[name="q-preference"]:checked')).to_have_value("Tie")
    person.page.locator('[data-question="preference"] [value="Unclear"]').check()
    person.press("Enter")
    person.page.wait_for_timeout(500)
    assert [(label.revision, label.category) for label in labels_of(user)] == [(1, "Tie"), (2, "Unclear")]


def test_both_panes_start_at_the_top_and_scroll_together(site: Any, enter: Any) -> None:
    long = "\n\n".join(f"Paragraph {number} of a long answer." for number in range(400))
    candidates = {"plain": long, "cited": long + "\n\nAnd a last word."}
    site.pairs([pair_row(number, candidates=candidates) for number in range(1, 4)])
    people = site.annotators(2)
    site.round(annotators=people)
    person = enter(people[0])
    person.start_labelling()
    page = person.page
    page.locator('[data-pane="A"]').evaluate("pane => { pane.scrollTop = 2000 }")
    page.wait_for_timeout(200)
    assert page.locator('[data-pane="B"]').evaluate("pane => pane.scrollTop") > 1500
    page.get_by_role("button", name="Scroll together").click()
    page.locator('[data-pane="A"]').evaluate("pane => { pane.scrollTop = 100 }")
    page.wait_for_timeout(200)
    assert page.locator('[data-pane="B"]').evaluate("pane => pane.scrollTop") > 1500
    person.answer_graded("t")
    for side in "AB":
        assert page.locator(f'[data-pane="{side}"]').evaluate("pane => pane.scrollTop") == 0


def test_differences_are_marked_only_on_request_and_texts_stay_verbatim(site: Any, enter: Any) -> None:
    texts = {"plain": "Two\n  lines &amp; <b>more</b>\tof it", "cited": "Two\n  lines &amp; <b>less</b>\tof it [1]"}
    site.pairs([pair_row(1, candidates=texts)])
    people = site.annotators(2)
    site.round(annotators=people)
    person = enter(people[0])
    person.start_labelling()
    page = person.page
    shown = {page.locator(f'[data-side="{side}"]').evaluate("text => text.textContent") for side in "AB"}
    assert shown == set(texts.values())
    expect(page.locator("mark")).to_have_count(0)
    page.get_by_role("button", name="Mark differences").click()
    assert set(page.locator("mark").all_inner_texts()) == {"more", "less", "[1]"}
    marked = {page.locator(f'[data-side="{side}"]').evaluate("text => text.textContent") for side in "AB"}
    assert marked == shown


def test_a_phone_shows_one_question_at_a_time_and_keeps_both_scroll_positions(site: Any, enter: Any) -> None:
    long = "\n\n".join(f"Paragraph {number}." for number in range(100))
    site.pairs([pair_row(number, candidates={"plain": long, "cited": long}) for number in range(1, 4)])
    people = site.annotators(2)
    site.round(annotators=people)
    person = enter(people[0], viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    person.start_labelling()
    page = person.page
    expect(page.locator(".question:visible")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="A", exact=True).click()
    page.locator('[data-pane="A"]').evaluate("pane => { pane.scrollTop = 300 }")
    page.get_by_role("button", name="B", exact=True).click()
    expect(page.locator('[data-side="A"]')).to_be_hidden()
    page.locator('[data-pane="B"]').evaluate("pane => { pane.scrollTop = 150 }")
    page.get_by_role("button", name="A and B").click()
    tops = [page.locator(f'[data-pane="{side}"]').evaluate("pane => pane.scrollTop") for side in "AB"]
    assert tops == [300, 150]
    page.locator(".question:visible .choice").first.tap()
    expect(page.locator(".question:visible")).to_have_attribute("data-question", "more_complete_support")


def test_a_pause_is_offered_once_after_25_minutes_of_work(at_work: Any) -> None:
    person, _, user = at_work
    page = person.page
    page.clock.install()
    page.reload()
    for _ in range(26):
        page.clock.run_for(60_000)
        page.mouse.move(10, 10)
        page.mouse.move(20, 20)
    person.press("1", "t", "t", "2", "t", "Enter")
    offer = page.locator(".notice", has_text="25 minutes")
    expect(offer).to_be_visible()
    offer.get_by_role("button", name="Pause").click()
    expect(page.locator("[data-dialog=pause]")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    page.clock.run_for(2_000)
    [label] = labels_of(user)
    assert label.seconds == pytest.approx(26 * 60, abs=30)


def test_time_without_a_sign_of_a_person_counts_as_idle(at_work: Any) -> None:
    person, _, user = at_work
    page = person.page
    page.clock.install()
    page.reload()
    page.clock.run_for(600_000)
    person.press("1", "t", "t", "2", "t", "Enter")
    page.clock.run_for(2_000)
    page.wait_for_timeout(300)
    [label] = labels_of(user)
    assert label.idle_seconds == pytest.approx(600, abs=5)
    assert label.seconds < 10


def test_an_ended_place_releases_the_pair_on_screen(at_work: Any) -> None:
    person, made, user = at_work
    place = RoundAnnotator.objects.get(round=made, user=user)
    person.answer_graded("t")
    saved(person)
    Assignment.objects.filter(annotator=place, state="pending").update(state="released")
    person.press("1")
    person.expect_text("[data-state-title]", "given to somebody else")
