"""Judges and runs on the page: planning, starting, following, looking into comparisons, ruling, bringing verdicts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from judging.models import Comparison, Judge, Reading, Run, Verdict
from judging.runner import run_to_end
from judging.steps.judges import declare_judge
from judging.steps.plan import plan_run
from tests.material import Material, pair_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(material: Material) -> Client:
    signed_in = Client()
    signed_in.force_login(material.owner)
    return signed_in


@pytest.fixture
def run(material: Material) -> Run:
    """A finished run of one baseline over two pairs, at two levels in both orders."""
    material.pairs([pair_row(1), pair_row(2)])
    judge = declare_judge(study=material.study, spec="baseline:longer")
    made = plan_run(
        study=material.study, split=material.split(), judges=[judge], protocols=["ladder:L0,L4"], name="A run"
    )
    run_to_end(made)
    return made


def url(material: Material, name: str, **keys: Any) -> str:
    return reverse(name, kwargs={"slug": material.study.slug, **keys})


def plan(material: Material, client: Client, **more: Any) -> Any:
    fields = {
        "name": "Planned", "split": material.split().pk, "new_judges": "baseline:always_tie\nbaseline:longer",
        "protocols": ["ladder:all"], "orders": "both", "repeats": 1, **more,
    }  # fmt: skip
    return client.post(url(material, "new_run"), fields)


def test_planning_writes_everything_down_and_sends_nothing(material: Material, client: Client) -> None:
    material.pairs([pair_row(1), pair_row(2)])
    answer = plan(material, client, protocols=[], more_protocols="ladder:L0-L4", budget_calls=100)
    made = Run.objects.get()
    assert answer.headers["Location"] == url(material, "run", run=made.public_id)
    assert (made.state, made.spent_calls, made.budget_calls) == ("planned", 0, 100)
    assert Comparison.objects.count() == 2 * 2 * 5 * 2
    text = client.get(answer.headers["Location"]).content.decode()
    assert "0 of 40 comparisons answered" in text
    assert "100 calls" in text
    assert "40 calls (at most 40)" in text


def test_a_plan_that_is_refused_keeps_what_was_typed_and_stores_nothing(material: Material, client: Client) -> None:
    material.pairs([pair_row(1)])
    answer = plan(material, client, new_judges="baseline:no_such_rule", more_protocols="ladder:L0")
    assert answer.status_code == 422
    assert "baseline:no_such_rule" in answer.content.decode()
    assert not Run.objects.exists()
    assert not Judge.objects.exists()


def test_a_started_run_is_queued_paused_and_ended(
    material: Material, client: Client, monkeypatch: Any, django_capture_on_commit_callbacks: Any
) -> None:
    sent: list[str] = []
    monkeypatch.setattr("judging.tasks.drive_run.delay", sent.append)
    material.pairs([pair_row(1)])
    plan(material, client)
    made = Run.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        client.post(url(material, "start_run", run=made.public_id))
    assert sent == [made.public_id]
    fragment = client.get(url(material, "run_progress", run=made.public_id)).content.decode()
    assert 'hx-trigger="every 2s"' in fragment
    assert "Queued." in fragment
    client.post(url(material, "pause_run", run=made.public_id))
    assert "every 2s" not in client.get(url(material, "run_progress", run=made.public_id)).content.decode()
    client.post(url(material, "cancel_run", run=made.public_id))
    made.refresh_from_db()
    assert made.state == "cancelled"
    again = client.post(url(material, "start_run", run=made.public_id), follow=True)
    assert "cannot be taken up again" in again.content.decode()


def test_a_finished_run_tells_outcomes_and_leads_to_them(material: Material, client: Client, run: Run) -> None:
    text = client.get(url(material, "run", run=run.public_id)).content.decode()
    assert "8 of 8 comparisons answered" in text
    listed = client.get(url(material, "comparisons", run=run.public_id) + "?outcome=decided").content.decode()
    assert "8 comparisons with outcome decided." in " ".join(listed.split())
    assert listed.count("baseline:longer") == 8


def test_a_comparison_shows_its_pair_its_reading_and_its_neighbours(
    material: Material, client: Client, run: Run
) -> None:
    first, second = Comparison.objects.filter(wanted_by__run=run).order_by("pk")[:2]
    text = client.get(url(material, "comparison", run=run.public_id, pk=first.pk)).content.decode()
    assert "Plain answer 1." in text
    assert "Decided" in text
    assert url(material, "comparison", run=run.public_id, pk=second.pk) in text


def test_a_reply_that_could_not_be_read_is_ruled_on_and_grouped_by_cause(
    material: Material, client: Client, run: Run
) -> None:
    verdict = Verdict.objects.select_related("reading").first()
    assert verdict is not None
    reading = Reading.objects.create(
        comparison=verdict.comparison, number=2, outcome="unparsed", reason="<b>no verdict</b>"
    )
    Verdict.objects.filter(pk=verdict.pk).update(outcome="unparsed", winner=None, reading=reading)
    text = client.get(url(material, "run", run=run.public_id)).content.decode()
    assert "&lt;b&gt;no verdict&lt;/b&gt;" in text
    keys = {"run": run.public_id, "pk": verdict.comparison_id}
    assert "Read it yourself" in client.get(url(material, "comparison", **keys)).content.decode()
    rule = url(material, "rule", run=run.public_id, pk=verdict.pk)
    client.post(rule, {"ruling": "A", "reason": ""})
    verdict.refresh_from_db()
    assert verdict.outcome == "unparsed"
    client.post(rule, {"ruling": "Tie", "reason": "It says so in another language."})
    verdict.refresh_from_db()
    assert (verdict.outcome, verdict.winner, verdict.ruled) == ("decided", 0, True)


def test_verdicts_are_brought_as_a_finished_run_or_not_at_all(material: Material, client: Client) -> None:
    material.pairs([pair_row(1)])
    row = {"pair_id": "p001", "judge": "some-model", "protocol": "standard", "shown_as_a": "plain"}
    good = json.dumps({**row, "outcome": "decided", "winner": "A"}) + "\n"
    bad = json.dumps({**row, "pair_id": "p999", "outcome": "decided", "winner": "A"}) + "\n"
    address = url(material, "bring_verdicts")
    answer = client.post(address, {"file": SimpleUploadedFile("bad.jsonl", (good + bad).encode())})
    assert answer.status_code == 422
    assert "bad.jsonl, row 2" in answer.content.decode()
    assert not Run.objects.exists()
    client.post(address, {"file": SimpleUploadedFile("good.jsonl", good.encode()), "run_name": "Elsewhere"})
    assert Run.objects.get().name == "Elsewhere"
    assert Verdict.objects.get().winner == 1
