"""Judges behind an endpoint: what it may do, and what the runner makes of it."""

from __future__ import annotations

import json
import threading
from collections import Counter
from typing import Any

import pytest
from aiohttp import web
from django.db.models import Sum

from annotation.errors import Refused
from judging.enums import RunState
from judging.models import Attempt, Call, Comparison, Judge, Payload, RateBucket, Reading, Run, Verdict
from judging.providers import anthropic, openai
from judging.queries import progress_of
from judging.runner import run_to_end
from judging.runner.retrying import FIRST_WAIT
from judging.steps.plan import Budget
from tests.judging.chaos import Chaos
from tests.judging.material import planned
from tests.material import Material


@pytest.fixture(autouse=True)
def _quick_and_forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judging.runner.retrying.FIRST_WAIT", 0.02)
    openai.MEMORY.forget()
    anthropic.MEMORY.forget()


def said(error: dict[str, Any], status: int = 400) -> web.Response:
    return web.json_response({"error": error}, status=status)


def test_endpoint_answers_and_everything_is_logged(material: Material) -> None:
    with Chaos() as chaos:
        run = planned(material, judges=[chaos.spec(temperature=0, seed=5)], pairs=2)
        assert run_to_end(run).state == RunState.DONE
    assert set(chaos.received.values()) == {1}
    attempt = Attempt.objects.select_related("reply").first()
    assert attempt is not None
    assert (attempt.http_status, attempt.finish_reason, attempt.model_returned, attempt.snapshot) == (
        200, "stop", "a-model-2026-01-01", "fp_1",
    )  # fmt: skip
    assert (attempt.prompt_tokens, attempt.completion_tokens, attempt.usage_reported) == (100, 10, True)
    assert attempt.response_metadata["address"] == "loopback"
    assert json.loads(attempt.reply.body)["choices"][0]["finish_reason"] == "stop"  # type: ignore[union-attr]
    body = chaos.requests[0]
    assert (body["temperature"], body["seed"], body["response_format"]["type"]) == (0, 5, "json_schema")
    stored = {bytes(call.request.body) for call in Call.objects.select_related("request")}
    assert json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode() in stored
    reading = Reading.objects.first()
    assert reading is not None
    assert (reading.model_returned, reading.rationale) == ("a-model-2026-01-01", "Because.")
    assert Verdict.objects.first().source == "live"  # type: ignore[union-attr]


def test_chaotic_endpoint_leaves_every_comparison_accounted_for(material: Material) -> None:
    chaos = Chaos(
        seed=1, throttle=0.2, error=0.05, hang=0.03, cut=0.03, garbage=0.05, refuse=0.02, slow_start=0.3, timeout=0.4
    )
    with chaos:
        run = planned(material, judges=[chaos.spec()], pairs=75, concurrency=32)
        report = run_to_end(run)
    assert report.state == RunState.DONE
    progress = progress_of(run)
    assert (progress.done + progress.failed, progress.claimed, progress.pending) == (150, 0, 0)
    assert progress.failed <= 1
    assert sum(progress.outcomes.values()) == 150
    assert progress.outcomes["refused"] >= 1
    assert min(chaos.statuses[each] for each in ("throttled", "failed", "cut", "garbled", "refused")) > 0
    assert max(Counter(Attempt.objects.filter(state="ok").values_list("call")).values()) == 1
    assert not Attempt.objects.filter(state="in_flight").exists()
    assert Attempt.objects.count() == sum(chaos.received.values())
    run.refresh_from_db()
    charged = Attempt.objects.filter(prompt_tokens__isnull=False)
    sums = charged.aggregate(prompt=Sum("prompt_tokens"), completion=Sum("completion_tokens"))
    assert (run.spent_calls, run.spent_tokens) == (charged.count(), sums["prompt"] + sums["completion"])


def test_throttled_request_waits_as_long_as_it_was_told(material: Material) -> None:
    first: list[int] = []

    def once(body: dict[str, Any]) -> web.Response | None:
        first.append(1)
        return web.Response(status=429, headers={"Retry-After": "0.6"}) if len(first) == 1 else None

    with Chaos(respond=once) as chaos:
        run_to_end(planned(material, judges=[chaos.spec()], pairs=1, orders="first"))
    assert chaos.moments[1] - chaos.moments[0] >= 0.6
    states = list(Attempt.objects.order_by("number").values_list("state", "http_status", "prompt_tokens"))
    assert states == [("retried", 429, None), ("ok", 200, 100)]


