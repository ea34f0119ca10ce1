"""The first person of a study comes in by command."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Membership, Study, User

pytestmark = pytest.mark.django_db


def add(*arguments: str) -> str:
    out = io.StringIO()
    call_command("add_member", *arguments, stdout=out)
    return out.getvalue()


def test_a_new_account_gets_a_role_and_a_password_shown_once() -> None:
    told = add("mine", "ada")
    password = told.rsplit(" ", 1)[1].strip()
    assert User.objects.get(username="ada").check_password(password)
    assert Membership.objects.get(study__slug="mine").role == "owner"
    assert "Password" not in add("mine", "ada", "--role", "researcher")


def test_whoever_saw_labels_cannot_become_an_annotator_and_nothing_is_left_behind() -> None:
    add("mine", "ada")
    with pytest.raises(CommandError, match="cannot become an annotator") as caught:
        add("mine", "ada", "--role", "annotator")
    assert caught.value.returncode == 2


def test_a_bad_slug_is_refused_before_anything_is_made() -> None:
    with pytest.raises(CommandError, match="is no slug for a study"):
        add("Bad Slug!", "ada")
    assert not Study.objects.exists()
    assert not User.objects.exists()
