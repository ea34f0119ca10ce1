"""Reading stored replies again: nothing is sent, old readings stay, a person's ruling stands."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from annotation.errors import Refused
from judging.models import Attempt, Condition, Reading, Verdict
from judging.protocols import results
from judging.runner import run_to_end
from judging.steps.reparse import reparse
from judging.steps.rule import rule_verdict
from tests.judging.material import planned
from tests.material import Material


@pytest.fixture
def other_extractor(monkeypatch: pytest.MonkeyPatch) -> None:
    """An extractor that reads A as a tie, and everything else as before."""
    real = results.extract

    def extract(*args: Any, **options: Any) -> Any:
        read = real(*args, **options)
        return replace(read, outcome="Tie") if read.outcome == "A" else read

    monkeypatch.setattr(results, "extract", extract)


def test_same_extractor_changes_nothing(material: Material) -> None:
    run = planned(material, judges=["baseline:first", "simulator"], protocols=["ladder:L0", "trace-v2"])
    run_to_end(run)
    report = reparse(study=material.study, apply=True)
    assert (report.read, report.unchanged, report.changes) == (24, 24, [])
    assert set(Reading.objects.values_list("number", flat=True)) == {1}


def test_difference_is_shown_and_not_stored(material: Material, request: pytest.FixtureRequest) -> None:
    run_to_end(planned(material, judges=["baseline:first"]))
    request.getfixturevalue("other_extractor")
    report = reparse(study=material.study)
    told = {(change.before, change.after) for change in report.changes}
    assert told == {(("decided", "A", ""), ("decided", "Tie", ""))}
    assert len(report.changes) == 6
    assert Reading.objects.count() == 6


def test_applied_difference_adds_readings_and_moves_verdicts(
    material: Material, request: pytest.FixtureRequest
) -> None:
    run = planned(material, judges=["baseline:first"])
    run_to_end(run)
    version = Condition.objects.get().verdict_version
    costs = list(Verdict.objects.order_by("pk").values_list("n_calls", "prompt_tokens", "usd_nano"))
    request.getfixturevalue("other_extractor")
    report = reparse(study=material.study, run=run, apply=True)
    assert len(report.changes) == 6
    assert set(Verdict.objects.values_list("winner", "reading__number", "reading__shown")) == {(0, 2, "Tie")}
    assert set(Reading.objects.filter(number=1).values_list("shown", flat=True)) == {"A"}
    assert list(Verdict.objects.order_by("pk").values_list("n_calls", "prompt_tokens", "usd_nano")) == costs
    assert Condition.objects.get().verdict_version > version
    assert Attempt.objects.count() == 6


def test_ruling_stands(material: Material, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judging.providers.baselines.compose_reply", lambda *_, **__: "Hard to say.")
    run_to_end(planned(material, judges=["baseline:first"], pairs=1))
    first, second = Verdict.objects.order_by("order")
    rule_verdict(verdict=second, ruling="A", reason="It says so in other words.", actor=material.owner)
    report = reparse(study=material.study, apply=True)
    assert (report.ruled, report.read) == (1, 1)
    second.refresh_from_db()
    first.refresh_from_db()
    assert (first.outcome, first.ruled) == ("unparsed", False)
    assert (second.outcome, second.winner, second.ruled, second.reading.ruling) == (
        "decided", 2, True, "It says so in other words.",
    )  # fmt: skip
    assert set(Reading.objects.filter(comparison=second.comparison).values_list("number", "outcome")) == {
        (1, "unparsed"),
        (2, "decided"),
    }


@pytest.mark.parametrize(
    ("ruling", "reason", "said"),
    [("C", "because", "one of A, B, Tie, refused"), ("A", " ", "gives its reason"), ("Tie", "x", "not offered a tie")],
)
def test_ruling_that_breaks_the_rules_is_refused(
    material: Material, monkeypatch: pytest.MonkeyPatch, ruling: str, reason: str, said: str
) -> None:
    monkeypatch.setattr("judging.providers.baselines.compose_reply", lambda *_, **__: "Hard to say.")
    run_to_end(planned(material, judges=["baseline:first"], protocols=["cue-baseline"], pairs=1, orders="first"))
    with pytest.raises(Refused, match=said):
        rule_verdict(verdict=Verdict.objects.get(), ruling=ruling, reason=reason, actor=material.owner)
    assert Reading.objects.count() == 1


def test_readable_reply_is_not_ruled_on(material: Material) -> None:
    run_to_end(planned(material, pairs=1, orders="first"))
    with pytest.raises(Refused, match="could not be read"):
        rule_verdict(verdict=Verdict.objects.get(), ruling="A", reason="I prefer it", actor=material.owner)


def test_command_shows_the_difference(material: Material, request: pytest.FixtureRequest) -> None:
    run_to_end(planned(material, judges=["baseline:first"], pairs=1, orders="first"))
    request.getfixturevalue("other_extractor")
    out = StringIO()
    call_command("reparse", "--study", material.study.slug, stdout=out)
    assert "1 readings differ" in out.getvalue()
    assert "p000 baseline:first only: decided A -> decided Tie" in out.getvalue()
    assert "Nothing was stored" in out.getvalue()
