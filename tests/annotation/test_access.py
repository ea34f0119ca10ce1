"""Who may open what: every address of the site, as every kind of person. A new address without a row fails.

The rows are the decision; the site is driven against them with real requests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.enums import MemberRole
from annotation.models import Assignment, Item, Membership, Round, RoundAnnotator, User
from annotation.places import address_of
from annotation.steps.adjudicate import settle_round
from annotation.steps.assign import close_round
from annotation.steps.freeze import freeze
from annotation.steps.invite import invite
from annotation.steps.members import remove_member
from judging.models import Comparison, Reading, Run, Verdict
from judging.steps.judges import declare_judge
from judging.steps.plan import plan_run
from tests.material import Material, pair_row, say

OWNER, COORDINATOR, ADJUDICATOR, RESEARCHER = "owner", "coordinator", "adjudicator", "researcher"
ANNOTATOR, COLLEAGUE = "annotator", "colleague"
FORMER, STRANGER, NOBODY = "former", "stranger", "nobody"
#: ``annotator`` owns the place and pair of the annotator's addresses; ``colleague`` labels in the same round;
#: ``former`` was a coordinator until their membership ended; ``stranger`` owns another study; ``nobody`` is signed out.
PERSONS = (OWNER, COORDINATOR, ADJUDICATOR, RESEARCHER, ANNOTATOR, COLLEAGUE, FORMER, STRANGER, NOBODY)
BEHIND = (OWNER, COORDINATOR, ADJUDICATOR, RESEARCHER)
MANAGERS = (OWNER, COORDINATOR)
SETTLERS = (OWNER, COORDINATOR, ADJUDICATOR)
RESEARCHERS = (OWNER, RESEARCHER)
BRINGERS = (OWNER, COORDINATOR, RESEARCHER)
COUNTERS = (OWNER, COORDINATOR, RESEARCHER)
MEMBERS = (*BEHIND, ANNOTATOR, COLLEAGUE)

SIGN_IN = "to sign-in"
#: What an address answers once somebody is let in: the page, a redirect after a deed, or what it says of the form.
LET_IN = {200, 201, 302, 409, 422}


@dataclass(frozen=True)
class Row:
    """One address: how it is called, and for whom it opens. All others get 403 as members and 404 as none."""

    opens_for: tuple[str, ...]
    method: str = "get"
    data: Mapping[str, Any] = field(default_factory=dict)
    json: bool = False
    nobody: object = SIGN_IN
    members_get: int = 403


def page(*opens_for: str) -> Row:
    return Row(opens_for)


def deed(*opens_for: str, **data: Any) -> Row:
    return Row(opens_for, method="post", data=data)


def own(method: str = "get", **data: Any) -> Row:
    """An annotator's own address: to everybody else, members included, there is nothing there."""
    return Row((ANNOTATOR,), method=method, data=data, members_get=404)


def own_api(method: str, **data: Any) -> Row:
    return Row((ANNOTATOR,), method=method, data=data, json=True, nobody=401, members_get=404)


EVERYBODY = tuple(person for person in PERSONS if person != NOBODY)
ROWS: dict[str, Row] = {
    # the site
    "home": page(*EVERYBODY),
    "sign_in": Row(PERSONS, nobody=200),
    "sign_out": Row(EVERYBODY, method="post"),
    "join": Row(PERSONS, nobody=200),
    "account": page(*EVERYBODY),
    "help": page(*EVERYBODY),
    "studies": page(*EVERYBODY),
    # the annotator's own
    "my_work": page(*EVERYBODY),
    "label": own(),
    "guideline": own(),
    "own_pairs": own(),
    "own_pair": own(),
    "undo_label": own("post"),
    "api_next": own_api("get"),
    "api_draft": own_api("put", answers={}, sequence=1, revision=1),
    "api_submit": own_api("post", answers={}, client_key="matrix-key"),
    "api_undo": own_api("post"),
    # a study
    "study": page(*BEHIND),
    "splits": page(*BEHIND),
    "bring_pairs": page(*BRINGERS),
    "split": page(*BEHIND),
    "import_report": page(*BEHIND),
    "pair": page(*BEHIND),
    "rounds": page(*BEHIND),
    "bring_labels": page(*MANAGERS),
    "new_round": page(*MANAGERS),
    "round": page(*BEHIND),
    "round_setup": page(*BEHIND),
    "open_round": deed(*MANAGERS),
    "close_round": deed(*MANAGERS),
    "settle_by_rule": deed(*MANAGERS),
    "ask_thirds": deed(*MANAGERS),
    "change_guideline": deed(*MANAGERS),
    "end_annotator": deed(*MANAGERS),
    "freeze": deed(*MANAGERS),
    "agreement": page(*BEHIND),
    "items": page(*COUNTERS),
    "disagreements": page(*SETTLERS),
    "item": page(*BEHIND),
    "settle_item": deed(*SETTLERS),
    "blind_answer": page(ADJUDICATOR),
    "validated_splits": page(*BEHIND),
    "validated_split": page(*BEHIND),
    "validated_text": page(*BEHIND),
    "runs": page(*BEHIND),
    "bring_verdicts": page(*RESEARCHERS),
    "rule": deed(*RESEARCHERS),
    "new_run": page(*RESEARCHERS),
    "run": page(*BEHIND),
    "run_progress": page(*BEHIND),
    "start_run": deed(*RESEARCHERS),
    "pause_run": deed(*RESEARCHERS),
    "cancel_run": deed(*RESEARCHERS),
    "comparisons": page(*BEHIND),
    "comparison": page(*BEHIND),
    "report": page(*BEHIND),
    "report_figure": page(*BEHIND),
    "report_verdicts": page(*BEHIND),
    "report_rows": page(*BEHIND),
    "report_json": page(*BEHIND),
    "people": page(*MANAGERS),
    "add_member": deed(*MANAGERS),
    "invite_member": deed(*MANAGERS),
    "end_membership": deed(OWNER),
    "audit": page(OWNER),
}


