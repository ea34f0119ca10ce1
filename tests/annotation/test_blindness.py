"""Nothing that is hidden from annotators reaches them, wherever one looks.

A study is made whose every hidden field holds an unmistakable marker. A crawler then goes, as an annotator, to every
page, API answer and error they can reach, and reads bodies, headers, cookies, redirects and file names. First it
proves that it finds a leak planted in each of these places.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from django.conf import settings as site
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import reverse

from annotation.blinding import BlindPair
from annotation.enums import MemberRole
from annotation.models import Assignment, Item, Label, Round, RoundAnnotator, Study, User
from annotation.places import address_of
from annotation.steps.adjudicate import settle
from annotation.steps.assign import close_round, create_training_round, open_round, revise_guideline
from annotation.steps.label import read_guideline, submit_label
from tests.material import GRADED, Material

MARK = "zqleak"
ROLE_1, ROLE_2 = f"{MARK}role1", f"{MARK}role2"
#: Hidden words that come from closed vocabularies and so cannot be marked.
HIDDEN_WORDS = ("reverse_conflict", "reverse conflict", "gold", "repeat", "shown_as_a", "has_seen_behind")
#: A complete answer of the graded scheme, as the annotator gives it.
ANSWERS = {**GRADED, "preference": "A"}


class Hidden:
    """A study full of markers, two annotators, and everything they could be shown by mistake."""

    def __init__(self, material: Material) -> None:
        self.material = material
        Study.objects.filter(pk=material.study.pk).update(slug=f"{MARK}-slug", name="Answers to questions")
        material.study.refresh_from_db()
        self.annotator = material.member(MemberRole.ANNOTATOR, "ada")
        self.colleague = material.member(MemberRole.ANNOTATOR, f"{MARK}colleague")
        material.pairs([self.row(number) for number in range(1, 9)], split=f"{MARK}split")
        provenance = dict.fromkeys(("recruitment", "language", "pay_basis"), f"{MARK}provenance")
        people = {"annotators": [self.annotator, self.colleague], "split": f"{MARK}split"}
        self.open = material.round(name=f"{MARK}open", gold={f"{MARK}pair8": ROLE_1}, repeats=2, **people, **provenance)
        self.closed = material.round(name=f"{MARK}closed", **people, **provenance)
        self.training = self._training()
        for round_ in (self.open, self.closed, self.training):
            self._label_some(round_, self.colleague, 6)
        self._label_some(self.open, self.annotator, 3)
        self._label_some(self.closed, self.annotator, 3)
        close_round(round=self.closed, actor=material.owner)
        for item in Item.objects.filter(round__in=[self.open, self.closed], kind="label")[:4]:
            settle(item=item, category=ROLE_2, reason=f"{MARK}settlement", by=material.owner)

    def row(self, number: int) -> dict[str, Any]:
        return {
            "pair_id": f"{MARK}pair{number}",
            "task": f"What is question {number}?",
            "context": f"Some context {number}.",
            "roles": [ROLE_1, ROLE_2],
            "candidates": {ROLE_1: f"One answer to {number}.", ROLE_2: f"Another answer to {number}."},
            "tier": "reverse_conflict",
            "target": ROLE_2,
            "cluster": f"{MARK}cluster{number}",
            "artifact": {"kind": f"{MARK}artifact", "role": ROLE_1},
            "domain": f"{MARK}domain",
            "source": {"dataset": f"{MARK}dataset", "id": f"{MARK}source", "licence": f"{MARK}licence"},
            "meta": {f"{MARK}key": f"{MARK}value"},
        }

    def _training(self) -> Round:
        made = create_training_round(
            split=self.material.split(f"{MARK}split"),
            name=f"{MARK}training",
            scheme="graded",
            actor=self.material.owner,
            guideline="Practise first.",
            answers={f"{MARK}pair{number}": (ROLE_2, "The second date is wrong.") for number in (6, 7)},
            pass_mark=0.5,
        )
        open_round(round=made, annotators=[self.annotator, self.colleague], actor=self.material.owner)
        return made

    def _label_some(self, round_: Round, user: User, count: int) -> None:
        place = RoundAnnotator.objects.get(round=round_, user=user)
        read_guideline(place=place, version=1)
        for slot in Assignment.objects.filter(annotator=place).order_by("position")[:count]:
            submit_label(
                user=user,
                public_id=slot.public_id,
                answers=ANSWERS,
                client_key="key-of-the-hidden",
                comment="My own remark." if user == self.annotator else f"{MARK}comment",
                flagged=True,
            )

    def place(self, round_: Round, user: User) -> str:
        return address_of(RoundAnnotator.objects.get(round=round_, user=user).pk)

    def marks(self) -> set[str]:
        """What must not be found: the marker, hidden words, hashes, and whatever names a colleague's pairs."""
        hashes = {self.open.scheme_hash, *self.material.study.pairs.values_list("content_hash", flat=True)}
        theirs = Assignment.objects.filter(annotator__user=self.colleague).values_list("public_id", flat=True)
        places = {self.place(round_, self.colleague) for round_ in (self.open, self.closed, self.training)}
        return {MARK, *HIDDEN_WORDS, *hashes, *theirs, *places}