def test_pause_told_to_one_request_holds_for_its_whole_key(material: Material) -> None:
    seen: list[int] = []

    def once(body: dict[str, Any]) -> web.Response | None:
        seen.append(1)
        return web.Response(status=429, headers={"Retry-After": "0.7"}) if len(seen) == 1 else None

    with Chaos(respond=once) as chaos:
        run_to_end(planned(material, judges=[chaos.spec()], pairs=4, orders="first", concurrency=1))
    assert min(chaos.moments[1:]) - chaos.moments[0] >= 0.7
    pause = RateBucket.objects.get().paused_until
    assert pause is not None
    assert chaos.url not in RateBucket.objects.get().name


def test_bad_request_is_not_sent_again(material: Material) -> None:
    with Chaos(respond=lambda _: said({"message": "too long"})) as chaos:
        run = planned(material, judges=[chaos.spec()], pairs=1)
        report = run_to_end(run)
    assert (report.state, sum(chaos.received.values())) == (RunState.DONE, 2)
    assert set(Comparison.objects.values_list("state", "error_code")) == {("failed", "http_400")}
    assert set(Verdict.objects.values_list("outcome", "winner")) == {("error", None)}
    run.refresh_from_db()
    assert (run.spent_calls, run.spent_tokens) == (0, 0)


def test_failed_comparison_is_asked_again_on_request(material: Material) -> None:
    broken = threading.Event()
    broken.set()
    with Chaos(respond=lambda _: said({"message": "no"}) if broken.is_set() else None) as chaos:
        run = planned(material, judges=[chaos.spec()], pairs=1)
        run_to_end(run)
        broken.clear()
        assert run_to_end(run, retry_failed=False).state == RunState.DONE
        assert set(Comparison.objects.values_list("state", flat=True)) == {"failed"}
        run_to_end(run)
    assert set(Comparison.objects.values_list("state", "error_code")) == {("done", "")}
    assert set(Reading.objects.values_list("number", "outcome")) == {(1, "error"), (2, "decided")}
    assert Verdict.objects.count() == 2
    assert {verdict.reading.number for verdict in Verdict.objects.all()} == {2}
    assert set(Attempt.objects.values_list("number", "state")) == {(1, "failed"), (2, "ok")}


def test_rejected_key_stops_the_run_at_once(material: Material) -> None:
    with Chaos(respond=lambda _: said({"message": "Incorrect key sk-abc"}, status=401), latency=0.02) as chaos:
        run = planned(material, judges=[chaos.spec()], pairs=60, concurrency=4)
        report = run_to_end(run)
    assert report.state == RunState.FAILED
    assert "does not accept the key" in report.reason
    assert sum(chaos.received.values()) <= 12
    assert "sk-abc" not in "".join(Attempt.objects.values_list("error_detail", flat=True))
    assert progress_of(run).pending == 120


