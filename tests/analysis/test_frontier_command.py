"""manage.py frontier: what it prints and writes, and its exit status."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from tests.analysis.rebuild import find, rows


@pytest.fixture
def study(tmp_path: Path) -> dict[str, str]:
    pairs = [
        {"pair_id": f"p{n:04}", "task": "t", "roles": ["plain", "cited"], "candidates": {"cited": "b", "plain": "a"}}
        | {"tier": "moderate", "target": "plain"}
        for n in range(100)
    ]
    frame = pd.DataFrame({"pair_id": [p["pair_id"] for p in pairs], "role_1": "plain", "role_2": "cited"})
    # TRACE Table A11 and A12, Claude: better-plain rows of 200
    found: list[dict[str, Any]] = []
    for level, plain in (("L0", 200), ("L1", 195), ("L2", 182), ("L3", 143), ("L4", 22)):
        found += rows(frame, (plain, 0), judge="Claude", protocol="ladder", level=level, source="simulated")
    found += rows(frame, (200, 0), judge="Claude", protocol="trace", level="")
    paths = {}
    for name, lines in (("pairs", pairs), ("verdicts", found)):
        paths[name] = str(tmp_path / f"{name}.jsonl")
        Path(paths[name]).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return paths


def run(**options: Any) -> str:
    out = io.StringIO()
    call_command("frontier", resamples=50, stdout=out, stderr=io.StringIO(), **options)
    return out.getvalue()


def test_json_gives_the_rebuilt_rates_back_exactly(study: dict[str, str]) -> None:
    report = json.loads(run(**study, json=True))
    for level, tie in (("L0", 0.0), ("L1", 0.025), ("L2", 0.09), ("L3", 0.285), ("L4", 0.89)):
        assert find(report["rows"], level=level)["rates"]["tie"]["value"] == tie
    assert find(report["rows"], protocol="trace")["rates"]["plain"]["value"] == 1.0


def test_table_has_a_line_per_condition_with_n_coverage_and_interval(study: dict[str, str]) -> None:
    lines = run(**study).splitlines()
    assert lines[0].split()[:4] == ["judge", "protocol", "level", "tier"]
    (l3,) = [line for line in lines if " L3 " in line]
    assert "28.5% [" in l3
    assert "100.0%" in l3
    assert "resampling each pair" in lines[-1]


def test_out_writes_json_rows_and_the_figure(study: dict[str, str], tmp_path: Path) -> None:
    run(**study, out=str(tmp_path / "out"))
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "frontier.json", "rows.csv", "frontier.svg", "frontier.png"
    }  # fmt: skip
    written = json.loads((tmp_path / "out" / "frontier.json").read_text(encoding="utf-8"))
    table = list(csv.DictReader((tmp_path / "out" / "rows.csv").open(encoding="utf-8")))
    assert len(table) == len(written["rows"])
    (l4,) = [row for row in table if row["level"] == "L4" and not row["order"]]
    assert (float(l4["rate_tie"]), l4["role_1"], float(l4["target_win"])) == (0.89, "plain", 0.11)
    svg = (tmp_path / "out" / "frontier.svg").read_text(encoding="utf-8")
    assert "simulated verdicts" in svg
    assert (tmp_path / "out" / "frontier.png").read_bytes().startswith(b"\x89PNG")


def test_bad_input_exits_2_naming_file_row_and_field(study: dict[str, str], tmp_path: Path) -> None:
    with Path(study["verdicts"]).open("a", encoding="utf-8") as handle:
        handle.write(json.dumps({"pair_id": "nowhere", "judge": "j", "protocol": "p", "outcome": "refused"}) + "\n")
    with pytest.raises(CommandError) as caught:
        run(**study, out=str(tmp_path / "out"))
    assert caught.value.returncode == 2
    assert "verdicts.jsonl, row 1201, pair_id" in str(caught.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "options",
    [
        {"margin": 2.0}, {"margin": -0.1}, {"margin": float("nan")}, {"seed": -1}, {"by": "colour"},
        {"validated": "no such file"}, {"labels": "no such file"},
    ],
)  # fmt: skip
def test_senseless_options_exit_2(study: dict[str, str], options: dict[str, Any]) -> None:
    with pytest.raises(CommandError) as caught:
        run(**study, **options)
    assert caught.value.returncode == 2


def test_margin_adds_equivalence_and_non_inferiority(study: dict[str, str]) -> None:
    report = json.loads(run(**study, json=True, margin=0.05))
    by_levels = {
        (row["a"]["level"], row["b"]["level"]): row
        for row in report["paired"]
        if (row["outcome"], row["unit"]) == ("target_win", "pair")
    }
    lost, kept = by_levels["L0", "L4"], by_levels["L0", None]
    assert (lost["equivalent"], lost["non_inferior"]) == (False, False)
    assert (kept["equivalent"], kept["non_inferior"]) == (True, True)
    assert kept["difference"]["value"] == 0


def verdict(**cells: Any) -> dict[str, Any]:
    plain = {"pair_id": "p0000", "judge": "j", "protocol": "p", "shown_as_a": "plain", "outcome": "decided"}
    return {**plain, "winner": "A", **cells}


def refused(study: dict[str, str], *lines: dict[str, Any], **options: Any) -> str:
    path = Path(study["verdicts"])
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.raises(CommandError) as caught:
        run(**study, **options)
    assert caught.value.returncode == 2
    return str(caught.value)


@pytest.mark.parametrize(
    ("row", "where"),
    [
        ({"winner": "C"}, "winner"),
        ({"winner": ""}, "winner"),
        ({"outcome": "refused"}, "winner"),
        ({"outcome": "unsure", "winner": ""}, "outcome"),
        ({"shown_as_a": "nobody"}, "shown_as_a"),
        ({"phase": "during"}, "phase"),
        ({"probe": "placebo", "cue_favours": "nobody"}, "cue_favours"),
        ({"attack": "verbosity", "attacked_role": "nobody"}, "attacked_role"),
        ({"usd": 1e308}, "usd"),
        ({"usd": "dear"}, "usd"),
        ({"n_calls": -1}, "n_calls"),
        ({"repeat": 1.5}, "repeat"),
        ({"pair_id": "nowhere"}, "pair_id"),
        ({"judge": ""}, "judge"),
    ],
)
def test_a_bad_cell_exits_2_naming_file_row_and_field(study: dict[str, str], row: dict[str, Any], where: str) -> None:
    message = refused(study, verdict(shown_as_a="cited"), verdict(**row))
    assert message.startswith(f"verdicts.jsonl, row 2, {where}:")
    assert "np." not in message


def test_two_rows_of_one_comparison_exit_2(study: dict[str, str]) -> None:
    assert "row 2, pair_id" in refused(study, verdict(), verdict())


def test_an_empty_file_exits_2(study: dict[str, str]) -> None:
    assert "empty" in refused(study)


def test_an_output_folder_that_cannot_be_made_exits_2_with_nothing_written(study: dict[str, str]) -> None:
    with pytest.raises(CommandError, match="Name a folder") as caught:
        run(**study, out=study["pairs"])
    assert caught.value.returncode == 2


@pytest.mark.parametrize(
    "row",
    [
        {"outcome": "scored", "winner": "", "scores": {"plain": {"clarity": 3}}},
        {"outcome": "refused", "winner": ""},
        {"outcome": "decided", "winner": "A", "offered": ["A", "B"]},
        {"outcome": "decided", "winner": "A", "shown_as_a": ""},
    ],
)
def test_files_with_little_in_them_give_a_report_of_nulls_with_reasons(
    study: dict[str, str], tmp_path: Path, row: dict[str, Any]
) -> None:
    Path(study["verdicts"]).write_text(json.dumps(verdict(**row)), encoding="utf-8-sig")
    text = run(**study, json=True, out=str(tmp_path / "out"))
    assert not re.search(r"\b(nan|infinity)\b", text, re.IGNORECASE)
    report = json.loads(text)
    (line,) = [row for row in report["rows"] if row["order"] is None]
    assert line["n_decided"] == (row["outcome"] == "decided")
    assert line["rates"]["tie"]["value"] is not None or line["rates"]["tie"]["undefined"]
    assert (tmp_path / "out" / "frontier.png").exists() == bool(line["n_decided"])
