"""Pairs files go in whole or not at all, and only once."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction

from annotation.errors import InputFileError
from annotation.models import ImportReport, Pair, Study
from annotation.steps.ingest import import_pairs
from tests.material import Material, pair_row
from tests.shared import shared_path

pytestmark = pytest.mark.django_db


def test_import_keeps_order_roles_and_cluster(material: Material) -> None:
    material.pairs([pair_row(2), pair_row(1, cluster="query-9"), pair_row(3, roles=["cited", "plain"])])
    rows = list(Pair.objects.order_by("position"))
    assert [row.pair_id for row in rows] == ["p002", "p001", "p003"]
    assert [row.cluster for row in rows] == ["p002", "query-9", "p003"]
    assert rows[2].roles == ("cited", "plain")
    assert rows[2].text_of("plain") == "Plain answer 3."
    assert material.split().roles == ["plain", "cited"]


def test_import_keeps_null_and_empty_text_apart(material: Material) -> None:
    texts = {"plain": None, "cited": ""}
    material.pairs([pair_row(1, candidates=texts)])
    pair = Pair.objects.get()
    assert (pair.candidate_1, pair.candidate_2) == (None, "")


def test_import_of_the_same_file_stores_once(material: Material) -> None:
    path = material.write([pair_row(1), pair_row(2)])
    first = import_pairs(study=material.study, path=path, split="main")
    again = import_pairs(study=material.study, path=path, split="main")
    assert again.pk == first.pk
    assert Pair.objects.count() == 2


def test_import_of_known_pairs_in_a_new_file_adds_only_the_new(material: Material) -> None:
    material.pairs([pair_row(1), pair_row(2)])
    report = material.pairs([pair_row(1), pair_row(3)])
    assert report.rows_kept == 2
    assert Pair.objects.count() == 3


def test_import_refuses_other_content_under_a_known_id(material: Material) -> None:
    material.pairs([pair_row(1)])
    with pytest.raises(InputFileError, match="pair_id p001: this study already has a pair of that id"):
        material.pairs([pair_row(9), pair_row(1, task="Another question?")])
    assert Pair.objects.count() == 1
    assert ImportReport.objects.count() == 1


def test_one_bad_row_refuses_the_whole_file(material: Material) -> None:
    rows = [pair_row(1), pair_row(2, tier="middling"), pair_row(3)]
    path = material.write(rows, "bad.jsonl")
    with pytest.raises(InputFileError) as caught:
        import_pairs(study=material.study, path=path, split="main")
    assert [(p.file, p.row, p.field) for p in caught.value.problems] == [("bad.jsonl", 2, "tier")]
    assert Pair.objects.count() == 0


def test_import_command_leaves_no_study_behind_a_refused_file(material: Material) -> None:
    path = material.write([pair_row(1, target="neither")])
    with pytest.raises(CommandError, match="row 1, target") as caught:
        call_command("import_pairs", str(path), study="brand-new", split="x")
    assert caught.value.returncode == 2
    assert not Study.objects.filter(slug="brand-new").exists()


def test_the_database_refuses_to_change_a_pair(material: Material) -> None:
    material.pairs([pair_row(1)])
    with pytest.raises(DatabaseError, match="rows are never changed"), transaction.atomic():
        Pair.objects.update(task="Rewritten?")


@pytest.mark.shared
def test_pandalm_keeps_every_item_and_tells_its_oddities(material: Material) -> None:
    report = import_pairs(study=material.study, path=shared_path("data/pandalm/raw/testset-v1.json"), split="pandalm")
    assert (report.rows_read, report.rows_kept, report.excluded) == (999, 999, [])
    codes = [each["code"] for each in report.oddities]
    assert codes.count("boolean_text") == 6
    assert codes.count("empty_candidate") == 54
    assert codes.count("duplicate_text") == 99
    assert Pair.objects.filter(split__name="pandalm").count() == 999
