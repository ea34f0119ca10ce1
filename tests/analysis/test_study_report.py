"""The report of a study in the database is, byte for byte, the report of its exported files."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from analysis.export import export_study
from analysis.frames.from_files import validated_rows
from analysis.frontier.of_study import report_of
from analysis.frontier.options import ReportOptions
from analysis.frontier.report import as_text
from annotation.errors import InputFileError
from annotation.steps.sample import load_sample
from judging.runner import run_to_end
from judging.steps.judges import declare_judge
from judging.steps.plan import plan_run

OPTIONS = ReportOptions(resamples=200)


@pytest.mark.django_db(transaction=True)
def test_files_and_database_give_the_same_report(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    sample = load_sample()
    judges = [declare_judge(study=sample.study, spec=spec) for spec in ("simulator", "baseline:longer")]
    run_to_end(
        plan_run(
            study=sample.study, split=sample.split, judges=judges, protocols=["ladder:L0,L4", "trace-v2"], name="run"
        )
    )
    report = report_of(sample.study, options=OPTIONS)
    assert set(report["sources"]) == {"simulated", "baseline"}

    export_study(sample.study, tmp_path / "out")
    from_files = _frontier(tmp_path, notice=sample.study.notice, validated="validated/sample-v1.jsonl")
    assert from_files == as_text(report)
    assert "not a human study" in from_files
    assert "NaN" not in from_files

    labels = [json.loads(line) for line in (tmp_path / "out" / "labels.jsonl").read_text("utf-8").splitlines()]
    assert {line["round"] for line in labels} == {"natural", "graded"}
    assert {line["question"] for line in labels} >= {"verdict", "added_content", "preference", "more_complete_support"}
    assert sum(line["question"] in {"verdict", "preference"} for line in labels) == 108

    from_labels = json.loads(_frontier(tmp_path, notice=sample.study.notice, printed=True))
    assert from_labels["validation"] == {"confirmed": 50, "contradicted": 4}
    assert from_labels["rows"] == report["rows"]
    assert from_labels["ties"] == report["ties"]


def _frontier(folder: Path, *, notice: str, validated: str = "", printed: bool = False) -> str:
    """The report as the command writes it to frontier.json, or prints it, from the exported files."""
    out, text = folder / "out", StringIO()
    call_command(
        "frontier",
        pairs=str(out / "pairs.jsonl"),
        verdicts=str(out / "verdicts.jsonl"),
        labels=str(out / "answers.jsonl"),
        validated=str(out / validated) if validated else None,
        notice=notice,
        out=None if printed else str(folder / "report"),
        json=printed,
        resamples=OPTIONS.resamples,
        stdout=text,
    )
    return text.getvalue() if printed else (folder / "report" / "frontier.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["", "{}", '{"format": 2}\n', "[1]\n", '{"format": 1}\n{"pair_id": "p"}\n'])
def test_a_file_that_is_no_frozen_split_is_refused(tmp_path: Path, text: str) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text(text)
    with pytest.raises(InputFileError, match=r"bad\.jsonl, file: is no frozen split"):
        validated_rows(bad)
