"""A prepared query answers as the queryset it was made from, for every value and on every thread."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection
from django.db.models import Exists, OuterRef
from django.test.utils import CaptureQueriesContext

from annotation.models import Pair, Split, Study
from annotation.prepared import Prepared
from tests.material import Material, pair_row


def _pairs(study: int, task: str) -> Any:
    of_study = Study.objects.filter(pk=OuterRef("study"), pk__in=[study])
    return Pair.objects.filter(Exists(of_study), study=study, task=task).select_related("split").order_by("-position")


@pytest.mark.django_db
def test_a_prepared_query_gives_the_row_of_its_parameters_each_time(material: Material) -> None:
    material.pairs([pair_row(number, meta={"n": number}) for number in range(1, 4)])
    prepared = Prepared(_pairs, study=int, task=str)
    for number in (2, 3, 1, 2):
        task = f"Question number {number}?"
        with CaptureQueriesContext(connection) as asked:
            found = prepared.first(study=material.study.pk, task=task)
        assert found == _pairs(material.study.pk, task).first()
        assert found is not None
        assert found.meta == {"n": number}
        assert found.split == material.split()
        assert len(asked) == 1
    assert prepared.first(study=material.study.pk, task="no such task") is None
    assert prepared.first(study=material.study.pk + 1, task="Question number 1?") is None


@pytest.mark.django_db
def test_rows_are_read_anew_each_time(material: Material) -> None:
    material.pairs([pair_row(1)])
    prepared = Prepared(lambda pk: Split.objects.filter(pk=pk), pk=int)
    split = material.split()
    assert prepared.first(pk=split.pk) == split
    Split.objects.filter(pk=split.pk).update(name="another name")
    again = prepared.first(pk=split.pk)
    assert again is not None
    assert again.name == "another name"


@pytest.mark.django_db(transaction=True)
def test_threads_do_not_share_a_compiled_query(material: Material) -> None:
    material.pairs([pair_row(number) for number in range(1, 21)])
    prepared = Prepared(lambda task: Pair.objects.filter(task=task), task=str)
    wrong: list[str] = []

    def ask() -> None:
        try:
            for number in range(1, 21):
                task = f"Question number {number}?"
                found = prepared.first(task=task)
                if found is None or found.task != task:
                    wrong.append(task)
        finally:
            connection.close()

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
