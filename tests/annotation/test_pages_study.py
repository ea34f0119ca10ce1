"""The coordinator's and the adjudicator's pages: rounds from draft to freeze, disagreements, people, splits."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.enums import MemberRole
from annotation.errors import Refused
from annotation.models import Assignment, AuditEntry, Item, Membership, Resolution, Round, User, ValidatedSplit
from annotation.round_figures import item_rows, overview, people_of
from annotation.steps.adjudicate import settle_round
from annotation.steps.assign import close_round
from tests.material import GRADED, Material, pair_row, say

pytestmark = pytest.mark.django_db


class Reader:
    """Somebody of the study at its pages."""

    def __init__(self, material: Material, user: User) -> None:
        self.slug = material.study.slug
        self.client = Client()
        self.client.force_login(user)

    def url(self, name: str, **keys: Any) -> str:
        return reverse(name, kwargs={"slug": self.slug, **keys})

    def get(self, name: str, query: str = "", **keys: Any) -> str:
        answer = self.client.get(self.url(name, **keys) + query)
        assert answer.status_code == 200, answer.status_code
        return answer.content.decode()

    def post(self, name: str, data: dict[str, Any] | None = None, **keys: Any) -> str:
        return self.client.post(self.url(name, **keys), data or {}, follow=True).content.decode()


@pytest.fixture
def owner(material: Material) -> Reader:
    return Reader(material, material.owner)


@pytest.fixture
def disputed(material: Material) -> Round:
    """A closed round of three pairs with two labels each, differing on one; the rest is settled by the rule."""
    material.pairs([pair_row(number) for number in range(1, 4)])
    made = material.round(name="The round")
    for slot in Assignment.objects.filter(round=made).select_related("item__pair", "annotator__user").order_by("pk"):
        differs = slot.item.pair.pair_id == "p002" and slot.slot == 1
        say(slot, "Tie" if differs else "plain", comment="B says more." if differs else "", seconds=30, idle_seconds=10)
    close_round(round=made, actor=None)
    settle_round(round=made, actor=None)
    return made


def item_of(round_: Round, pair_id: str) -> Item:
    return Item.objects.get(round=round_, pair__pair_id=pair_id)


# ---- rounds


def test_a_round_is_made_opened_and_closed_from_its_pages(material: Material, owner: Reader) -> None:
    material.pairs([pair_row(1), pair_row(2, tier="natural", target=None)])
    annotators = material.annotators(2)
    fields = {
        "name": "First", "split": material.split().pk, "scheme": "graded", "tiers": ["moderate"], "labels_per_pair": 2,
        "repeats": 0, "resolution_rule": "unanimous", "seed": 7, "guideline": "Read *both*.", "recruitment": "Asked.",
    }  # fmt: skip
    owner.post("new_round", fields)
    made = Round.objects.get(name="First")
    assert (made.seed, made.recruitment, made.items.count()) == (7, "Asked.", 1)
    assert "The round is a draft" in owner.get("round", pk=made.pk)
    owner.post("open_round", {"annotators": [user.pk for user in annotators]}, pk=made.pk)
    text = owner.get("round", pk=made.pk)
    assert "0 of 2 labels given on 1 pairs" in " ".join(text.split())
    owner.post("close_round", pk=made.pk)
    made.refresh_from_db()
    assert made.state == "closed"


def test_what_a_step_refuses_is_said_and_what_was_typed_stays(material: Material, owner: Reader) -> None:
    material.pairs([pair_row(1)])
    made = material.round(name="Taken")
    fields = {
        "name": "Taken", "split": material.split().pk, "scheme": "graded", "labels_per_pair": 2, "repeats": 0,
        "resolution_rule": "unanimous", "seed": 0, "guideline": "A guideline that took an hour.",
    }  # fmt: skip
    text = owner.post("new_round", fields)
    assert "already has a round called Taken" in text
    assert "A guideline that took an hour." in text
    assert "only a draft can be opened" not in text
    assert "wants 2 labels a pair" not in owner.post("close_round", pk=made.pk)
    assert "only an open one can be closed" in owner.post("close_round", pk=made.pk)


def test_the_line_of_truth_says_what_is_missing(disputed: Round, owner: Reader) -> None:
    text = " ".join(owner.get("round", pk=disputed.pk).split())
    assert "6 of 6 labels given on 3 pairs." in text
    assert "Answers differ on 1 pair; 2 settled. Not ready to freeze." in text
    assert "1 pair in dispute, to be settled by an adjudicator." in text


def test_people_are_told_by_what_they_did_on_screen(disputed: Round) -> None:
    people = people_of(disputed)
    assert [(person.submitted, person.assigned) for person in people] == [(3, 3), (3, 3)]
    assert sum(person.shares.get("A", 0) + person.shares.get("B", 0) for person in people) == 5
    for person in people:
        assert person.seconds_per_pair == 30
        assert person.idle_share == 0.25
        a = sum(
            slot.shown_as_a == "plain"
            for slot in Assignment.objects.filter(annotator=person.place, labels__category="plain")
        )
        assert person.first.value == a / person.first.n


def test_items_can_be_kept_to_what_a_figure_counts(disputed: Round, owner: Reader) -> None:
    assert "3 pairs. Settled 2, in dispute 1" in owner.get("items", pk=disputed.pk)
    differing = owner.get("items", "?show=differ", pk=disputed.pk)
    assert "p002" in differing
    assert "p001" not in differing
    assert "1 pair answered Tie|plain" in owner.get("items", "?said=Tie%7Cplain", pk=disputed.pk)


def test_undefined_agreement_says_why_and_is_no_number(disputed: Round, owner: Reader) -> None:
    text = owner.get("agreement", pk=disputed.pk)
    assert '<summary class="muted">undefined</summary>' in text
    assert "66.7%" in text
    assert ">nan<" not in text.lower()


def test_a_round_is_frozen_and_its_hashed_text_can_be_had(disputed: Round, material: Material, owner: Reader) -> None:
    owner.post("freeze", {"name": "Validated", "rounds": [disputed.pk]}, pk=disputed.pk)
    frozen = ValidatedSplit.objects.get()
    text = owner.get("validated_split", pk=frozen.pk)
    assert frozen.sha256 in text
    assert "2/3" in text
    answer = owner.client.get(owner.url("validated_text", pk=frozen.pk))
    assert answer.content.decode() == frozen.canonical
    assert answer.headers["Content-Disposition"] == 'attachment; filename="validated-v1.jsonl"'


# ---- disagreements


def test_the_queue_tells_how_far_apart_answers_are_but_not_what_they_are(disputed: Round, material: Material) -> None:
    adjudicator = Reader(material, material.member(MemberRole.ADJUDICATOR))
    text = adjudicator.get("disagreements", pk=disputed.pk)
    assert "p002" in text
    assert "1 pair in dispute, 0 settled." in text
    main = text.split("<main")[1]
    for said in ("Tie", "plain", "B says more."):
        assert said not in main


def test_a_pair_is_settled_with_a_reason_beside_answers_and_comments(disputed: Round, owner: Reader) -> None:
    item = item_of(disputed, "p002")
    text = owner.get("item", pk=disputed.pk, item=item.pk)
    assert "B says more." in text
    assert "saw plain as A" in text
    assert "saw cited as A" in text
    refused = owner.client.post(
        owner.url("settle_item", pk=disputed.pk, item=item.pk), {"category": "Tie", "reason": ""}
    )
    assert refused.status_code == 422
    assert not Resolution.objects.filter(item=item).exists()
    done = owner.post("settle_item", {"category": "Tie", "reason": "The same."}, pk=disputed.pk, item=item.pk)
    assert "Nothing is left in dispute." in done
    settled = Resolution.objects.get(item=item)
    assert (settled.category, settled.reason, settled.independent) == ("Tie", "The same.", False)


def test_an_independent_adjudicator_answers_blind_and_then_sees_the_labels(disputed: Round, material: Material) -> None:
    adjudicator = Reader(material, material.member(MemberRole.ADJUDICATOR))
    item = item_of(disputed, "p002")
    keys = {"pk": disputed.pk, "item": item.pk}
    blind = adjudicator.get("blind_answer", **keys)
    for hidden in ("plain", "cited", "B says more.", "moderate", "p002"):
        assert hidden not in blind.replace("Plain answer", "").replace("Cited answer", "")
    fields = {f"q-{name}": value for name, value in {**GRADED, "preference": "Tie"}.items()}
    shown = adjudicator.post("blind_answer", fields, **keys)
    assert "You answered this pair blind" in shown
    assert "B says more." in shown
    adjudicator.post("settle_item", {"category": "Tie", "reason": "As I said."}, **keys)
    settled = Resolution.objects.get(item=item)
    assert settled.independent
    assert settled.assignment is not None


def test_whoever_saw_the_labels_cannot_answer_blind_any_more(disputed: Round, material: Material) -> None:
    adjudicator = Reader(material, material.member(MemberRole.ADJUDICATOR))
    keys = {"pk": disputed.pk, "item": item_of(disputed, "p002").pk}
    adjudicator.get("item", **keys)
    assert AuditEntry.objects.filter(action="item.labels_shown").count() == 1
    answer = adjudicator.client.get(adjudicator.url("blind_answer", **keys), follow=True)
    assert "your answer would not be blind" in answer.content.decode()
    assert not Assignment.objects.filter(kind="adjudication").exists()


def test_a_reader_of_the_list_costs_the_same_queries_for_more_pairs(
    material: Material, owner: Reader, django_assert_max_num_queries: Any
) -> None:
    material.pairs([pair_row(number) for number in range(1, 61)])
    made = material.round()
    for slot in Assignment.objects.filter(round=made).select_related("item__pair", "annotator__user"):
        say(slot, "plain" if slot.slot else "Tie")
    for name in ("round", "items", "disagreements", "agreement"):
        with django_assert_max_num_queries(24):
            owner.get(name, pk=made.pk)


def test_what_is_open_counts_as_missing(material: Material) -> None:
    material.pairs([pair_row(number) for number in range(1, 3)])
    made = material.round()
    slot = Assignment.objects.filter(round=made).first()
    assert slot is not None
    say(slot, "plain")
    found = overview(made, item_rows(made))
    assert (found.items, found.labels, found.slots) == (2, 1, 4)
    assert found.missing == (
        "2 pairs still lack a label.",
        "The round is open: close it when labelling is over.",
    )


# ---- people


def test_an_invitation_is_shown_once_and_makes_a_member(material: Material, owner: Reader) -> None:
    text = owner.post("invite_member", {"role": "annotator", "note": "For Ada", "days": 7})
    link = text.split("<code>http://testserver")[1].split("</code>")[0]
    assert "For Ada" in text
    assert link not in owner.get("people")
    new = Client()
    assert "Answers" not in new.get(link).content.decode()
    fields = {"username": "ada", "password1": "a long enough one", "password2": "a long enough one"}
    answer = new.post(link, fields, follow=True)
    assert answer.redirect_chain[-1][0] == reverse("my_work")
    assert Membership.objects.get(user__username="ada").role == "annotator"
    assert new.get(link).status_code == 404


def test_a_coordinator_gives_the_annotators_role_alone(material: Material) -> None:
    coordinator = Reader(material, material.member(MemberRole.COORDINATOR))
    somebody = User.objects.create_user("somebody")
    coordinator.post("add_member", {"username": "somebody", "role": "owner"})
    assert not Membership.objects.filter(user=somebody).exists()
    coordinator.post("add_member", {"username": "somebody", "role": "annotator"})
    assert Membership.objects.get(user=somebody).role == "annotator"


def test_the_last_owner_stays(material: Material, owner: Reader) -> None:
    row = Membership.objects.get(user=material.owner)
    assert "keeps at least one owner" in owner.post("end_membership", pk=row.pk)
    row.refresh_from_db()
    assert row.removed_at is None


# ---- splits


def test_pairs_are_brought_with_a_report_of_what_was_kept(material: Material, owner: Reader) -> None:
    rows = [pair_row(1), pair_row(2, candidates={"plain": "", "cited": "Something."})]
    file = SimpleUploadedFile("mine.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())
    text = owner.post("bring_pairs", {"file": file, "split": "new"})
    assert "2 pairs kept." in text
    assert "empty_candidate" in text
    assert "mine.jsonl" in owner.get("splits")
    split = material.split("new")
    assert "2 pairs, roles plain, cited." in " ".join(owner.get("split", pk=split.pk).split())


def test_labels_are_brought_as_a_closed_round(material: Material, owner: Reader) -> None:
    material.pairs([pair_row(1)])
    lines = ["pair_id,annotator,question,label,shown_as_a"]
    lines += [f"p001,{name},preference,A,plain" for name in ("ada", "ben")]
    file = SimpleUploadedFile("labels.csv", "\n".join(lines).encode())
    owner.post("bring_labels", {"file": file, "round_name": "Elsewhere", "scheme": "preference"})
    assert Round.objects.get(name="Elsewhere").state == "closed"


def test_names_from_files_are_escaped_on_every_page(material: Material, owner: Reader) -> None:
    evil = "<img src=x onerror=alert(1)>"
    material.pairs([pair_row(1, pair_id=evil, domain=evil[:50], task=evil)], split=evil)
    split = material.split(evil)
    pair = split.pairs.get()
    for text in (
        owner.get("splits"),
        owner.get("split", pk=split.pk),
        owner.get("pair", pk=pair.pk),
        owner.get("import_report", pk=material.study.imports.get().pk),
    ):
        assert "<img" not in text


def test_what_no_view_expected_is_told_on_a_page_of_its_own(
    material: Material, owner: Reader, monkeypatch: Any
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise Refused("That is not to be had.", code="refused")

    monkeypatch.setattr("annotation.views.rounds.rounds_of", refuse)
    answer = owner.client.get(owner.url("rounds"))
    assert answer.status_code == 409
    assert "That is not to be had." in answer.content.decode()
