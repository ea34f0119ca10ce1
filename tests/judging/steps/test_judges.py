"""Declaring judges by short texts."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.errors import Refused
from judging.models import Judge
from judging.steps.judges import declare_judge, parse_judge_spec
from tests.material import Material


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("baseline:longer", "baseline:longer"),
        ("baseline:random(7)", "baseline:random;seed=7"),
        ("simulator", "simulator"),
        ("simulator:swayed", "simulator"),
        ("simulator:steady;seed=3", "simulator:steady;seed=3"),
        ("openai:gpt-4o-mini", "openai:gpt-4o-mini"),
        ("openai:gpt-4o-mini@https://api.openai.com/v1/", "openai:gpt-4o-mini"),
        ("openai:@cf/some/model@http://127.0.0.1:81/v1", "openai:@cf/some/model@http://127.0.0.1:81/v1"),
        ("openai:m@http://localhost:1/v1;temperature=0.5;seed=2", "openai:m@http://localhost:1/v1;seed=2;temperature=0.5"),
    ],
)  # fmt: skip
def test_spec_is_read_and_named(spec: str, name: str) -> None:
    assert parse_judge_spec(spec).name == name


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("gpt-4o", "names no judge"),
        ("baseline:best", "no baseline 'best'; there are: always_tie"),
        ("baseline:longer;seed=1", "takes no seed"),
        ("simulator:kind", "no profile"),
        ("openai:", "Name the model"),
        ("openai:m;temperature=hot", "takes a number"),
        ("openai:m;max_tokens=0", "takes a whole number"),
        ("openai:m;colour=red", "no setting 'colour'"),
        ("openai:m;key", "no setting of a judge"),
        ("openai:m@https://elsewhere.example/v1", "JUDGE_BASE_URLS"),
        ("openai:m@http://127.0.0.1:1/v1;key=OPENAI_API_KEY", "is not sent to"),
        ("openai:m;key=SECRET_KEY", "names no key"),
    ],
)
def test_spec_that_cannot_be_used_is_refused_with_what_can(spec: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        parse_judge_spec(spec)


def test_same_configuration_is_one_judge(material: Material) -> None:
    one = declare_judge(study=material.study, spec="openai:m@http://127.0.0.1:1/v1;seed=1;temperature=0")
    two = declare_judge(study=material.study, spec="openai:m@http://127.0.0.1:1/v1/;temperature=0;seed=1;rpm=60")
    assert one.pk == two.pk
    assert Judge.objects.get().parameters["rpm"] == 60


def test_other_parameters_are_another_judge(material: Material) -> None:
    one = declare_judge(study=material.study, spec="openai:m@http://127.0.0.1:1/v1")
    two = declare_judge(study=material.study, spec="openai:m@http://127.0.0.1:1/v1;seed=1")
    assert one.pk != two.pk


def test_key_is_named_and_never_stored(material: Material, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    judge = declare_judge(study=material.study, spec="openai:gpt-4o-mini")
    assert judge.key_name == "OPENAI_API_KEY"
    row: dict[str, Any] = Judge.objects.filter(pk=judge.pk).values().get()
    assert "sk-very-secret" not in repr(row)


def test_taken_name_is_refused(material: Material) -> None:
    declare_judge(study=material.study, spec="baseline:first", name="the judge")
    with pytest.raises(Refused, match="the judge"):
        declare_judge(study=material.study, spec="baseline:second", name="the judge")
