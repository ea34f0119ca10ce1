"""Judges that answer in the process go through the same runner, journal and verdicts as any other."""

from __future__ import annotations

from collections import Counter

import pytest

from annotation.errors import Refused
from judging.enums import RunState
from judging.models import Attempt, Call, CallUse, Comparison, Condition, Reading, Run, Verdict
from judging.queries import progress_of
from judging.runner import run_block, run_to_end
from judging.steps.plan import Budget
from judging.steps.run import cancel_run, pause_run, queue_run
from tests.judging.material import planned
from tests.material import Material, pair_row


def test_run_answers_every_comparison(material: Material) -> None:
    run = planned(material, judges=["baseline:longer", "simulator"], protocols=["ladder:L0-L4", "trace-v2"], pairs=6)
    report = run_to_end(run)
    assert report.state == RunState.DONE
    assert set(Comparison.objects.values_list("state", "claimed_by")) == {("done", "")}
    assert Verdict.objects.count() == Reading.objects.count() == run.plan["comparisons"] == 2 * 6 * 6 * 2


def test_verdict_names_the_role_whatever_the_order(material: Material) -> None:
    material.pairs([pair_row(0, candidates={"plain": "short", "cited": "a longer text [1]"})])
    run_to_end(planned(material, pairs=0, judges=["baseline:longer", "baseline:first", "baseline:always_tie"]))
    won = {
        (judge, order): winner
        for judge, order, winner in Verdict.objects.values_list("condition__judge__model", "order", "winner")
    }
    assert won == {
        ("longer", 1): 2, ("longer", 2): 2, ("first", 1): 1, ("first", 2): 2,
        ("always_tie", 1): 0, ("always_tie", 2): 0,
    }  # fmt: skip
    assert {row.shown for row in Reading.objects.filter(comparison__condition__judge__model="first")} == {"A"}


def test_every_stage_leaves_its_call_and_bodies(material: Material) -> None:
    run_to_end(planned(material, protocols=["trace-v2"], pairs=1, orders="first"))
    stages = dict(CallUse.objects.values_list("stage", "call_id"))
    assert set(stages) == {"normalise", "compare"}
    attempt = Attempt.objects.get(call=stages["compare"])
    assert attempt.state == "ok"
    assert "winner" in attempt.reply.text  # type: ignore[union-attr]
    assert "Question number 0?" in Call.objects.get(pk=stages["normalise"]).request.text
    verdict = Verdict.objects.get()
    assert (verdict.n_calls, verdict.prompt_tokens, verdict.usd_nano, verdict.tie_offered) == (2, 0, 0, True)
    assert set(verdict.reading.record["stages"]) == {"normalise", "compare"}


def test_sources_are_marked(material: Material) -> None:
    run_to_end(planned(material, judges=["baseline:longer", "simulator"]))
    assert Counter(Verdict.objects.values_list("condition__judge__provider", "source")) == {
        ("baseline", "baseline"): 6, ("simulator", "simulated"): 6,
    }  # fmt: skip


def test_second_run_pays_for_nothing_that_was_answered(material: Material) -> None:
    run_to_end(planned(material, protocols=["ladder:L0"]))
    again = planned(material, protocols=["ladder:L0-L1"], pairs=0)
    run_to_end(again)
    again.refresh_from_db()
    assert again.spent_calls == 6
    assert Attempt.objects.count() == 12


def test_stored_reply_is_used_again_by_its_key(material: Material) -> None:
    run = planned(material)
    run_to_end(run)
    # As after a kill between a reply and its verdict: the call is answered, the comparison open again.
    verdicts = list(Verdict.objects.order_by("comparison_id").values_list("comparison_id", "winner"))
    Verdict.objects.all().delete()
    Reading.objects.all().delete()
    Comparison.objects.update(state="pending")
    report = run_to_end(run)
    assert (Attempt.objects.count(), report.tally.reused) == (6, 6)
    assert list(Verdict.objects.order_by("comparison_id").values_list("comparison_id", "winner")) == verdicts


def test_pairs_of_equal_text_never_share_a_call(material: Material) -> None:
    same = pair_row(0)
    material.pairs([same, {**same, "pair_id": "twin"}])
    run_to_end(planned(material, pairs=0, orders="first"))
    assert (Call.objects.count(), len(set(Call.objects.values_list("request_id")))) == (2, 1)


def test_repeats_are_calls_of_their_own(material: Material) -> None:
    run_to_end(planned(material, pairs=1, orders="first", repeats=3))
    assert Call.objects.count() == 3


def test_reveal_after_yields_a_verdict_before_and_after(material: Material) -> None:
    run_to_end(planned(material, judges=["baseline:first"], protocols=["scot;probe=flip,reveal_after"], pairs=1))
    phases = Counter(Verdict.objects.values_list("condition__probe", "phase"))
    assert phases == {("flip", "only"): 2, ("reveal_after", "before"): 2, ("reveal_after", "after"): 2}
    after = Reading.objects.filter(phase="after").first()
    before = Reading.objects.filter(phase="before").first()
    assert after is not None
    assert before is not None
    assert after.cue["plain"] == before.cue["cited"] != before.cue["plain"]
    # The first phase of reveal-after is the flip's own request for the same pair and order: asked once.
    assert Call.objects.count() == 4


def test_condition_version_rises_with_its_verdicts(material: Material) -> None:
    run = planned(material)
    run_to_end(run)
    condition = Condition.objects.get()
    assert condition.verdict_version >= 1
    before = condition.verdict_version
    run_to_end(run)
    condition.refresh_from_db()
    assert condition.verdict_version == before


def test_budget_of_calls_stops_cleanly_and_more_budget_goes_on(material: Material) -> None:
    run = planned(material, pairs=5, budget=Budget(calls=4))
    report = run_to_end(run)
    assert report.state == RunState.STOPPED
    assert "budget in calls" in report.reason
    assert (Attempt.objects.count(), progress_of(run).done, progress_of(run).claimed) == (4, 4, 0)
    Run.objects.filter(pk=run.pk).update(budget_calls=None)
    assert run_to_end(run).state == RunState.DONE
    assert Attempt.objects.count() == 10


def test_blocks_add_up_to_the_run(material: Material) -> None:
    run = planned(material, pairs=5)
    queue_run(run=run)
    states = [run_block(run, comparisons=4).state for _ in range(3)]
    assert states == ["running", "running", "done"]
    assert progress_of(run).done == 10


def test_block_leaves_a_paused_run_alone(material: Material) -> None:
    run = planned(material)
    queue_run(run=run)
    pause_run(run=run)
    assert run_block(run).state == RunState.PAUSED
    assert Attempt.objects.count() == 0


def test_cancelled_run_is_never_taken_up(material: Material) -> None:
    run = planned(material)
    cancel_run(run=run)
    with pytest.raises(Refused, match="cancelled"):
        run_to_end(run)


def test_sums_of_the_run_are_the_sums_of_its_attempts(material: Material) -> None:
    run = planned(material, judges=["simulator"], pairs=5)
    run_to_end(run)
    run.refresh_from_db()
    attempts = list(Attempt.objects.values_list("prompt_tokens", "completion_tokens"))
    assert run.spent_calls == len(attempts) == 10
    assert run.spent_tokens == sum(p + c for p, c in attempts) > 0
