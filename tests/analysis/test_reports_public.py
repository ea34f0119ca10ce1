"""Public judge labels through the whole report: MT-Bench with 15 pairs of models as roles, orders combined."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

from analysis.frontier.options import ReportOptions
from analysis.frontier.report import frontier_report
from tests.shared import shared_path


@pytest.mark.shared
def test_gpt4_on_mt_bench_agrees_with_the_plurality_as_published() -> None:
    def lines(name: str) -> list[dict[str, Any]]:
        path = shared_path(f"data/mtbench_human/{name}.jsonl")
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    source = lines("pairs")
    pairs = pd.DataFrame(
        [{"pair_id": row["id"], "role_1": row["model_a"], "role_2": row["model_b"]} for row in source]
    ).assign(tier="preference", split="mt_bench")
    roles = {row["id"]: {"A": row["model_a"], "B": row["model_b"], "Tie": "Tie"} for row in source}
    labels = pd.DataFrame(
        [
            {"pair_id": row["id"], "annotator": who, "label": roles[row["id"]][label]}
            for row in source
            for who, label in row["labels"].items()
        ]
    )
    verdicts = pd.DataFrame(
        [
            {"pair_id": row["id"], "judge": "gpt-4", "protocol": "pair", "shown_as_a": "", "outcome": "decided"}
            | {"winner": row["label"]}
            for row in lines("judge_labels")
        ]
    )
    report = frontier_report(
        pairs=pairs, verdicts=verdicts, labels=labels, options=ReportOptions(resamples=20, ranking="half")
    )
    found = {row["convention"]: row for row in report["agreement_with_humans"]}
    assert found["exact"]["n"] == 1612
    assert found["exact"]["value"] == pytest.approx(0.713, abs=0.0005)
    assert found["cohen_kappa"]["value"] == pytest.approx(0.557, abs=0.0005)
    assert (
        len({row["system"] for row in report["ranking"]})
        == len({name for ids in roles.values() for name in ids.values()}) - 1
    )
