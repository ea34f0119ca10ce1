"""The labelling pages and their API as a browser without any script, or a program, meets them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.enums import AssignmentState
from annotation.models import Assignment, Draft, Label, Round, RoundAnnotator, User
from annotation.places import address_of
from annotation.steps.assign import close_round, create_training_round, open_round, revise_guideline
from annotation.steps.label import read_guideline
from tests.material import GRADED, Material, pair_row

pytestmark = pytest.mark.django_db

ANSWERS = {**GRADED, "preference": "Tie"}
FIELDS = {f"q-{name}": value for name, value in ANSWERS.items()}


class Labeller:
    """An annotator with a signed-in client, in front of their place in a round."""

    def __init__(self, material: Material, round_: Round, user: User) -> None:
        self.round = round_
        self.user = user
        self.client = Client()
        self.client.force_login(user)
        self.place = RoundAnnotator.objects.get(round=round_, user=user)
        self.keys = {"place": address_of(self.place.pk)}

    def read(self) -> None:
        read_guideline(place=self.place, version=self.round.guidelines.latest("version").version)

    @property
    def slots(self) -> list[Assignment]:
        return list(Assignment.objects.filter(annotator=self.place).order_by("position"))

    def url(self, name: str, slot: Assignment | None = None) -> str:
        return reverse(name, kwargs={**self.keys, **({"assignment": slot.public_id} if slot else {})})

    def page(self, name: str, slot: Assignment | None = None) -> Any:
        return self.client.get(self.url(name, slot))

    def submit(self, slot: Assignment, **more: Any) -> Any:
        body = {"answers": ANSWERS, "client_key": "a-key-of-its-own", **more}
        return self.client.post(self.url("api_submit", slot), json.dumps(body), content_type="application/json")

    def draft(self, slot: Assignment, **more: Any) -> Any:
        body = {"answers": {"preference": "A"}, "sequence": 1, "revision": 0, **more}
        return self.client.put(self.url("api_draft", slot), json.dumps(body), content_type="application/json")


@pytest.fixture
def labeller(material: Material) -> Labeller:
    material.pairs([pair_row(number) for number in range(1, 4)])
    people = material.annotators(2)
    made = Labeller(material, material.round(annotators=people), people[0])
    made.read()
    return made


# ---- without script


def test_a_form_post_stores_the_label_and_leads_to_the_next_pair(labeller: Labeller) -> None:
    first, second, _ = labeller.slots
    answer = labeller.client.post(
        labeller.url("own_pair", first), {**FIELDS, "client_key": "form-key-1", "flagged": "on"}
    )
    assert answer.status_code == 302
    assert answer.headers["Location"] == labeller.url("label")
    label = Label.objects.get()
    assert (label.category, label.flagged) == ("Tie", True)
    assert labeller.url("own_pair", second) in labeller.page("label").content.decode()


def test_a_form_sent_twice_stores_once(labeller: Labeller) -> None:
    for _ in range(2):
        labeller.client.post(labeller.url("own_pair", labeller.slots[0]), {**FIELDS, "client_key": "form-key-1"})
    assert Label.objects.count() == 1


def test_a_missing_answer_is_named_and_the_others_stay(labeller: Labeller) -> None:
    fields = {**FIELDS, "comment": "Still here."}
    del fields["q-preference"]
    answer = labeller.client.post(labeller.url("own_pair", labeller.slots[0]), fields)
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "“Which answer is better?” has no answer yet." in text
    assert "Still here." in text
    assert 'name="q-more_complete_support" value="same" data-key="t" checked' in text
    assert not Label.objects.exists()


def test_undo_without_script_shows_the_pair_as_it_was_answered(labeller: Labeller) -> None:
    first = labeller.slots[0]
    labeller.client.post(labeller.url("own_pair", first), FIELDS)
    answer = labeller.client.post(labeller.url("undo_label"), follow=True)
    assert answer.redirect_chain == [(labeller.url("own_pair", first), 302)]
    assert 'name="q-preference" value="Tie" data-key="t" checked' in answer.content.decode()


def test_nothing_to_undo_is_said_and_changes_nothing(labeller: Labeller) -> None:
    answer = labeller.client.post(labeller.url("undo_label"), follow=True)
    assert answer.status_code == 200
    assert Label.objects.count() == 0


def test_texts_are_shown_as_they_are_and_nothing_in_them_runs(material: Material) -> None:
    evil = "<script>alert(1)</script>\n  two  spaces & <b>bold</b> \u202eright to left"
    material.pairs([pair_row(1, task=evil, candidates={"plain": evil, "cited": "</div>{{ boot }}"})])
    people = material.annotators(2)
    labeller = Labeller(material, material.round(annotators=people), people[0])
    labeller.read()
    text = labeller.page("label").content.decode()
    assert "<script>alert(1)</script>" not in text
    assert (
        "&lt;script&gt;alert(1)&lt;/script&gt;\n  two  spaces &amp; &lt;b&gt;bold&lt;/b&gt; \u202eright to left" in text
    )
    assert "&lt;/div&gt;{{ boot }}" in text


def test_pages_carry_the_strict_policy_and_nothing_inline(labeller: Labeller) -> None:
    answer = labeller.page("label")
    policy = answer.headers["Content-Security-Policy"]
    assert "unsafe-inline" not in policy
    assert "script-src 'self'" in policy
    text = answer.content.decode()
    assert " style=" not in text
    assert " onclick=" not in text
    assert text.count("<script") == text.count('<script type="module" src=') + 1
    assert '<script id="boot" type="application/json">' in text
    assert answer.headers["Cache-Control"].startswith("max-age=0, no-cache, no-store")


def test_a_natural_round_offers_sides_and_stores_roles(material: Material) -> None:
    material.pairs([pair_row(1, tier="natural", target=None)])
    people = material.annotators(2)
    labeller = Labeller(material, material.round(scheme="natural", annotators=people), people[0])
    labeller.read()
    [slot] = labeller.slots
    fields = {
        "q-verdict": "A",
        "q-added_content": "no",
        "q-display_could_sway": "no",
        "q-mismatches": ["date", "polarity"],
    }
    labeller.client.post(labeller.url("own_pair", slot), fields)
    stored = Label.objects.get().answers
    assert stored["verdict"] == ("base" if slot.shown_as_a == "plain" else "citation") + "_more_correct"
    assert stored["mismatches"] == ["date", "polarity"]


def test_a_scale_per_candidate_is_stored_by_role(material: Material) -> None:
    material.pairs([pair_row(1)])
    people = material.annotators(2)
    labeller = Labeller(material, material.round(scheme="likert", annotators=people), people[0])
    labeller.read()
    [slot] = labeller.slots
    asked = ("factual_accuracy", "completeness", "coherence_and_fluency")
    fields = {f"q-{name}-{side}": number for name in asked for side, number in (("A", "2"), ("B", "5"))}
    labeller.client.post(labeller.url("own_pair", slot), fields)
    other = "cited" if slot.shown_as_a == "plain" else "plain"
    assert Label.objects.get().answers["completeness"] == {slot.shown_as_a: 2, other: 5}


# ---- guideline, states, own labels


def test_the_guideline_comes_before_the_first_pair_and_again_when_it_changes(material: Material) -> None:
    material.pairs([pair_row(1)])
    people = material.annotators(2)
    labeller = Labeller(material, material.round(annotators=people), people[0])
    assert labeller.page("label").headers["Location"] == labeller.url("guideline")
    labeller.client.post(labeller.url("guideline"), {"version": "1"})
    assert labeller.page("label").status_code == 200
    revise_guideline(round=labeller.round, text="# Anew\n\n<script>no</script> [bad](javascript:alert(1))", actor=None)
    assert labeller.page("label").headers["Location"] == labeller.url("guideline")
    text = labeller.page("guideline").content.decode()
    assert "The guideline has changed" in text
    assert "<h1>Anew</h1>" in text
    assert "<script>no" not in text
    assert "javascript:" not in text.replace("[bad](javascript:alert(1))", "")


@pytest.mark.parametrize(
    ("state", "words"), [("closed", "This round is closed"), ("left", "place in this round has ended")]
)
def test_a_round_that_is_over_says_so(state: str, words: str, labeller: Labeller) -> None:
    if state == "closed":
        close_round(round=labeller.round, actor=None)
    else:
        RoundAnnotator.objects.filter(pk=labeller.place.pk).update(state="left", reason="moved")
    assert words in labeller.page("label").content.decode()
    assert labeller.client.get(labeller.url("api_next")).json()["state"] == {"closed": "closed", "left": "ended"}[state]


def test_done_tells_ones_own_count_and_time(labeller: Labeller) -> None:
    for number, slot in enumerate(labeller.slots):
        labeller.submit(slot, client_key=f"key-number-{number}", seconds=100)
    text = labeller.page("label").content.decode()
    assert "All done, thank you" in text
    assert "You labelled 3 pairs in 5 min 0 s of active work." in text


def test_own_labels_are_listed_by_state(labeller: Labeller) -> None:
    labeller.submit(labeller.slots[0], flagged=True)
    listed = {
        show: labeller.client.get(labeller.url("own_pairs") + f"?show={show}").content.decode()
        for show in ("todo", "flagged")
    }
    assert listed["todo"].count("Question number") == 2
    assert listed["flagged"].count("Question number") == 1


def test_an_own_label_is_changed_and_both_revisions_are_kept(labeller: Labeller) -> None:
    slot = labeller.slots[0]
    labeller.submit(slot)
    assert 'value="Tie" data-key="t" checked' in labeller.page("own_pair", slot).content.decode()
    fields = {**FIELDS, "q-preference": "Unclear", "seen_revision": "1"}
    labeller.client.post(labeller.url("own_pair", slot), fields)
    assert list(Label.objects.values_list("revision", "category")) == [(1, "Tie"), (2, "Unclear")]


def test_training_tells_what_was_expected_and_opens_the_round_when_passed(material: Material) -> None:
    material.pairs([pair_row(number) for number in range(1, 4)])
    people = material.annotators(2)
    training = create_training_round(
        split=material.split(), name="training", scheme="graded", actor=None, guideline="Practise.",
        answers={"p001": ("Tie", "They say the same.")}, pass_mark=1.0,
    )  # fmt: skip
    open_round(round=training, annotators=people, actor=None)
    main = Labeller(material, material.round(annotators=people, training=training), people[0])
    trainee = Labeller(material, training, people[0])
    trainee.read()
    main.read()
    assert main.client.get(main.url("api_next")).json()["state"] == "training"
    assert main.submit(main.slots[0]).json()["code"] == "training_not_passed"
    [slot] = trainee.slots
    wrong = trainee.submit(slot, answers={**ANSWERS, "preference": "A"}).json()["feedback"]
    assert wrong == {"right": False, "expected": "Tie", "why": "They say the same."}
    assert "Training not passed yet" in trainee.page("label").content.decode()
    assert trainee.submit(slot, client_key="second-key", seen_revision=1).json()["feedback"]["right"] is True
    assert "Training passed" in trainee.page("label").content.decode()
    assert main.client.get(main.url("api_next")).json()["state"] == "pair"


# ---- the API


def test_submit_answers_with_the_next_pair_besides_those_held(labeller: Labeller) -> None:
    first, second, third = labeller.slots
    answer = labeller.submit(first, besides=[second.public_id]).json()
    assert answer["next"]["pair"]["assignment"] == third.public_id
    assert answer["next"]["progress"] == {"done": 1, "total": 3}


def test_the_same_key_stores_once_and_answers_alike(labeller: Labeller) -> None:
    first = labeller.slots[0]
    assert labeller.submit(first).json()["revision"] == labeller.submit(first).json()["revision"] == 1
    assert Label.objects.count() == 1


def test_an_answer_over_one_from_another_tab_is_refused_and_nothing_is_lost(labeller: Labeller) -> None:
    first = labeller.slots[0]
    labeller.submit(first, seen_revision=0)
    answer = labeller.submit(first, client_key="another-tab", seen_revision=0)
    assert answer.status_code == 409
    assert answer.json()["code"] == "answered_elsewhere"
    assert answer.json()["permanent"] is True
    assert Label.objects.count() == 1


def test_a_late_draft_never_wins(labeller: Labeller) -> None:
    first = labeller.slots[0]
    assert labeller.draft(first, sequence=5).json() == {"kept": True}
    assert labeller.draft(first, sequence=4, answers={"preference": "B"}).json() == {"kept": False}
    assert Draft.objects.get().answers == {"preference": "A"}


def test_a_draft_that_comes_after_the_submission_is_not_kept(labeller: Labeller) -> None:
    first = labeller.slots[0]
    labeller.submit(first)
    assert labeller.draft(first, sequence=9).json() == {"kept": False}
    labeller.client.post(labeller.url("api_undo"))
    # Overtaken by a submission that was taken back since: it still started from an older revision.
    assert labeller.draft(first, sequence=10, revision=0).json() == {"kept": False}
    assert labeller.draft(first, sequence=1, revision=1).json() == {"kept": True}


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"answers": {**ANSWERS, "preference": "C"}}, 422, "invalid_answer"),
        ({"answers": {**ANSWERS, "nothing": "A"}}, 422, "unknown_question"),
        ({"answers": {"preference": "A"}}, 422, "missing_answer"),
        ({"answers": [1]}, 400, "bad_request"),
        ({"client_key": "short"}, 400, "bad_request"),
        ({"seconds": -1}, 400, "bad_request"),
        ({"comment": "x" * 10_001}, 400, "bad_request"),
    ],
)
def test_what_the_scheme_does_not_allow_is_refused_with_a_code(
    body: dict[str, Any], status: int, code: str, labeller: Labeller
) -> None:
    answer = labeller.submit(labeller.slots[0], **body)
    assert answer.status_code == status
    assert answer.json()["code"] == code
    assert answer.json()["permanent"] is True
    assert answer.json()["message"]
    assert not Label.objects.exists()


def test_signed_out_says_so_and_that_trying_again_helps(labeller: Labeller) -> None:
    labeller.client.logout()
    answer = labeller.submit(labeller.slots[0])
    assert answer.status_code == 401
    assert answer.json()["code"] == "signed_out"
    assert answer.json()["permanent"] is False


def test_another_annotators_pair_is_not_there(labeller: Labeller) -> None:
    theirs = Assignment.objects.exclude(annotator=labeller.place).first()
    assert theirs is not None
    for answer in (labeller.submit(theirs), labeller.draft(theirs)):
        assert answer.status_code == 404
        assert answer.json()["code"] == "no_such_assignment"


# ---- cost


def test_next_and_submit_cost_the_same_queries_in_a_round_of_any_size(material: Material) -> None:
    costs = [_queries_in_a_round_of(material, n_pairs) for n_pairs in (10, 2_000)]
    assert costs[0] == costs[1]
    asked, submitted = costs[0]
    assert asked <= 6
    assert submitted <= 16


def _queries_in_a_round_of(material: Material, n_pairs: int) -> tuple[int, int]:
    split = f"split of {n_pairs}"
    material.pairs([pair_row(number, pair_id=f"{n_pairs}-{number}") for number in range(n_pairs)], split=split)
    people = material.annotators(2)
    labeller = Labeller(material, material.round(annotators=people, split=split), people[0])
    labeller.read()
    first, second, *_ = labeller.slots
    labeller.submit(first, client_key="warming-up")
    # A process remembers each address of a place after its first use; what is measured is every use after that.
    labeller.client.get(labeller.url("api_next"))
    with CaptureQueriesContext(connection) as asked:
        assert labeller.client.get(labeller.url("api_next")).status_code == 200
    with CaptureQueriesContext(connection) as submitted:
        assert labeller.submit(second, client_key="measured-key").status_code == 200
    return len(asked), len(submitted)


def test_a_released_pair_is_told_as_given_to_somebody_else(labeller: Labeller) -> None:
    first = labeller.slots[0]
    Assignment.objects.filter(pk=first.pk).update(state=AssignmentState.RELEASED)
    answer = labeller.submit(first)
    assert (answer.status_code, answer.json()["code"]) == (409, "assignment_released")
