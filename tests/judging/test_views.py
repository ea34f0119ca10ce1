"""What the run pages do: starting a run hands it to the workers at once."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.enums import MemberRole
from judging import tasks
from judging.enums import RunState
from tests.judging.material import planned
from tests.material import Material


def post_start(material: Material, client: Client) -> Any:
    run = planned(material)
    client.force_login(material.member(MemberRole.RESEARCHER))
    response = client.post(reverse("start_run", args=[run.study.slug, run.public_id]))
    assert response.status_code == 302
    run.refresh_from_db()
    return run


def test_starting_a_run_hands_it_to_the_broker(
    material: Material, client: Client, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    handed: list[str] = []
    monkeypatch.setattr(tasks.drive_run, "delay", handed.append)
    with django_capture_on_commit_callbacks(execute=True):
        run = post_start(material, client)
    assert (run.state, handed) == (RunState.QUEUED, [run.public_id])


def test_a_broker_that_is_away_leaves_the_run_queued_for_the_sweep(
    material: Material, client: Client, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def away(_: str) -> None:
        raise ConnectionError("no broker")

    monkeypatch.setattr(tasks.drive_run, "delay", away)
    with django_capture_on_commit_callbacks() as callbacks:
        run = post_start(material, client)
    assert len(callbacks) == 1
    assert run.state == RunState.QUEUED
    assert run.public_id in tasks.idle_runs()
