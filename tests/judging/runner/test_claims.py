"""Claims, leases and what the dead leave behind."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta

import pytest
from django.utils import timezone

from judging.models import Attempt, Call, Comparison, Payload, Run
from judging.queries import progress_of
from judging.runner import claims, journal, run_to_end
from judging.runner.workers import is_gone, new_worker_name
from judging.steps.run import begin
from tests.judging.material import planned
from tests.material import Material


def test_this_process_is_not_gone_and_an_ended_one_is() -> None:
    name = new_worker_name()
    assert len(name) <= 64
    assert not is_gone(name)
    child = "from judging.runner.workers import new_worker_name; print(new_worker_name())"
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": os.getcwd()}
    setup = "import django; django.setup(); "
    ended = subprocess.run([sys.executable, "-c", setup + child], env=env, capture_output=True, text=True, check=True)
    assert is_gone(ended.stdout.strip())


def test_of_a_worker_elsewhere_nothing_is_known_but_its_lease() -> None:
    assert not is_gone("otherplace.1.1.abc")
    assert not is_gone("")


def test_claims_are_exclusive_and_go_on_after_the_last_row(material: Material) -> None:
    run = planned(material)
    first, last = claims.claim(run=run, worker="one", limit=4, after=0)
    second, end = claims.claim(run=run, worker="two", limit=4, after=0)
    assert (len(first), len(second)) == (4, 2)
    assert not {each.comparison_id for each in first} & {each.comparison_id for each in second}
    assert claims.claim(run=run, worker="one", limit=4, after=end) == ([], end)
    assert last < end
    assert claims.release(worker="one") == 4
    assert progress_of(run).pending == 4


def test_sweep_takes_back_what_ran_out_and_charges_what_was_in_flight(material: Material) -> None:
    run = planned(material)
    claims.claim(run=run, worker="otherplace.1.1.abc", limit=2, after=0)
    claims.claim(run=run, worker="otherplace.2.1.abc", limit=2, after=0)
    payload = Payload.objects.create(sha256="0" * 64, body=b"x")
    for number, worker in enumerate(("otherplace.1.1.abc", "otherplace.2.1.abc")):
        call = Call.objects.create(study=material.study, key=f"{number}" * 64, request=payload)
        Attempt.objects.create(
            call=call, number=1, run=run, worker=worker, started_at=timezone.now(), prompt_tokens=9, completion_tokens=5
        )
    Comparison.objects.filter(claimed_by="otherplace.1.1.abc").update(
        claimed_until=timezone.now() - timedelta(seconds=1)
    )
    assert claims.sweep(run=run) == {"comparisons": 2, "attempts": 1}
    lost = Attempt.objects.get(state="lost")
    assert (lost.worker, lost.completion_tokens) == ("otherplace.1.1.abc", 5)
    assert claims.sweep(run=run) == {"comparisons": 0, "attempts": 0}


def test_lease_that_ran_out_is_not_renewed(material: Material) -> None:
    run = planned(material)
    claims.claim(run=run, worker="one", limit=2, after=0)
    gone = timezone.now() - timedelta(seconds=1)
    late = Comparison.objects.filter(claimed_by="one").first()
    Comparison.objects.filter(pk=late.pk).update(claimed_until=gone)  # type: ignore[union-attr]
    claims.renew(worker="one")
    assert Comparison.objects.filter(claimed_by="one", claimed_until__gt=timezone.now()).count() == 1


def test_run_waits_for_what_another_worker_holds_and_finishes_it_when_it_dies(
    material: Material, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judging.runner.pipeline.BUSY_SECONDS", 0.02)
    run = planned(material)
    claims.claim(run=run, worker="otherplace.1.1.abc", limit=2, after=0)
    Comparison.objects.filter(claimed_by="otherplace.1.1.abc").update(
        claimed_until=timezone.now() + timedelta(seconds=0.5)
    )
    started = timezone.now()
    assert run_to_end(run).state == "done"
    assert timezone.now() - started >= timedelta(seconds=0.4)
    assert progress_of(run).done == 6


def test_worker_that_slept_past_its_lease_writes_nothing_and_starts_over(
    material: Material, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = planned(material)
    real, taken = journal.commit, []

    def commit(block: journal.Block, *, run_id: int, worker: str) -> journal.Journalled:
        if block.finished and not taken:
            # Another worker took everything over while this one slept.
            taken.append(worker)
            Comparison.objects.filter(claimed_by=worker).update(state="pending", claimed_by="", claimed_until=None)
        return real(block, run_id=run_id, worker=worker)

    monkeypatch.setattr(journal, "commit", commit)
    assert run_to_end(run).state == "done"
    assert (progress_of(run).done, Attempt.objects.count(), len(taken)) == (6, 6, 1)


def test_begin_opens_failed_comparisons_only_when_asked(material: Material) -> None:
    run = planned(material)
    Comparison.objects.update(state="failed", error_code="http_400")
    begin(run=run, retry_failed=False)
    assert progress_of(run).failed == 6
    begin(run=Run.objects.get(pk=run.pk), retry_failed=True)
    assert progress_of(run).pending == 6
