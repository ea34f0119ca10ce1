"""Many rows in few statements: the same rows as one at a time, on either database."""

from __future__ import annotations

import json

import pytest
from django.utils import timezone

from judging import bulk
from judging.models import Attempt, Call, Payload
from tests.judging.material import planned
from tests.material import Material


@pytest.mark.django_db
def test_insert_keeps_what_is_there_and_returns_what_is_new() -> None:
    bulk.insert(Payload, ("sha256", "body"), [("a" * 64, b"one")])
    rows = [("a" * 64, b"other"), ("b" * 64, b"\x00\xff")]
    back = bulk.insert(Payload, ("sha256", "body"), rows, ignore_conflicts=True, returning=("sha256",))
    assert back == [("b" * 64,)]
    assert {row.pk[0]: bytes(row.body) for row in Payload.objects.all()} == {"a": b"one", "b": b"\x00\xff"}


def test_insert_and_update_of_more_rows_than_a_statement_holds(
    material: Material, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "MAX_PARAMETERS", 60)
    run = planned(material)
    now = timezone.now()
    payload = Payload.objects.create(sha256="c" * 64, body=b"x")
    keys = [f"{n:064}" for n in range(50)]
    columns = ("study_id", "key", "request_id", "created_at")
    made = dict(
        bulk.insert(
            Call,
            columns,
            [(material.study.pk, key, payload.pk, bulk.moment(now)) for key in keys],
            returning=("key", "id"),
        )
    )
    assert sorted(made) == keys
    Attempt.objects.bulk_create(
        [Attempt(call_id=pk, number=1, run=run, started_at=now, prompt_tokens=5) for pk in made.values()]
    )
    changed = ("state", "finished_at", "prompt_tokens", "usage_reported", "response_metadata", "reply_id", "usd_nano")
    values = ("ok", bulk.moment(now), None, True, bulk.json_text({"id": "ü"}), payload.pk, 2**40)
    bulk.update(Attempt, ("call_id", "number"), changed, [(pk, 1, *values) for pk in made.values()])
    told = {
        (row.state, row.finished_at, row.prompt_tokens, row.usage_reported, json.dumps(row.response_metadata))
        for row in Attempt.objects.all()
    }
    assert told == {("ok", now, None, True, json.dumps({"id": "ü"}))}
    assert set(Attempt.objects.values_list("usd_nano", flat=True)) == {2**40}


def test_text_no_column_can_hold_is_replaced() -> None:
    assert bulk.plain_text("zero \x00, half \ud83d, whole \U0001f600") == "zero \ufffd, half \ufffd, whole \U0001f600"
    assert json.loads(bulk.json_text({"k\x00": ["\ud83d", 1, None]})) == {"k\ufffd": ["\ufffd", 1, None]}
    assert bulk.json_text({}) == "{}"