class World:
    """A study with everything in it, and a person of every kind."""

    def __init__(self, material: Material, tmp: Material) -> None:
        self.material = material
        # One client for everybody: each new one would look up every static file again.
        self.client = Client()
        self.persons: dict[str, User | None] = {
            OWNER: material.owner,
            COORDINATOR: material.member(MemberRole.COORDINATOR),
            ADJUDICATOR: material.member(MemberRole.ADJUDICATOR),
            RESEARCHER: material.member(MemberRole.RESEARCHER),
            ANNOTATOR: material.member(MemberRole.ANNOTATOR),
            COLLEAGUE: material.member(MemberRole.ANNOTATOR),
            FORMER: material.member(MemberRole.COORDINATOR),
            STRANGER: tmp.owner,
            NOBODY: None,
        }
        self.cookies = {person: self._signed_in(user) for person, user in self.persons.items()}
        self._fill()

    def _signed_in(self, user: User | None) -> str:
        self.client.cookies.clear()
        if user is not None:
            self.client.force_login(user)
        return self.client.cookies.output(header="", sep=";")

    def _fill(self) -> None:
        material, persons = self.material, self.persons
        material.pairs([pair_row(1), pair_row(2)])
        labellers = [persons[ANNOTATOR], persons[COLLEAGUE]]
        self.round: Round = material.round(annotators=labellers, name="first")
        for number, slot in enumerate(Assignment.objects.filter(round=self.round).order_by("item", "slot")):
            say(slot, "plain" if number % 2 else "Tie")
        closed = material.round(annotators=labellers, name="closed")
        close_round(round=closed, actor=None)
        settle_round(round=closed, actor=None)
        self.validated = freeze(study=material.study, name="frozen", rounds=[closed], by=None)
        self.run: Run = plan_run(
            study=material.study,
            split=material.split(),
            judges=[declare_judge(study=material.study, spec="baseline:always_tie")],
            protocols=["ladder:L0"],
            name="a run",
        )
        former = Membership.objects.get(study=material.study, user=persons[FORMER])
        remove_member(membership=former, actor=None)
        self.place = RoundAnnotator.objects.get(round=self.round, user=persons[ANNOTATOR])
        self.assignment = Assignment.objects.filter(annotator=self.place).order_by("position").first()
        _, self.token = invite(study=material.study, role=MemberRole.ANNOTATOR, by=material.owner)

    def _verdict(self) -> Verdict:
        """A verdict of the run, as an import would make it."""
        comparison = Comparison.objects.filter(wanted_by__run=self.run).first()
        known = Verdict.objects.filter(comparison=comparison).first()
        if known is not None:
            return known
        return Verdict.objects.create(
            comparison=comparison,
            condition=comparison.condition,
            pair=comparison.pair,
            order=comparison.order,
            repeat=0,
            reading=Reading.objects.create(comparison=comparison, outcome="unparsed"),
            outcome="unparsed",
            source="live",
        )

    def address(self, name: str) -> str:
        """The address called ``name``, filled with things that exist in this study."""
        material = self.material
        item = Item.objects.filter(round=self.round).first()
        known: dict[str, Any] = {
            "slug": material.study.slug,
            "place": address_of(self.place.pk),
            "assignment": self.assignment.public_id if self.assignment else "",
            "item": item.pk if item else 0,
            "run": self.run.public_id,
            "token": self.token,
        }
        of_pk: dict[str, Callable[[], int]] = {
            "split": lambda: material.split().pk,
            "import_report": lambda: material.study.imports.get().pk,
            "pair": lambda: material.study.pairs.first().pk,
            "validated_split": lambda: self.validated.pk,
            "validated_text": lambda: self.validated.pk,
            "comparison": lambda: Comparison.objects.filter(wanted_by__run=self.run).first().pk,
            "rule": lambda: self._verdict().pk,
            "end_membership": lambda: Membership.objects.get(user=self.persons[COLLEAGUE]).pk,
        }
        wanted = arguments(name)
        if "pk" in wanted:
            known["pk"] = of_pk.get(name, lambda: self.round.pk)()
        return reverse(name, kwargs={key: known[key] for key in wanted})

    def ask(self, name: str, person: str) -> Any:
        row = ROWS[name]
        with transaction.atomic():
            self.client.cookies = SimpleCookie(self.cookies[person])
            call = getattr(self.client, row.method)
            more: dict[str, Any] = {"content_type": "application/json"} if row.json and row.method != "get" else {}
            answer = call(self.address(name), dict(row.data), **more)
            # What one person did must not stand in the next one's way.
            transaction.set_rollback(True)
        return answer


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from patterns(each)
        else:
            yield each


