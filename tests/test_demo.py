"""The demo does the whole job, says what is sample and simulated, and a second run changes nothing."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotation.models import Label, Pair, Resolution, ValidatedSplit
from judging.models import Attempt, Verdict


def demo() -> str:
    out = io.StringIO()
    call_command("demo", serve="0", stdout=out)
    return out.getvalue()


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_demo_goes_from_pairs_to_frontier_and_a_second_run_changes_nothing(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    told = demo()
    for words in (
        "This is not a human study",
        "Agreement of the two sample annotators",
        "Validated split sample v1: 50 confirmed, 4 contradicted",
        "Simulated: the numbers come from a table in the program",
        "sign in as annotator",
        "sign in as coordinator",
        "sign in as researcher",
    ):
        assert words in told
    report = json.loads((tmp_path / "demo" / "frontier.json").read_text(encoding="utf-8"))
    tiers = {row["tier"] for row in report["rows"]}
    assert tiers >= {
        "equivalence", "natural", "soft", "moderate", "conflict", "reverse_conflict", "identical",
    }  # fmt: skip
    assert {row["protocol"] for row in report["rows"]} == {"ladder", "trace_v2"}
    assert (tmp_path / "demo" / "frontier.svg").read_text(encoding="utf-8").startswith("<svg")
    counted = [model.objects.count() for model in (Pair, Label, Resolution, ValidatedSplit, Verdict, Attempt)]
    assert counted[4] == 74 * 2 * 5 * 6
    assert demo() == told
    assert [model.objects.count() for model in (Pair, Label, Resolution, ValidatedSplit, Verdict, Attempt)] == counted
