"""Public pairs with public judge labels, from the files to the report's agreement with humans."""

from __future__ import annotations

from typing import Any

import pytest

from analysis.frames.from_files import read_frames
from analysis.frontier.options import ReportOptions
from analysis.frontier.report import frontier_report
from tests.shared import shared_path

pytestmark = pytest.mark.shared


def agreement(pairs: str, judged: str) -> dict[tuple[str, str], tuple[float, int]]:
    """{(judge, convention): (value, n)} against the plurality of the votes that stand in the pairs file."""
    frames = read_frames(
        pairs=shared_path(pairs), labels=shared_path(pairs), verdicts=shared_path(judged), question=None
    )
    report: dict[str, Any] = frontier_report(
        pairs=frames.pairs, verdicts=frames.verdicts, labels=frames.labels, options=ReportOptions(resamples=20)
    )
    return {(row["judge"], row["convention"]): (row["value"], row["n"]) for row in report["agreement_with_humans"]}


def test_gpt4_on_mtbench_with_inconsistent_ties_as_ties() -> None:
    found = agreement("data/mtbench_human/pairs.jsonl", "data/mtbench_human/judge_labels.jsonl")
    assert found["gpt-4 (both orders)", "exact"] == (pytest.approx(0.713, abs=5e-4), 1612)
    assert found["gpt-4 (both orders)", "cohen_kappa"] == (pytest.approx(0.557, abs=5e-4), 1612)
    # the snapshot's own oracle, ties on either side dropped
    assert found["gpt-4 (both orders)", "tie_dropped"] == (pytest.approx(0.884, abs=5e-4), 1078)


def test_two_judges_on_pandalm_with_garbage_left_out() -> None:
    found = agreement("data/pandalm/pairs.jsonl", "data/pandalm/judge_labels.jsonl")
    assert found["gpt-3.5-turbo", "exact"] == (pytest.approx(0.716, abs=5e-4), 974)
    assert found["gpt-3.5-turbo", "cohen_kappa"] == (pytest.approx(0.493, abs=5e-4), 974)
    assert found["pandalm-7b", "exact"] == (pytest.approx(0.668, abs=5e-4), 999)
    assert found["pandalm-7b", "cohen_kappa"] == (pytest.approx(0.435, abs=5e-4), 999)