def arguments(name: str) -> list[str]:
    [(possibility, _, _, _)] = get_resolver().reverse_dict.getlist(name)
    [(_, names)] = possibility
    return list(names)


@pytest.fixture
def world(material: Material, tmp_path: Any) -> World:
    other = tmp_path / "other"
    other.mkdir()
    return World(material, Material(other))


def test_every_address_has_a_row() -> None:
    names = [pattern.name for pattern in patterns(get_resolver())]
    assert None not in names
    assert sorted(names) == sorted(ROWS)


@pytest.mark.django_db
def test_each_address_opens_for_those_of_its_row_alone(world: World) -> None:
    wrong = [
        f"{name} as {person}: {answer.status_code} {answer.headers.get('Location', '')}"
        for name in sorted(ROWS)
        for person in PERSONS
        if not is_as_decided(answer := world.ask(name, person), ROWS[name], person)
    ]
    assert wrong == []


def is_as_decided(answer: Any, row: Row, person: str) -> bool:
    if person == NOBODY:
        return sent_to_sign_in(answer) if row.nobody == SIGN_IN else answer.status_code == row.nobody
    if person in row.opens_for:
        # Signing out leads to the sign-in page by design; nothing else may.
        return answer.status_code in LET_IN and (row is ROWS["sign_out"] or not sent_to_sign_in(answer))
    return bool(answer.status_code == (row.members_get if person in MEMBERS else 404))


@pytest.mark.django_db
def test_a_page_that_only_an_annotator_has_is_refused_once_they_see_behind(world: World) -> None:
    Membership.objects.filter(user=world.persons[ANNOTATOR]).update(role=MemberRole.COORDINATOR, has_seen_behind=True)
    assert world.ask("label", ANNOTATOR).status_code == 404
    assert world.ask("api_submit", ANNOTATOR).status_code == 404


@pytest.mark.django_db
def test_a_former_annotator_has_no_place_any_more(world: World) -> None:
    remove_member(membership=Membership.objects.get(user=world.persons[ANNOTATOR]), actor=None)
    assert world.ask("label", ANNOTATOR).status_code == 404
    assert world.ask("api_draft", ANNOTATOR).status_code == 404


@pytest.mark.django_db
def test_a_pair_is_not_found_under_a_place_it_does_not_belong_to(world: World) -> None:
    other = RoundAnnotator.objects.exclude(pk=world.place.pk).get(user=world.persons[ANNOTATOR])
    client = Client()
    client.force_login(world.persons[ANNOTATOR])
    keys = {"place": address_of(other.pk), "assignment": world.assignment.public_id}
    assert client.get(reverse("own_pair", kwargs=keys)).status_code == 404


@pytest.mark.django_db
def test_things_of_another_study_are_not_found_under_ones_own(world: World) -> None:
    """The owner of one study asks for another's rounds, pairs, splits, runs and members under their own slug."""
    stranger = world.persons[STRANGER]
    own_slug = Membership.objects.get(user=stranger).study.slug
    client = Client()
    client.force_login(stranger)
    for name in sorted(ROWS):
        if "slug" not in arguments(name) or len(arguments(name)) == 1:
            continue
        if OWNER not in ROWS[name].opens_for:
            continue  # refused by role before anything is looked for
        address = world.address(name).replace(world.material.study.slug, own_slug)
        answer = getattr(client, ROWS[name].method)(address, dict(ROWS[name].data))
        assert answer.status_code == 404, f"{name}: {answer.status_code}"


@pytest.mark.django_db
def test_bringing_pairs_refuses_a_bad_file_with_row_and_field_and_stores_nothing(world: World) -> None:
    client = Client()
    client.force_login(world.persons[RESEARCHER])
    bad = SimpleUploadedFile("bad.jsonl", b'{"pair_id": "x", "task": "T?", "roles": ["one"]}\n')
    answer = client.post(world.address("bring_pairs"), {"file": bad, "split": "bad"})
    assert answer.status_code == 422
    assert "bad.jsonl, row 1" in answer.content.decode()
    assert not world.material.study.splits.filter(name="bad").exists()


def sent_to_sign_in(answer: Any) -> bool:
    return answer.status_code == 302 and answer.headers["Location"].startswith(reverse("sign_in"))
