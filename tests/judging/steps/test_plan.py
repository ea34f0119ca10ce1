"""Planning: everything is written down and estimated before anything is sent, or nothing is stored."""

from __future__ import annotations

import pytest

from annotation.errors import Refused
from judging.models import Comparison, Condition, Run, RunComparison
from judging.runner import run_to_end
from judging.steps.plan import Budget
from tests.judging.material import planned
from tests.material import Material, pair_row


def test_plan_writes_every_comparison_once(material: Material) -> None:
    run = planned(
        material, judges=["baseline:longer", "baseline:first"], protocols=["ladder:L0-L1", "trace-v2"], pairs=4
    )
    assert run.plan["comparisons"] == 2 * 3 * 4 * 2 == Comparison.objects.count() == RunComparison.objects.count()
    assert Condition.objects.count() == 6


def test_orders_and_repeats_multiply(material: Material) -> None:
    run = planned(material, orders="second", repeats=3)
    assert run.plan["comparisons"] == 9
    assert set(Comparison.objects.values_list("order", "repeat")) == {(2, 0), (2, 1), (2, 2)}


def test_second_plan_shares_what_the_first_has_asked(material: Material) -> None:
    run_to_end(planned(material, protocols=["ladder:L0"]))
    again = planned(material, protocols=["ladder:L0-L1"], pairs=0)
    assert (again.plan["comparisons"], again.plan["already_answered"]) == (12, 6)
    assert Comparison.objects.count() == 12
    assert again.plan["estimate"]["calls"]["max"] == 6


def test_pair_without_text_is_left_out_and_counted(material: Material) -> None:
    rows = [pair_row(0), pair_row(1, candidates={"plain": None, "cited": "x"}, target="cited"), pair_row(2)]
    rows[2]["candidates"] = {"plain": "", "cited": "x"}
    material.pairs(rows)
    run = planned(material, pairs=0)
    assert (run.plan["pairs"], run.plan["pairs_without_two_texts"]) == (2, 1)


def test_attack_is_planned_only_on_texts_it_fits(material: Material) -> None:
    material.pairs([pair_row(0), pair_row(1, candidates={"plain": "", "cited": "Yes [1]."})])
    run = planned(material, pairs=0, protocols=["ladder:L0;attack=verbosity@plain"])
    assert (run.plan["comparisons"], run.plan["pairs_no_attack_fits"]) == (2, 1)


def test_placebo_badge_alternates_along_the_split(material: Material) -> None:
    planned(material, pairs=4, judges=["baseline:first"], protocols=["cue-baseline;probe=placebo"])
    favoured = dict(Comparison.objects.order_by("pair__position").values_list("pair__pair_id", "cue_favours"))
    assert list(favoured.values()) == ["plain", "cited", "plain", "cited"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"protocols": ["ladder"]}, "no default level"),
        ({"protocols": ["ladder:L9"]}, "no level 'L9'"),
        ({"protocols": ["ladder:L0;probe=truth"]}, "not defined under the probe truth"),
        ({"protocols": ["cue-baseline"], "judges": ["baseline:always_tie"]}, "forced choice"),
        ({"protocols": []}, "needs a protocol"),
        ({"judges": []}, "needs a judge"),
        ({"orders": "sideways"}, "no orders"),
        ({"repeats": 0}, "repeated 1 to 100"),
        ({"name": " "}, "needs a name"),
        ({"split": None}, "name one of them"),
        ({"budget": Budget(usd="lots")}, "no amount"),
        ({"protocols": ["scot;attack=verbosity@nobody"]}, "No pair has the role"),
    ],
)
def test_plan_that_cannot_be_is_refused_and_nothing_stored(material: Material, given: dict, said: str) -> None:
    with pytest.raises(Refused, match=said):
        planned(material, **given)
    assert (Run.objects.count(), Comparison.objects.count(), Condition.objects.count()) == (0, 0, 0)


def test_name_is_used_once(material: Material) -> None:
    planned(material, name="first")
    with pytest.raises(Refused, match="already has a run called 'first'"):
        planned(material, name="first", pairs=0)


def test_judge_of_another_study_is_refused(material: Material, tmp_path: object) -> None:
    other = Material(material.folder)
    run = planned(other, name="theirs")
    theirs = run.wanted.first().comparison.condition.judge  # type: ignore[union-attr]
    material.pairs([pair_row(0)])
    from judging.steps.plan import plan_run

    with pytest.raises(Refused, match="belong to the run's study"):
        plan_run(study=material.study, judges=[theirs], protocols=["ladder:L0"], name="r", split=material.split())


def test_budget_in_dollars_needs_a_price(material: Material, settings: object) -> None:
    settings.JUDGE_BASE_URLS = ["https://models.example.org"]  # type: ignore[attr-defined]
    spec = "openai:some-model@https://models.example.org/v1"
    run = planned(material, judges=[spec])
    assert (run.plan["estimate"]["usd"], run.plan["estimate"]["unpriced"]) == (None, ["some-model"])
    with pytest.raises(Refused, match=r"prices\.toml has none for some-model"):
        planned(material, judges=[spec], protocols=["ladder:L1"], pairs=0, budget=Budget(usd="1"))


def test_estimate_is_ordered_and_priced(material: Material) -> None:
    run = planned(material, judges=["openai:gpt-4o-mini"], protocols=["trace-v2"], pairs=20)
    estimate = run.plan["estimate"]
    assert estimate["calls"] == {"min": 40, "likely": 80, "max": 80}
    for each in (estimate["tokens"], estimate["usd"]):
        assert 0 < each["min"] < each["likely"] < each["max"]