def test_key_is_sent_and_never_kept(material: Material, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_API_KEY", "sk-lab-secret-1234")

    def echo(body: dict[str, Any]) -> web.Response:
        return web.Response(text=json.dumps({"choices": "sk-lab-secret-1234"}))

    with Chaos() as chaos:
        run_to_end(planned(material, judges=[chaos.spec(key="LAB_API_KEY")], pairs=1))
        assert {headers["Authorization"] for headers in chaos.headers} == {"Bearer sk-lab-secret-1234"}
        chaos.respond = echo
        run_to_end(planned(material, judges=[chaos.spec(key="LAB_API_KEY")], protocols=["ladder:L1"], pairs=0))
    kept = repr([list(model.objects.values()) for model in (Attempt, Judge, Call, Reading, Run)])
    kept += "".join(payload.text for payload in Payload.objects.all())
    assert "LAB_API_KEY" in kept
    assert "sk-lab-secret" not in kept


def test_missing_key_is_refused_before_anything_is_sent(material: Material, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    run = planned(material, judges=["openai:gpt-4o-mini"])
    with pytest.raises(Refused, match="OPENAI_API_KEY"):
        run_to_end(run)
    assert Attempt.objects.count() == 0


def test_address_taken_off_the_list_is_not_asked(material: Material, settings: Any) -> None:
    with Chaos() as chaos:
        run = planned(material, judges=[chaos.spec()])
        settings.JUDGE_BASE_URLS = []
        with pytest.raises(Refused, match="JUDGE_BASE_URLS"):
            run_to_end(run)
    assert not chaos.received


def test_redirect_is_not_followed(material: Material) -> None:
    def away(body: dict[str, Any]) -> web.Response:
        return web.Response(status=307, headers={"Location": "http://127.0.0.1:1/v1/chat/completions"})

    with Chaos(respond=away) as chaos:
        run_to_end(planned(material, judges=[chaos.spec()], pairs=1, orders="first"))
    assert set(Attempt.objects.values_list("state", "error_code")) == {("failed", "http_307")}


def test_requests_in_flight_stay_within_the_concurrency(material: Material) -> None:
    with Chaos(latency=0.03) as chaos:
        run_to_end(planned(material, judges=[chaos.spec()], pairs=20, concurrency=5))
    assert chaos.most_at_once == 5


def test_budget_of_tokens_is_never_passed(material: Material) -> None:
    with Chaos(latency=0.01) as chaos:
        run = planned(material, judges=[chaos.spec()], pairs=20, concurrency=8, budget=Budget(tokens=3_500))
        report = run_to_end(run)
    run.refresh_from_db()
    assert report.state == RunState.STOPPED
    assert "tokens" in report.reason
    assert 0 < run.spent_tokens <= 3_500
    assert run.spent_tokens == 110 * sum(chaos.received.values())
    assert progress_of(run).claimed == 0


def test_timed_out_call_is_charged_its_most(material: Material) -> None:
    calls: list[int] = []

    def late_once(body: dict[str, Any]) -> web.Response | None:
        calls.append(1)
        return None

    with Chaos(hang=1.0, timeout=0.1, respond=late_once) as chaos:
        run = planned(material, judges=[chaos.spec(max_tokens=50)], pairs=1, orders="first", budget=Budget(calls=3))
        report = run_to_end(run)
    run.refresh_from_db()
    assert (report.state, run.spent_calls, len(calls)) == (RunState.STOPPED, 3, 3)
    charged = set(Attempt.objects.values_list("state", "error_code", "completion_tokens", "usage_reported"))
    assert charged == {("retried", "timeout", 50, False)}
    assert run.spent_tokens > 150


def test_pause_lets_what_is_in_flight_land_and_resume_pays_nothing_twice(material: Material) -> None:
    seen: list[int] = []

    def pause_at_ten(body: dict[str, Any]) -> None:
        seen.append(1)

    with Chaos(latency=0.05, respond=pause_at_ten) as chaos:
        run = planned(material, judges=[chaos.spec()], pairs=30, concurrency=4)

        def pause(_: object) -> None:
            if len(seen) >= 10:
                Run.objects.filter(pk=run.pk, state="running").update(state="paused")

        # The progress callback runs on the event loop's thread; the database is the desk's.
        from judging.runner import journal

        commit = journal.commit

        def committing(*args: Any, **options: Any) -> Any:
            pause(None)
            return commit(*args, **options)

        journal.commit = committing
        try:
            report = run_to_end(run)
        finally:
            journal.commit = commit
        assert report.state == RunState.PAUSED
        assert 0 < progress_of(run).done < 60
        assert progress_of(run).claimed == 0
        assert not Attempt.objects.filter(state="in_flight").exists()
        assert run_to_end(run).state == RunState.DONE
    assert set(chaos.answered.values()) == {1}
    assert progress_of(run).done == 60


@pytest.mark.parametrize(
    ("refuses", "error", "then"),
    [
        ("max_tokens", {"message": "Use 'max_completion_tokens'.", "param": "max_tokens"}, "max_completion_tokens"),
        ("temperature", {"message": "Only the default (1) value is supported.", "param": "temperature"}, ""),
        ("temperature", {"message": "temperature is not supported with this model"}, ""),
        ("seed", {"message": "Unrecognized request argument supplied: seed"}, ""),
    ],
)  # fmt: skip
def test_refused_parameter_is_left_out_and_remembered(
    material: Material, refuses: str, error: dict[str, Any], then: str
) -> None:
    with Chaos(respond=lambda body: said(error) if refuses in body else None) as chaos:
        run = planned(material, judges=[chaos.spec(seed=1)], pairs=6, concurrency=1)
        assert run_to_end(run).state == RunState.DONE
    assert progress_of(run).outcomes == {"decided": 12}
    assert sum(refuses in body for body in chaos.requests) == 1
    assert not then or all(then in body for body in chaos.requests[1:])
    sent = Attempt.objects.filter(state="ok", request__isnull=False)
    assert sent.count() == 12
    assert refuses not in json.loads(bytes(sent.first().request.body))  # type: ignore[union-attr]
    assert refuses in json.loads(bytes(Call.objects.first().request.body))  # type: ignore[union-attr]


def test_refused_schema_falls_back_to_an_object_and_then_to_text(material: Material) -> None:
    def only_text(body: dict[str, Any]) -> web.Response | None:
        kind = body.get("response_format", {}).get("type")
        return said({"message": f"response_format type {kind} is unavailable now"}) if kind else None

    with Chaos(respond=only_text) as chaos:
        run = planned(material, judges=[chaos.spec()], pairs=3, concurrency=1)
        run_to_end(run)
    kinds = [body.get("response_format", {}).get("type") for body in chaos.requests]
    assert kinds == ["json_schema", "json_object", *[None] * 6]
    assert progress_of(run).outcomes == {"decided": 6}


def test_schema_answered_with_500_falls_back(material: Material) -> None:
    def no_schema(body: dict[str, Any]) -> web.Response | None:
        if body["response_format"]["type"] == "json_schema":
            return said({"message": "literal_error: body, response_format, type"}, status=500)
        return None

    with Chaos(respond=no_schema) as chaos:
        run_to_end(planned(material, judges=[chaos.spec()], pairs=1, concurrency=1))
    assert [body["response_format"]["type"] for body in chaos.requests] == ["json_schema", "json_object", "json_object"]


def test_model_without_a_system_role_gets_it_in_the_users_words(material: Material) -> None:
    def no_system(body: dict[str, Any]) -> web.Response | None:
        if any(message["role"] == "system" for message in body["messages"]):
            return said({"message": "System role not supported"})
        return None

    with Chaos(respond=no_system) as chaos:
        run = planned(material, judges=[chaos.spec()], pairs=2, concurrency=1)
        run_to_end(run)
    system, user = chaos.requests[0]["messages"]
    merged = [body["messages"] for body in chaos.requests[1:]]
    assert [{"role": "user", "content": f"{system['content']}\n\n{user['content']}"}] in merged
    assert {len(messages) for messages in merged} == {1}
    assert progress_of(run).outcomes == {"decided": 4}


@pytest.mark.parametrize(
    ("message", "finish", "outcome", "reason"),
    [
        ({"content": None}, "stop", "unparsed", "empty"),
        ({"content": "", "reasoning_content": '{"winner": "A", "reason": "x"}'}, "stop", "unparsed", "empty"),
        ({"content": None, "refusal": "No."}, "stop", "refused", "refusal"),
        ({"content": ""}, "content_filter", "refused", "content_filter"),
        ({"content": '{"winner": "A", "rea'}, "length", "unparsed", "truncated"),
        ({"content": [{"type": "text", "text": '{"winner": "A", "reason": "x"}'}]}, "stop", "decided", ""),
        ({"content": "half \ud83d of a pair \x00"}, "stop", "unparsed", "no_verdict"),
    ],
)
def test_reply_is_read_for_what_it_is(
    material: Material, message: dict[str, Any], finish: str, outcome: str, reason: str
) -> None:
    reply = {"choices": [{"message": {"role": "assistant", **message}, "finish_reason": finish}]}
    with Chaos(respond=lambda _: web.json_response(reply)) as chaos:
        run_to_end(planned(material, judges=[chaos.spec()], pairs=1, orders="first"))
    verdict = Verdict.objects.select_related("reading").get()
    assert (verdict.outcome, verdict.reading.reason) == (outcome, reason)
    assert sum(chaos.received.values()) == 1
    # No usage was told: unknown in the verdict, the most in what was charged.
    assert (verdict.prompt_tokens, verdict.completion_tokens) == (None, None)
    assert Attempt.objects.get().completion_tokens == 400


def test_filtered_prompt_is_a_refusal(material: Material) -> None:
    error = {"message": "filtered", "code": "content_filter"}
    with Chaos(respond=lambda _: said(error)) as chaos:
        run_to_end(planned(material, judges=[chaos.spec()], pairs=1, orders="first"))
    assert Verdict.objects.get().outcome == "refused"
    assert sum(chaos.received.values()) == 1


def test_two_stages_are_asked_in_turn_and_their_cost_added(material: Material) -> None:
    def staged(body: dict[str, Any]) -> web.Response | None:
        if "record_a" in body["messages"][-1]["content"]:
            return None
        properties = body["response_format"]["json_schema"]["schema"]["properties"]
        record = {side: dict.fromkeys(properties[side]["properties"], "x") for side in "AB"}
        message = {"role": "assistant", "content": json.dumps(record)}
        usage = {"prompt_tokens": 7, "completion_tokens": 3}
        return web.json_response({"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage})

    with Chaos(respond=staged) as chaos:
        run_to_end(planned(material, judges=[chaos.spec()], protocols=["trace-v2"], pairs=2))
    assert sum(chaos.received.values()) == 8
    assert set(Verdict.objects.values_list("outcome", "n_calls", "prompt_tokens", "completion_tokens")) == {
        ("decided", 2, 107, 13)
    }


def test_rate_limit_of_a_key_is_kept(material: Material) -> None:
    with Chaos() as chaos:
        run_to_end(planned(material, judges=[chaos.spec(rpm=600)], pairs=60, concurrency=32))
    # 600 a minute: a sixth of them at once, then ten a second; 120 requests take two seconds at least.
    assert max(chaos.moments) - min(chaos.moments) >= 1.7
    assert RateBucket.objects.count() == 1


def test_first_wait_is_long_enough_for_a_busy_endpoint() -> None:
    assert FIRST_WAIT >= 0.5