class Crawl:
    """Everything one annotator can get out of the site, and what of it holds a mark."""

    def __init__(self, hidden: Hidden) -> None:
        self.hidden = hidden
        self.client = Client(raise_request_exception=False)
        self.client.force_login(hidden.annotator)
        self.marks = hidden.marks()
        self.found: list[str] = []
        self.seen: set[str] = set()
        self.statuses: set[int] = set()
        self.kinds: set[str] = set()

    def take(self, answer: Any, *, asked_for: str) -> Any:
        """Read one answer whole. ``asked_for`` may hold marks of its own: what one sends is no leak."""
        self.statuses.add(answer.status_code)
        self.kinds.add(answer.headers.get("Content-Type", "").split(";")[0])
        # Style sheets and scripts are the same for everybody; there a common word is only a word.
        marks = self.marks - set(HIDDEN_WORDS) if asked_for.startswith("/static/") else self.marks
        for where, text in places_of(answer):
            for mark in marks:
                if mark.lower() in text.lower() and mark.lower() not in asked_for.lower():
                    self.found.append(f"{mark} in the {where} of {asked_for} ({answer.status_code})")
        return answer

    def get(self, url: str) -> Any:
        return self.take(self.client.get(url), asked_for=url)

    def send(self, method: str, url: str, body: Any) -> Any:
        answer = getattr(self.client, method)(url, json.dumps(body), content_type="application/json")
        return self.take(answer, asked_for=url)

    def follow_everything(self, start: str) -> None:
        """Every link, and every script and sheet a page asks for, until there is nothing new."""
        waiting = [start]
        while waiting:
            url = waiting.pop()
            if url in self.seen or len(self.seen) > 400:
                continue
            self.seen.add(url)
            if urlsplit(url).path.startswith(reverse("sign_out")):
                continue
            answer = self.get(url)
            if answer.status_code in {301, 302}:
                waiting.append(urljoin(url, answer.headers["Location"]))
            elif answer.headers.get("Content-Type", "").startswith("text/html"):
                waiting += [urljoin(url, link) for link in links_of(answer.content.decode()) if is_ours(link)]

    def use_everything(self) -> None:
        """The forms and the API, as they are meant and as they are not."""
        hidden = self.hidden
        for round_ in (hidden.open, hidden.closed, hidden.training):
            self._label_in(hidden.place(round_, hidden.annotator), round_)
        self._err()

    def _label_in(self, place: str, round_: Round) -> None:
        keys = {"place": place}
        own = Assignment.objects.filter(round=round_, annotator__user=self.hidden.annotator).order_by("position")
        slot = own.filter(state="pending").first() or own.first()
        pair = reverse("own_pair", kwargs={**keys, "assignment": slot.public_id})
        draft = reverse("api_draft", kwargs={**keys, "assignment": slot.public_id})
        submit = reverse("api_submit", kwargs={**keys, "assignment": slot.public_id})
        self.get(reverse("api_next", kwargs=keys))
        self.get(reverse("api_next", kwargs=keys) + f"?besides={slot.public_id}")
        for body in (
            {"answers": ANSWERS, "sequence": 5, "revision": slot.revision},
            {"answers": ANSWERS, "sequence": 2, "revision": slot.revision},
            {"answers": {"no_such": "A"}, "sequence": 9, "revision": 0},
            {"answers": [], "sequence": "x"},
        ):
            self.send("put", draft, body)
        for body in (
            {"answers": {**ANSWERS, "preference": "C"}, "client_key": "crawl-key-1"},
            {"answers": {}, "client_key": "crawl-key-2"},
            {"answers": ANSWERS, "client_key": "!"},
            {"answers": ANSWERS, "client_key": "crawl-key-3", "seen_revision": 99},
            {"answers": ANSWERS, "client_key": "crawl-key-4"},
            {"answers": ANSWERS, "client_key": "crawl-key-4"},
        ):
            self.send("post", submit, body)
        self.get(pair)
        self.send("post", reverse("api_undo", kwargs=keys), {})
        fields = {f"q-{name}": value for name, value in ANSWERS.items()}
        self.take(self.client.post(pair, {}), asked_for=pair)
        self.take(self.client.post(pair, {**fields, "q-preference": "C"}), asked_for=pair)
        self.take(self.client.post(pair, {**fields, "client_key": "crawl-key-5"}), asked_for=pair)
        self.take(self.client.post(reverse("undo_label", kwargs=keys)), asked_for="undo")
        read = reverse("guideline", kwargs=keys)
        self.take(self.client.post(read, {"version": "77"}), asked_for=read)
        self.take(self.client.post(read, {"version": "1"}), asked_for=read)

    def _err(self) -> None:
        """Errors of every kind: other people's things, wrong methods, bodies that cannot be read, no token."""
        hidden = self.hidden
        theirs = Assignment.objects.filter(annotator__user=hidden.colleague).first()
        other = {"place": hidden.place(hidden.open, hidden.colleague), "assignment": theirs.public_id}
        mine = {"place": hidden.place(hidden.open, hidden.annotator), "assignment": theirs.public_id}
        for keys in (other, mine):
            for name in ("own_pair", "api_draft", "api_submit"):
                self.get(reverse(name, kwargs=keys))
            self.send("put", reverse("api_draft", kwargs=keys), {"answers": {}, "sequence": 1, "revision": 1})
            self.send("post", reverse("api_submit", kwargs=keys), {"answers": {}, "client_key": "crawl-key-9"})
        slug = hidden.material.study.slug
        round_url = reverse("round", kwargs={"slug": slug, "pk": hidden.open.pk})
        for url in (round_url, round_url + "items/", reverse("study", kwargs={"slug": slug}), "/studies/none/", "/no/"):
            self.get(url)
        api = reverse("api_submit", kwargs={**mine, "assignment": "none"})
        for content_type, body in (
            ("application/json", "{"),
            ("text/plain", "hello"),
            ("application/json", "[" * 2000),
        ):
            answer = self.client.post(api, body, content_type=content_type)
            self.take(answer, asked_for=api)
        strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
        strict.force_login(hidden.annotator)
        self.take(strict.post(reverse("undo_label", kwargs={"place": mine["place"]})), asked_for="no token")
        self.take(strict.post(api, "{}", content_type="application/json"), asked_for="no token, API")


