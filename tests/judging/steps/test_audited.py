"""Checking the reasoning of an earlier run's verdicts."""

from __future__ import annotations

import pytest

from annotation.errors import Refused
from judging.models import Call, Reading, Verdict
from judging.runner import run_to_end
from tests.judging.material import planned
from tests.material import Material


def test_reasoning_of_an_earlier_run_is_checked_verdict_by_verdict(material: Material) -> None:
    run_to_end(planned(material, judges=["simulator:steady"], protocols=["ladder:L0,L4"], name="first"))
    reasons = set(Reading.objects.values_list("rationale", flat=True)) - {""}
    run = planned(material, judges=["simulator:steady"], protocols=["unsupported-claims;audits=first"], pairs=0)
    assert run.plan["comparisons"] == Verdict.objects.filter(outcome="decided").count()
    assert run_to_end(run).state == "done"
    checks = Verdict.objects.filter(condition__protocol="unsupported_claims").select_related("reading")
    assert {check.outcome for check in checks} == {"scored"}
    assert {check.condition.options for check in checks} != {""}
    assert checks[0].reading.scores == {"reasoning": {"claims": 0.0, "unsupported": 0.0}}
    asked = [call.request.text for call in Call.objects.select_related("request")]
    assert all(any(reason in text for text in asked) for reason in reasons)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("unsupported-claims", "name the run"),
        ("unsupported-claims;audits=nowhere", "no run 'nowhere'"),
        ("ladder:L0;audits=first", "checks no earlier reasoning"),
    ],
)
def test_check_without_reasoning_is_refused(material: Material, spec: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        planned(material, protocols=[spec])
