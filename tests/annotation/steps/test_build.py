"""Splits built by a recipe: the same bytes for the same seed, stored whole, with where they come from."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.construction.partition import from_record
from annotation.construction.registry import RECIPES
from annotation.enums import SplitPart
from annotation.errors import InputFileError, Refused
from annotation.formats import read_pairs
from annotation.models import AuditEntry, ImportReport, Pair, Split, Study
from annotation.records import PairRecord
from annotation.steps.build import build_pairs, build_split, material_from, preview
from annotation.steps.partition import refuse_tuned_on, reportable_pairs
from tests.material import Material, pair_row

pytestmark = pytest.mark.django_db

DATA = Path(__file__).resolve().parents[2] / "data" / "construction"
HOTPOT = DATA / "hotpotqa.json"
FINQA = DATA / "finqa.json"


def build(study: Study, recipe: str = "mechanical", **options: Any) -> list[ImportReport]:
    given = {"material": material_from(HOTPOT), "n": None, "seed": 3} | options
    return build_split(study=study, recipe=recipe, **given)


def test_build_stores_every_pair_with_its_source_licence_and_recipe(material: Material) -> None:
    (report,) = build(material.study, split="mech")
    pairs = list(Pair.objects.filter(split__name="mech"))
    assert pairs
    assert report.rows_kept == len(pairs)
    assert {(pair.source_dataset, pair.source_licence, pair.tier) for pair in pairs} == {
        ("HotpotQA", "CC BY-SA 4.0", "equivalence")
    }
    assert report.detail["recipe"] == "mechanical"
    assert report.detail["seed"] == 3
    assert report.detail["sources"][0]["file"] == "hotpotqa.json"
    assert len(report.detail["sources"][0]["sha256"]) == 64
    assert any("CC BY-SA 4.0" in notice for notice in report.detail["notices"])
    assert Split.objects.get(name="mech").roles == ["plain", "cited"]
    assert AuditEntry.objects.filter(action="split.built", subject="mech").exists()


def test_building_the_same_again_stores_nothing_and_returns_the_first_report(material: Material) -> None:
    (first,) = build(material.study)
    (again,) = build(material.study)
    assert again.pk == first.pk
    assert ImportReport.objects.count() == 1


def test_building_with_another_seed_under_the_same_name_is_refused_whole(material: Material) -> None:
    build(material.study)
    before = Pair.objects.count()
    with pytest.raises(InputFileError, match="other content"):
        build(material.study, seed=4)
    assert Pair.objects.count() == before


def test_the_same_seed_gives_the_same_bytes_here_and_in_a_fresh_process(tmp_path: Path) -> None:
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    sources = ["--from", str(HOTPOT), "--from", str(FINQA), "--code-tasks", "5"]
    call_command("build_split", "conflicts", *sources, "--seed", "11", "--out", str(here))
    command = [sys.executable, "manage.py", "build_split", "conflicts", *sources, "--seed", "11", "--out", str(there)]
    environment = os.environ | {"PYTHONHASHSEED": "77", "LC_ALL": "C"}
    subprocess.run(command, check=True, cwd=DATA.parents[2], env=environment, capture_output=True)
    assert here.read_bytes() == there.read_bytes()
    call_command("build_split", "conflicts", *sources, "--seed", "12", "--out", str(there))
    assert here.read_bytes() != there.read_bytes()


def test_a_build_does_not_depend_on_the_order_of_the_items(tmp_path: Path) -> None:
    turned = tmp_path / "hotpotqa.json"
    turned.write_text(json.dumps(json.loads(HOTPOT.read_text(encoding="utf-8"))[::-1]), encoding="utf-8")
    one, other = (build_pairs("moderate", material_from(path), n=2, seed=5) for path in (HOTPOT, turned))
    assert one.content == other.content


@pytest.mark.parametrize("recipe", ["mechanical", "workflow", "conflicts"])
def test_pairs_written_out_are_the_pairs_stored(recipe: str, material: Material, tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    call_command("build_split", recipe, "--from", str(HOTPOT), "--seed", "3", "--out", str(out), "--study", "built")
    written = [one for one in read_pairs(out) if isinstance(one, PairRecord)]
    stored = dict(Pair.objects.filter(study__slug="built").values_list("pair_id", "content_hash"))
    assert {pair.pair_id: pair.content_hash() for pair in written} == stored


def test_build_tells_who_was_passed_over_and_that_fewer_came_than_asked(material: Material) -> None:
    (report,) = build(material.study, n=500)
    assert report.oddity_counts["fewer_than_asked"] == 1
    assert report.n_excluded == len(report.excluded)
    assert report.rows_read == report.rows_kept + report.n_excluded


def test_preview_shows_the_first_pairs_of_the_build(material: Material) -> None:
    shown = preview("soft", material_from(HOTPOT), seed=3, first=2)
    built = build_pairs("soft", material_from(HOTPOT), n=None, seed=3)
    assert shown.pairs == built.pairs[:2]
    assert shown.notices
    assert shown.n_items >= len(shown.pairs)
    assert not Pair.objects.exists()


def test_build_refuses_an_unknown_recipe_and_items_of_another_kind() -> None:
    with pytest.raises(Refused, match="There are: mechanical"):
        build_pairs("mecanical", material_from(HOTPOT), n=1, seed=1)
    with pytest.raises(Refused, match="is built from FinQA questions"):
        build_pairs("finqa_moderate", material_from(HOTPOT), n=1, seed=1)


@pytest.mark.parametrize(
    "arguments",
    [
        ["mechanical", "--from", str(HOTPOT)],
        ["mechanical", "--out", "x.jsonl"],
        ["mechanical", "--from", str(HOTPOT), "--n", "0", "--study", "s"],
        ["mechanical", "--from", "absent.json", "--study", "s"],
        ["nothing", "--from", str(HOTPOT), "--study", "s"],
        ["mechanical", "--from", str(HOTPOT), "--study", "s", "--partition", "--development", "1.5"],
    ],
)
def test_build_command_ends_with_status_2_and_leaves_no_study(arguments: list[str]) -> None:
    with pytest.raises(CommandError) as caught:
        call_command("build_split", *arguments)
    assert caught.value.returncode == 2
    assert not Study.objects.exists()


def test_parts_share_no_cluster_and_are_recorded_so_that_they_can_be_checked(material: Material) -> None:
    reports = build(material.study, development=0.5)
    assert [(one.into, one.detail["part"]) for one in reports] == [
        ("mechanical-development", "development"), ("mechanical-held-out", "held_out")
    ]  # fmt: skip
    parts = {
        split.part: set(Pair.objects.filter(split=split).values_list("cluster", flat=True))
        for split in Split.objects.all()
    }
    assert parts[SplitPart.DEVELOPMENT]
    assert parts[SplitPart.HELD_OUT]
    assert not parts[SplitPart.DEVELOPMENT] & parts[SplitPart.HELD_OUT]
    record = from_record(reports[0].detail["partition"])
    assert dict(record.clusters) == {name: part for part, names in parts.items() for name in names}
    assert build(material.study, development=0.5)[1].pk == reports[1].pk


def test_a_cluster_keeps_its_part_in_every_later_build_whatever_the_seed(material: Material) -> None:
    build(material.study, development=0.5)
    build(material.study, "workflow", development=0.5, seed=99)
    build(material.study, "soft", development=0.2, seed=100)
    by_cluster: dict[str, set[str]] = {}
    for cluster, part in Pair.objects.values_list("cluster", "split__part"):
        by_cluster.setdefault(cluster, set()).add(part)
    assert all(len(parts) == 1 for parts in by_cluster.values())


def test_what_prompts_were_tuned_on_is_never_reportable_even_in_another_split(material: Material) -> None:
    build(material.study, development=0.5)
    build(material.study, "workflow")
    tuned_on = set(Pair.objects.filter(split__part=SplitPart.DEVELOPMENT).values_list("cluster", flat=True))
    reportable = set(reportable_pairs(material.study).values_list("cluster", flat=True))
    assert reportable
    assert not reportable & tuned_on
    refuse_tuned_on([Split.objects.get(name="mechanical-held-out")])
    for name in ("mechanical-development", "workflow"):
        with pytest.raises(Refused, match="development part"):
            refuse_tuned_on([Split.objects.get(name=name)])


def test_an_import_cannot_bring_a_cluster_into_the_other_part(material: Material) -> None:
    build(material.study, development=0.5)
    tuned_on = Pair.objects.filter(split__part=SplitPart.DEVELOPMENT).first()
    assert tuned_on is not None
    before = Pair.objects.count()
    with pytest.raises(InputFileError, match="is in another part of this study"):
        material.pairs([pair_row(1, cluster=tuned_on.cluster)], split="mechanical-held-out")
    assert Pair.objects.count() == before


def test_every_recipe_can_be_named_on_the_command_line(tmp_path: Path) -> None:
    own = tmp_path / "own.jsonl"
    rows = [
        {"id": "q1", "task": "Who?", "outputs": {"a": "Answer: Bell", "b": "Answer: Bell [1]\n\nSources: [1] Bell"}},
        {"id": "d1", "task": "Why?", "texts": ["Because of rain.", "Rain was the reason."], "model": "m"},
        {"id": "l1", "task": "Sum up.", "subject": "Short.", "opponent": "Long.", "subject_label": "LLM",
         "opponent_label": "Human"},
        {"id": "s1", "document": "The mill was built in 1804. It closed in 1932. It is a museum today. People visit.",
         "summaries": ["A mill of 1804 became a museum.", "The mill closed in 1932."], "model": "m"},
    ]  # fmt: skip
    own.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    material = material_from(HOTPOT, FINQA, own, code_tasks=3)
    for recipe in RECIPES:
        assert build_pairs(recipe.name, material, n=None, seed=1).pairs, recipe.name