def places_of(answer: Any) -> Iterator[tuple[str, str]]:
    """Everything of an answer that reaches a browser, with what is packed in it unpacked."""
    body = answer.getvalue() if answer.streaming else answer.content
    yield "body", body.decode("utf-8", "replace")
    for name, value in answer.headers.items():
        where = "file name" if name == "Content-Disposition" else f"header {name}"
        for reading in readings(f"{name}: {value}"):
            yield where, reading
    for cookie in answer.cookies.values():
        for reading in readings(cookie.OutputString()):
            yield "cookie", reading


def readings(text: str) -> Iterator[str]:
    """The text, and what percent signs, base64 and compression may hide in it."""
    yield text
    yield unquote(text)
    for packed in re.findall(r"[A-Za-z0-9_\-+/]{16,}", text):
        for part in (packed, packed.lstrip(".")):
            padded = part + "=" * (-len(part) % 4)
            try:
                raw = base64.urlsafe_b64decode(padded)
            except (binascii.Error, ValueError):
                continue
            yield raw.decode("utf-8", "replace")
            try:
                yield zlib.decompress(raw).decode("utf-8", "replace")
            except zlib.error:
                continue


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in {"href", "src", "hx-get"} and value]


def links_of(html: str) -> list[str]:
    reader = _Links()
    reader.feed(html)
    return reader.found


def is_ours(link: str) -> bool:
    return not urlsplit(link).scheme and not link.startswith("#")


@pytest.fixture
def hidden(material: Material) -> Hidden:
    return Hidden(material)


class Planted:
    """Middleware that leaks a role on purpose, in the place named by ``where``."""

    where = ""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        if self.where == "body" and answer.status_code == 200 and not answer.streaming:
            answer.content += f"<!-- {ROLE_1} -->".encode()
        elif self.where == "header":
            answer.headers["X-Order"] = ROLE_1
        elif self.where == "cookie":
            packed = base64.urlsafe_b64encode(zlib.compress(ROLE_1.encode())).decode()
            answer.set_cookie("order", packed)
        elif self.where == "file name":
            answer.headers["Content-Disposition"] = f'attachment; filename="{ROLE_1}.csv"'
        elif self.where == "error" and answer.status_code >= 400:
            answer.content = json.dumps({"message": f"no {ROLE_1}"}).encode()
        elif self.where == "redirect" and answer.status_code == 302:
            answer.headers["Location"] += f"?order={ROLE_1}"
        return answer


