"""Files to frames: A and B become roles, and what cannot be taken names file, row and field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analysis.frames.from_files import label_rows, read_frames
from analysis.frontier.options import ReportOptions
from analysis.frontier.report import as_text, frontier_report
from annotation import schemes
from annotation.errors import InputFileError
from annotation.records import LabelRecord
from tests.analysis.rebuild import rows


def write(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def study(tmp_path: Path) -> dict[str, Path]:
    pairs = [
        {"pair_id": f"p{n:04}", "task": "t", "roles": ["plain", "cited"], "candidates": {"cited": "b", "plain": "a"}}
        | {"tier": "moderate", "target": "plain", "cluster": f"c{n // 2}"}
        for n in range(6)
    ]
    frame = pd.DataFrame({"pair_id": [p["pair_id"] for p in pairs], "role_1": "plain", "role_2": "cited"})
    found = rows(frame, (8, 2), judge="j", protocol="ladder", level="L0", offered=["A", "B", "Tie"])
    labels = [
        {"pair_id": pair["pair_id"], "annotator": who, "label": label, "shown_as_a": shown}
        for pair in pairs
        for who, label, shown in (("ann", "A", "plain"), ("bob", "B", "cited"))
    ]
    return {
        "pairs": write(tmp_path / "pairs.jsonl", pairs),
        "verdicts": write(tmp_path / "verdicts.jsonl", found),
        "labels": write(tmp_path / "labels.jsonl", labels),
    }


def test_frames_hold_pairs_verdicts_and_labels_by_role(study: dict[str, Path]) -> None:
    frames = read_frames(**study)
    assert frames.pairs.loc[0, ["role_1", "role_2", "target", "cluster"]].tolist() == ["plain", "cited", "plain", "c0"]
    assert set(frames.labels["label"]) == {"plain"}
    assert len(frames.verdicts) == 12
    assert frames.verdicts["offered"].iloc[0] == "A,B,Tie"


def test_report_from_csv_and_jsonl_is_the_same_bytes(study: dict[str, Path], tmp_path: Path) -> None:
    lines = [json.loads(line) for line in study["verdicts"].read_text(encoding="utf-8").splitlines()]
    table = pd.DataFrame(lines).assign(offered=lambda f: f["offered"].map(json.dumps))
    csv = tmp_path / "verdicts.csv"
    table.to_csv(csv, index=False)
    options = ReportOptions(resamples=50)
    texts = []
    for verdicts in (study["verdicts"], csv):
        frames = read_frames(pairs=study["pairs"], verdicts=verdicts, labels=study["labels"])
        report = frontier_report(pairs=frames.pairs, verdicts=frames.verdicts, labels=frames.labels, options=options)
        texts.append(as_text(report))
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("change", "field"),
    [({"pair_id": "nowhere"}, "pair_id"), ({"shown_as_a": "third"}, "shown_as_a"), ({"label": ["A", "B"]}, "label")],
)
def test_labels_that_do_not_fit_the_pairs_are_refused(
    study: dict[str, Path], change: dict[str, Any], field: str
) -> None:
    lines = [json.loads(line) for line in study["labels"].read_text(encoding="utf-8").splitlines()]
    lines[3] |= change
    write(study["labels"], lines)
    with pytest.raises(InputFileError) as caught:
        read_frames(**study)
    (problem,) = caught.value.problems
    assert (problem.file, problem.row, problem.field) == ("labels.jsonl", 4, field)


def test_several_questions_are_listed_until_one_is_chosen(study: dict[str, Path]) -> None:
    lines = [json.loads(line) for line in study["labels"].read_text(encoding="utf-8").splitlines()]
    asked = [line | {"question": question} for line in lines for question in ("final", "support")]
    write(study["labels"], asked)
    with pytest.raises(InputFileError, match="final, support"):
        read_frames(**study)
    assert len(read_frames(**study, question="final").labels) == len(lines)


def test_a_label_that_means_nothing_is_refused_instead_of_dropped() -> None:
    pairs = pd.DataFrame([{"pair_id": "p", "role_1": "plain", "role_2": "cited"}])
    labels = [LabelRecord(pair_id="p", annotator="x", label="Tye", row=2)]
    with pytest.raises(InputFileError, match=r"labels, row 2, label: 'Tye' is no role, tie or unclear answer"):
        label_rows(labels, pairs)


def test_a_schemes_own_categories_become_what_they_mean() -> None:
    pairs = pd.DataFrame([{"pair_id": "p", "role_1": "plain", "role_2": "cited"}])
    said = ["equivalent", "base_more_correct", "citation_more_correct", "unclear"]
    labels = [LabelRecord(pair_id="p", annotator=f"a{n}", label=each, row=n) for n, each in enumerate(said)]
    frame = label_rows(labels, pairs, scheme=schemes.load("natural"))
    assert list(frame["label"]) == ["Tie", "plain", "cited", "Unclear"]
