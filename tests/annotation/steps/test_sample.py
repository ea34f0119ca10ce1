"""The sample study loads through the steps, and loading it again changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.enums import RoundState
from annotation.models import Label, Pair, Resolution, Round, User
from annotation.steps.sample import load_sample

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_var(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path


def test_sample_study_ends_labelled_settled_and_frozen() -> None:
    sample = load_sample()
    assert "not a human study" in sample.study.notice
    assert sample.validated.pairs.count() == 54
    assert Resolution.objects.count() == 54
    assert set(sample.validated.pairs.values_list("status", flat=True)) == {"confirmed", "contradicted"}
    assert Round.objects.get(name="try-it").state == RoundState.OPEN
    for name, password in sample.sign_ins.items():
        assert User.objects.get(username=name).check_password(password)


def test_loading_the_sample_twice_stores_it_once() -> None:
    first = load_sample()
    counts = (Pair.objects.count(), Label.objects.count(), Resolution.objects.count())
    second = load_sample()
    assert (Pair.objects.count(), Label.objects.count(), Resolution.objects.count()) == counts
    assert second.validated.pk == first.validated.pk
    assert second.sign_ins == first.sign_ins


def test_sign_ins_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    load_sample()
    assert (tmp_path / "sample_sign_ins.json").stat().st_mode & 0o777 == 0o600
