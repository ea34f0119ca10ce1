"""The study's front page and the report: first run, figures, plain words, downloads, and the rows behind."""

from __future__ import annotations

import csv
import json
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from analysis.frontier.cache import is_ready, report_text, state_of
from analysis.frontier.findings import judges_of, main_rows, plain_words
from analysis.frontier.report import as_text
from annotation.models import Assignment
from annotation.steps.adjudicate import settle_round
from annotation.steps.assign import close_round
from annotation.steps.freeze import freeze
from judging.models import Verdict
from judging.runner import run_to_end
from judging.steps.judges import declare_judge
from judging.steps.plan import plan_run
from tests.material import Material, pair_row, say

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


@pytest.fixture
def client(material: Material) -> Client:
    signed_in = Client()
    signed_in.force_login(material.owner)
    return signed_in


@pytest.fixture
def judged(material: Material) -> Material:
    """Three equivalent and three moderate pairs, judged by a simulator and a baseline at two levels."""
    material.pairs([pair_row(number, tier="equivalence", target="tie") for number in range(1, 4)])
    material.pairs([pair_row(number) for number in range(4, 7)])
    judges = [declare_judge(study=material.study, spec=spec) for spec in ("baseline:always_tie", "simulator")]
    run_to_end(
        plan_run(
            study=material.study,
            split=material.split(),
            judges=judges,
            protocols=["ladder:L0,L4", "trace-v2"],
            name="r",
        )
    )
    return material


def url(material: Material, name: str) -> str:
    return reverse(name, kwargs={"slug": material.study.slug})


def test_an_empty_study_shows_the_way_with_examples(material: Material, client: Client) -> None:
    text = client.get(url(material, "study")).content.decode()
    assert "Next: bring pairs." in text
    for example in ("pairs.jsonl", "labels.csv", "verdicts.jsonl"):
        assert f'href="/static/examples/{example}" download' in text
    assert text.count("sky-1") >= 3


def test_a_step_that_has_begun_says_how_far_it_is(judged: Material, client: Client) -> None:
    text = " ".join(client.get(url(judged, "study")).content.decode().split())
    assert '<span class="muted small">6 pairs</span>' in text
    assert '<span class="muted small">2 judges, 1 run</span>' in text
    assert "Next: let people label them blind." in text


def test_a_report_without_verdicts_says_so(material: Material, client: Client) -> None:
    assert "No judge has answered yet." in client.get(url(material, "report")).content.decode()


def test_the_first_opening_says_what_takes_long_and_then_shows_it(judged: Material, client: Client) -> None:
    assert "Counting the verdicts" in client.get(url(judged, "report")).content.decode()
    assert not is_ready(judged.study)
    text = client.get(url(judged, "report") + "?now=1").content.decode()
    assert "All tiers" in text
    assert "Simulated: these verdicts come from a table" in text
    assert "Counting the verdicts" not in client.get(url(judged, "report")).content.decode()


def test_the_report_follows_verdicts_and_freezes(judged: Material) -> None:
    before = state_of(judged.study)
    made = judged.round()
    for slot in Assignment.objects.filter(round=made).select_related("item__pair", "annotator__user"):
        say(slot, "Tie")
    close_round(round=made, actor=None)
    settle_round(round=made, actor=None)
    freeze(study=judged.study, name="frozen", rounds=[made], by=None)
    assert state_of(judged.study) != before
    frozen = state_of(judged.study)
    Verdict.objects.first().delete()
    assert state_of(judged.study) != frozen


def test_downloads_hold_what_the_report_says(judged: Material, client: Client) -> None:
    answer = client.get(url(judged, "report_json"))
    report = json.loads(answer.content)
    assert answer.content.decode() == report_text(judged.study) == as_text(report)
    assert answer.headers["Content-Disposition"].endswith('-frontier.json"')
    rows = list(csv.DictReader(client.get(url(judged, "report_rows")).content.decode().splitlines()))
    assert len(rows) == len(report["rows"])


def test_the_figure_is_an_svg_that_runs_nothing(judged: Material, client: Client) -> None:
    answer = client.get(url(judged, "report_figure") + "?judge=simulator")
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert answer.content.startswith(b"<svg")
    assert b"<script" not in answer.content
    policy = answer.headers["Content-Security-Policy"]
    assert "sandbox" in policy
    assert "script-src" not in policy
    assert "default-src 'none'" in policy


def test_every_row_leads_to_the_verdicts_it_counts(judged: Material, client: Client) -> None:
    text = client.get(url(judged, "report") + "?now=1&judge=simulator").content.decode()
    links = [part.split('"')[0] for part in text.split('<td class="number"><a href="')[1:]]
    assert links
    for link in links:
        shown = client.get(link.replace("&amp;", "&")).content.decode()
        assert "6 verdicts" in shown


def test_words_say_the_numbers_with_interval_basis_and_unit(judged: Material) -> None:
    report = json.loads(report_text(judged.study))
    assert judges_of(report["rows"]) == ["simulator", "baseline:always_tie"]
    words = plain_words(main_rows(report["rows"], "baseline:always_tie"))
    assert words[0] == (
        "On equivalence pairs, ties stay, going from 100.0% [43.9%, 100.0%] at L0 to 100.0% [43.9%, 100.0%] at L4 "
        "(constructed targets, n = 3 pairs)."
    )
    assert words[-1].startswith("trace_v2 gives 100.0% [43.9%, 100.0%] ties on equivalence pairs")
    assert words[-1].endswith("calls a comparison.")


def test_words_of_a_judge_without_rows_are_none(judged: Material) -> None:
    report: dict[str, Any] = json.loads(report_text(judged.study))
    assert plain_words(main_rows(report["rows"], "nobody")) == []
