"""Pairs files go in whole or not at all, and only once."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, OperationalError, transaction

from annotation import formats
from annotation.errors import InputFileError, TiebreakError
from annotation.models import ImportReport, Pair, Study
from annotation.records import PairRecord
from annotation.steps import import_notes, pair_writer
from annotation.steps.ingest import import_pairs
from annotation.steps.pair_writer import in_batches
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


def test_import_counts_every_oddity_and_exclusion_and_names_the_first_thousand(
    material: Material, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_notes, "KEPT_BY_NAME", 3)
    report = material.pairs([pair_row(n, candidates={"plain": "", "cited": f"Answer {n}."}) for n in range(7)])
    assert len(report.oddities) == 3
    assert report.oddity_counts == {"empty_candidate": 7}
    assert ImportReport.objects.get().n_oddities == 7


def test_import_refuses_what_no_column_holds_naming_pair_and_field(material: Material) -> None:
    rows = [pair_row(1), pair_row(2, pair_id="x" * 300), pair_row(3, domain="d" * 61), pair_row(4, cluster="c" * 201)]
    with pytest.raises(InputFileError) as caught:
        import_pairs(study=material.study, path=material.write(rows), split="main")
    assert [problem.message for problem in caught.value.problems] == [
        "pair_id has 300 characters; the database keeps 200.",
        "domain has 61 characters; the database keeps 60.",
        "cluster has 201 characters; the database keeps 200.",
    ]
    assert Pair.objects.count() == 0


def test_import_refuses_a_split_name_no_column_holds(material: Material) -> None:
    with pytest.raises(InputFileError, match="split has 121 characters"):
        import_pairs(study=material.study, path=material.write([pair_row(1)]), split="s" * 121)


def test_import_keeps_every_kind_of_text_through_the_database(material: Material) -> None:
    texts = [
        "\\N",
        "\\.",
        "a\tb\\tc",
        "line\r\nline\n",
        '"quoted", ',
        "\u2028 é 漢 😀 \x01\x7f",
        "'; DROP TABLE x; --",
        " ",
    ]
    rows = [pair_row(n, task=text, candidates={"plain": text, "cited": None}) for n, text in enumerate(texts)]
    rows[0]["meta"] = {"k": "\\N", "n": [1.5, None, True], "deep": {"é": "\t"}}
    material.pairs(rows)
    stored = list(Pair.objects.order_by("position"))
    assert [pair.task for pair in stored] == texts
    assert [(pair.candidate_1, pair.candidate_2) for pair in stored] == [(text, None) for text in texts]
    assert stored[0].meta == rows[0]["meta"]
    assert stored[1].context is None


def test_import_in_many_batches_counts_places_on_and_finds_known_ids_far_apart(
    material: Material, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_writer, "BATCH_PAIRS", 3)
    material.pairs([pair_row(n) for n in range(10)])
    assert list(Pair.objects.order_by("position").values_list("position", flat=True)) == list(range(10))
    with pytest.raises(InputFileError, match="pair_id p009"):
        material.pairs([*(pair_row(n) for n in range(20, 40)), pair_row(9, task="Another question?")])
    assert Pair.objects.count() == 10


def test_import_batches_end_with_their_text_before_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_writer, "BATCH_CHARACTERS", 100)
    long, short = (
        PairRecord(pair_id="p", task="t", roles=("a", "b"), candidates=("x" * size, None)) for size in (99, 1)
    )
    assert [len(batch) for batch in in_batches([long, short, short, long, short])] == [1, 3, 1]


def test_a_reader_that_repeats_an_id_is_refused_by_the_database_with_its_name(
    material: Material, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = PairRecord(pair_id="same", task="t", roles=("plain", "cited"), candidates=("1", "2"))
    monkeypatch.setattr(formats, "read_pairs", lambda *_, **__: iter([record, record]))
    with pytest.raises(InputFileError, match="pair_id same: occurs twice"):
        import_pairs(study=material.study, path=material.write([pair_row(1)]), split="main")
    assert Pair.objects.count() == 0


@pytest.mark.parametrize(
    "failure",
    [OperationalError("could not extend file"), sqlite3.OperationalError("disk is full"), OSError(28, "ENOSPC")],
)
def test_a_full_disk_stores_nothing_and_may_be_tried_again(
    material: Material, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    def fails(records: object) -> None:
        raise failure

    monkeypatch.setattr(pair_writer, "BATCH_PAIRS", 2)
    path = material.write([pair_row(n) for n in range(5)])
    with monkeypatch.context() as patched:
        patched.setattr(pair_writer, "store", fails)
        with pytest.raises(TiebreakError, match="nothing of it was stored") as caught:
            import_pairs(study=material.study, path=path, split="main")
    assert (caught.value.code, caught.value.permanent) == ("storage", False)
    assert (Pair.objects.count(), ImportReport.objects.count()) == (0, 0)
    assert import_pairs(study=material.study, path=path, split="main").rows_kept == 5


def test_import_command_writes_what_was_refused_as_a_report(material: Material, tmp_path: Path) -> None:
    out = tmp_path / "report.json"
    path = material.write([pair_row(1), pair_row(2, tier="middling"), pair_row(3, target="neither")])
    with pytest.raises(CommandError):
        call_command("import_pairs", str(path), study="s", report=out)
    report = json.loads(out.read_text(encoding="utf-8"))
    assert (report["taken"], report["n_refused"]) == (False, 2)
    assert [(each["row"], each["field"]) for each in report["refused"]] == [(2, "tier"), (3, "target")]
    call_command("import_pairs", str(material.write([pair_row(1)])), study="s", report=out)
    report = json.loads(out.read_text(encoding="utf-8"))
    assert (report["taken"], report["rows_kept"], report["refused"]) == (True, 1, [])
