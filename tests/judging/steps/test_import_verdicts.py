"""Verdict files: all of one or nothing, in the file's own words, never taken for a live judge's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.errors import InputFileError, Refused
from judging.models import Comparison, Judge, Reading, Run, Verdict
from judging.runner import run_to_end
from judging.steps.import_verdicts import import_verdicts
from judging.steps.plan import plan_run
from tests.judging.material import planned
from tests.material import Material, pair_row


def row(**more: Any) -> dict[str, Any]:
    return {
        "pair_id": "p000", "judge": "GPT", "protocol": "ladder", "level": "L0", "shown_as_a": "plain",
        "outcome": "decided", "winner": "A", **more,
    }  # fmt: skip


@pytest.fixture
def study(material: Material) -> Material:
    material.pairs([pair_row(n) for n in range(3)])
    return material


def taken(study: Material, *rows: Mapping[str, Any], name: str = "verdicts.jsonl") -> Run:
    path: Path = study.write(rows, name)
    return import_verdicts(study=study.study, path=path)[0]


def test_rows_become_verdicts_in_roles(study: Material) -> None:
    run = taken(
        study,
        row(),
        row(shown_as_a="cited"),
        row(shown_as_a="cited", pair_id="p001", winner="B"),
        row(pair_id="p001", winner="Tie", offered=["A", "B", "Tie"]),
        row(pair_id="p002", shown_as_a="", winner="B"),
        row(pair_id="p002", outcome="refused", winner="", reason="refusal"),
    )
    told = set(Verdict.objects.values_list("pair__pair_id", "order", "outcome", "winner", "tie_offered"))
    assert told == {
        ("p000", 1, "decided", 1, None), ("p000", 2, "decided", 2, None), ("p001", 2, "decided", 1, None),
        ("p001", 1, "decided", 0, True), ("p002", 0, "decided", 2, None), ("p002", 1, "refused", None, None),
    }  # fmt: skip
    assert (run.state, run.wanted.count(), run.split) == ("done", 6, study.split())
    assert set(Comparison.objects.values_list("state", flat=True)) == {"done"}
    assert set(Verdict.objects.values_list("source", flat=True)) == {"replay"}


def test_everything_of_a_row_is_kept(study: Material) -> None:
    taken(
        study,
        row(
            protocol_version="2", paraphrase="x", probe="placebo", cue={"plain": "badge"}, cue_favours="plain",
            repeat=2, phase="before", reason="", rationale="Because.", scores={"plain": {"accuracy": 4}}, n_calls=3,
            prompt_tokens=10, completion_tokens=5, usd=0.0012, latency_ms=81.4, model_returned="m", snapshot="s",
            called_at="2026-05-01T12:00:00Z", source="live",
        ),
    )  # fmt: skip
    verdict = Verdict.objects.select_related("reading", "comparison", "condition").get()
    assert (verdict.n_calls, verdict.usd_nano, verdict.latency_ms, verdict.source) == (3, 1_200_000, 81, "live")
    assert (verdict.phase, verdict.repeat, verdict.comparison.cue_favours) == ("before", 2, "plain")
    assert (verdict.condition.protocol_version, verdict.condition.probe) == ("2", "placebo")
    reading = verdict.reading
    assert (reading.cue, reading.scores) == ({"plain": "badge"}, {"plain": {"accuracy": 4}})
    assert reading.called_at is not None
    assert reading.called_at.isoformat() == "2026-05-01T12:00:00+00:00"


def test_two_phases_of_a_comparison_are_two_verdicts_of_one(study: Material) -> None:
    taken(study, row(phase="before"), row(phase="after", winner="B"))
    assert (Comparison.objects.count(), Verdict.objects.count()) == (1, 2)


def test_same_file_is_read_once(study: Material) -> None:
    assert taken(study, row()) == taken(study, row(), name="again.jsonl")
    assert Verdict.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"pair_id": "nowhere"}, "row 2, pair_id: 'nowhere' is no pair of this study"),
        ({"shown_as_a": "llm"}, "row 2, shown_as_a: is 'llm'; the pair's roles are plain and cited"),
        ({"level": "L" * 50}, "row 2, level: is longer than 40 characters"),
        ({"repeat": 40_000}, "row 2, repeat: is 40000"),
        ({"called_at": "yesterday"}, "row 2, called_at: is 'yesterday', no moment"),
        ({"attacked_role": "plain"}, "row 2, attacked_role: is given without an attack"),
        ({"winner": "C"}, "row 2, winner"),
    ],
)
def test_wrong_row_refuses_the_whole_file(study: Material, wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(InputFileError, match=said.replace("(", r"\(")):
        taken(study, row(pair_id="p001"), row(**wrong))
    assert (Run.objects.count(), Judge.objects.count(), Verdict.objects.count()) == (0, 0, 0)


def test_comparison_that_has_a_verdict_refuses_the_file(study: Material) -> None:
    taken(study, row())
    with pytest.raises(InputFileError, match="already has a verdict"):
        taken(study, row(winner="B"), row(pair_id="p001"), name="more.jsonl")
    assert Verdict.objects.count() == 1


def test_files_verdicts_are_never_taken_for_a_judge_that_was_asked(study: Material) -> None:
    run_to_end(planned(study, judges=["baseline:longer"], pairs=0))
    with pytest.raises(InputFileError, match="a judge this study asks itself"):
        taken(study, row(judge="baseline:longer", protocol="other"))


def test_replayed_judge_cannot_be_asked(study: Material) -> None:
    taken(study, row())
    with pytest.raises(Refused, match="replay"):
        plan_run(
            study=study.study, judges=[Judge.objects.get()], protocols=["ladder:L0"], name="r", split=study.split()
        )


def test_command_takes_a_file_or_ends_with_status_2(study: Material) -> None:
    out = StringIO()
    path = study.write([row()], "v.jsonl")
    call_command("import_verdicts", str(path), "--study", study.study.slug, "--name", "theirs", stdout=out)
    assert "v.jsonl: 1 verdicts in the run theirs" in out.getvalue()
    bad = study.write([row(pair_id="x")], "bad.jsonl")
    with pytest.raises(CommandError, match=r"bad\.jsonl, row 1, pair_id") as refused:
        call_command("import_verdicts", str(bad), "--study", study.study.slug)
    assert refused.value.returncode == 2


def test_text_of_a_reading_may_hold_anything_a_file_may(study: Material) -> None:
    taken(study, row(rationale=json.loads('"right-to-left \\u202e and \\ud83d\\ude00"')))
    assert "\U0001f600" in Reading.objects.get().rationale