@pytest.mark.django_db
@pytest.mark.parametrize("where", ["body", "header", "cookie", "file name", "error", "redirect"])
def test_the_crawler_finds_a_planted_leak(where: str, hidden: Hidden, settings: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(Planted, "where", where)
    settings.MIDDLEWARE = [f"{__name__}.Planted", *site.MIDDLEWARE]
    crawl = Crawl(hidden)
    crawl.get(reverse("my_work"))
    crawl.get(reverse("home"))
    crawl.get("/no/")
    assert crawl.found


@pytest.mark.django_db
def test_a_role_in_a_blind_pair_is_found(hidden: Hidden, monkeypatch: Any) -> None:
    """The kind of slip the crawl is there for: somebody adds a field to what the API answers."""
    whole = BlindPair.as_json
    monkeypatch.setattr(BlindPair, "as_json", lambda pair: {**whole(pair), "roles": [ROLE_1, ROLE_2]})
    crawl = Crawl(hidden)
    crawl.get(reverse("api_next", kwargs={"place": hidden.place(hidden.open, hidden.annotator)}))
    assert crawl.found


@pytest.mark.django_db
def test_nothing_hidden_reaches_an_annotator(hidden: Hidden) -> None:
    crawl = Crawl(hidden)
    crawl.follow_everything(reverse("home"))
    crawl.use_everything()
    revise_guideline(round=hidden.open, text="Read anew.", actor=hidden.material.owner)
    crawl.seen.clear()
    crawl.follow_everything(reverse("home"))
    assert crawl.found == []
    # The crawl was worth something: it came everywhere, and met every kind of answer.
    assert {200, 302, 400, 403, 404, 405, 409, 415, 422} <= crawl.statuses
    assert {"text/html", "application/json", "text/css", "text/javascript"} <= crawl.kinds
    visited = {urlsplit(url).path for url in crawl.seen}
    for round_ in (hidden.open, hidden.closed, hidden.training):
        own = reverse("label", kwargs={"place": hidden.place(round_, hidden.annotator)})
        assert any(path.startswith(own) for path in visited)
    assert Label.objects.filter(client_key="crawl-key-4").exists()


@pytest.mark.django_db
def test_addresses_of_one_pair_differ_between_annotators_and_tell_no_number(hidden: Hidden) -> None:
    ids = {
        user: set(Assignment.objects.filter(annotator__user=user).values_list("public_id", flat=True))
        for user in (hidden.annotator, hidden.colleague)
    }
    assert not ids[hidden.annotator] & ids[hidden.colleague]
    places = [hidden.place(hidden.open, user) for user in ids]
    assert len(set(places)) == 2
    assert not any(place.isdecimal() for place in places)


@pytest.mark.django_db
def test_the_api_answers_with_the_allowed_fields_alone(hidden: Hidden) -> None:
    """A new field in an annotator's answer is a decision: this list is where it is taken."""
    crawl = Crawl(hidden)
    answer = crawl.get(reverse("api_next", kwargs={"place": hidden.place(hidden.open, hidden.annotator)})).json()
    assert sorted(answer) == ["flagged", "pair", "progress", "revision", "sequence", "state", "submitted"]
    assert sorted(answer["pair"]) == [
        "a", "answers", "assignment", "b", "comment", "context", "primary", "questions", "task",
    ]  # fmt: skip
    assert sorted(answer["progress"]) == ["done", "total"]
    choices = [choice for question in answer["pair"]["questions"] for choice in question["choices"]]
    assert {tuple(sorted(choice)) for choice in choices} == {("key", "value", "words")}


@pytest.mark.django_db
def test_training_feedback_speaks_of_sides_and_never_of_roles(hidden: Hidden) -> None:
    crawl = Crawl(hidden)
    place = RoundAnnotator.objects.get(round=hidden.training, user=hidden.annotator)
    read_guideline(place=place, version=1)
    slot = Assignment.objects.filter(annotator=place).first()
    url = reverse("api_submit", kwargs={"place": address_of(place.pk), "assignment": slot.public_id})
    told = crawl.send("post", url, {"answers": ANSWERS, "client_key": "training-1"}).json()["feedback"]
    assert told["expected"] == ("A" if slot.shown_as_a == ROLE_2 else "B")
    assert told["why"] == "The second date is wrong."
    assert crawl.found == []
