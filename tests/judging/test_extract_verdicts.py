"""manage.py extract_verdicts: JSON Lines in, JSON Lines out, and exit status 2 that names file, row and field."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from judging.extractor import EXTRACTOR_VERSION


def run(tmp_path: Path, *lines: Any, style: str = "json", **options: Any) -> list[dict[str, Any]]:
    file = tmp_path / "replies.jsonl"
    file.write_text("".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines), encoding="utf-8")
    out = StringIO()
    call_command("extract_verdicts", str(file), style=style, stdout=out, **options)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_command_writes_one_line_a_reply_in_order(tmp_path: Path) -> None:
    got = run(tmp_path, {"id": "x", "text": '{"winner":"A",}'}, {"id": 7, "text": "none"})
    assert got == [
        {"id": "x", "outcome": "A", "reason": None, "repaired": True, "extractor_version": EXTRACTOR_VERSION},
        {
            "id": 7,
            "outcome": "unparsed",
            "reason": "no_verdict",
            "repaired": False,
            "extractor_version": EXTRACTOR_VERSION,
        },
    ]


def test_command_heeds_the_labels_offered_and_how_the_reply_ended(tmp_path: Path) -> None:
    tie = {"text": '{"winner":"Tie"}'}
    got = run(
        tmp_path,
        {"id": 1, **tie, "offered": ["A", "B"]},
        {"id": 2, **tie, "finish_reason": "length"},
        {"id": 3, **tie, "finish_reason": None, "offered": None},
        {"id": 4, "text": None},
    )
    assert [(line["outcome"], line["reason"]) for line in got] == [
        ("unparsed", "invalid_value"),
        ("unparsed", "truncated"),
        ("Tie", None),
        ("unparsed", "empty"),
    ]


def test_command_reads_every_style_and_its_settings(tmp_path: Path) -> None:
    assert run(tmp_path, {"id": 1, "text": "[[A>>B]]"}, style="arena")[0]["strong"] is True
    assert run(tmp_path, {"id": 1, "text": "B"}, style="line")[0]["whole_output"] is True
    assert run(tmp_path, {"id": 1, "text": "[[C]]"}, style="brackets")[0]["outcome"] == "Tie"
    assert run(tmp_path, {"id": 1, "text": "5 6"}, style="scores", high=5.0)[0]["reason"] == "invalid_value"
    sentence = "So it is ({label})."
    assert run(tmp_path, {"id": 1, "text": "Hm. So it is (b)."}, style="line", sentence=sentence)[0]["outcome"] == "B"


def test_command_names_every_problem_and_prints_no_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError) as caught:
        run(tmp_path, {"id": "ok", "text": "[[A]]"}, {"id": 1}, [], {"id": "", "text": 3}, '{"id": 5', style="brackets")
    assert caught.value.returncode == 2
    lines = str(caught.value).splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "replies.jsonl, row 2, text",
        "replies.jsonl, row 3, line",
        "replies.jsonl, row 4, id",
        "replies.jsonl, row 4, text",
        "replies.jsonl, row 5, line",
    ]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("offered", [["A", "C"], [], "AB", ["A", "A"]])
def test_command_refuses_labels_that_are_none(tmp_path: Path, offered: Any) -> None:
    with pytest.raises(CommandError, match="row 1, offered"):
        run(tmp_path, {"id": 1, "text": "", "offered": offered})


def test_command_refuses_a_missing_or_empty_file(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="does not exist") as caught:
        call_command("extract_verdicts", str(tmp_path / "no.jsonl"), style="json")
    assert caught.value.returncode == 2
    with pytest.raises(CommandError, match="is empty"):
        run(tmp_path)


def test_command_reads_texts_no_database_could_hold(tmp_path: Path) -> None:
    assert run(tmp_path, '{"id": 1, "text": "\\ud800 [[A]] \\u0000"}', style="brackets")[0]["outcome"] == "A"


def test_command_refuses_a_sentence_without_a_place_for_the_label(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"\{label\}"):
        run(tmp_path, {"id": 1, "text": ""}, style="line", sentence="Done.")
