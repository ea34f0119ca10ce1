"""manage.py run_judges: plan, ask, resume, refuse."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from judging.models import Attempt, Judge, Run
from tests.judging.material import planned
from tests.material import Material, pair_row


@pytest.fixture
def run_judges(material: Material) -> Any:
    material.pairs([pair_row(n) for n in range(3)])

    def call(*options: str) -> str:
        out = StringIO()
        call_command("run_judges", "--study", material.study.slug, *options, stdout=out, stderr=StringIO())
        return out.getvalue()

    return call


ASK = ("--split", "main", "--judge", "baseline:longer", "--protocol", "ladder:L0-L1", "--name", "r")


def test_it_plans_and_runs(run_judges: Any) -> None:
    said = run_judges(*ASK)
    assert "r: 12 comparisons over 3 pairs, 0 answered before" in said
    assert "r: done. 12 of 12 comparisons done; 12 decided." in said


def test_plan_only_sends_nothing_and_the_name_alone_goes_on(run_judges: Any) -> None:
    run_judges(*ASK, "--plan-only")
    assert (Run.objects.get().state, Attempt.objects.count()) == ("planned", 0)
    assert "12 of 12" in run_judges("--name", "r")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--split", "nowhere", "--judge", "simulator", "--protocol", "ladder:L0", "--name", "r"), "Its splits: main"),
        (("--split", "main", "--judge", "oracle", "--protocol", "ladder:L0", "--name", "r"), "names no judge"),
        (("--split", "main", "--judge", "simulator", "--protocol", "ladder", "--name", "r"), "no default level"),
        (("--judge", "simulator", "--protocol", "ladder:L0", "--name", "r"), "name one of them"),
        (("--validated-split", "x", "--judge", "simulator", "--protocol", "ladder:L0", "--name", "r"), "It has: none"),
    ],
)
def test_refusal_ends_with_status_2_and_the_remedy(run_judges: Any, options: tuple[str, ...], said: str) -> None:
    with pytest.raises(CommandError, match=said) as refused:
        run_judges(*options)
    assert refused.value.returncode == 2
    assert Run.objects.count() == 0


def test_another_plan_under_a_known_name_is_refused(material: Material) -> None:
    run = planned(material)
    spec = "baseline:shorter"
    with pytest.raises(CommandError, match="was planned with other judges or protocols") as caught:
        call_command("run_judges", study=material.study.slug, name=run.name, judge=[spec])
    assert caught.value.returncode == 2
    assert not Judge.objects.filter(name=spec).exists()
