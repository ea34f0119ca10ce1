"""Every file of public pairs goes into the database with the counts its source states."""

from __future__ import annotations

import pytest

from annotation.models import Pair
from annotation.steps.ingest import import_pairs
from tests.material import Material
from tests.shared import shared_path

pytestmark = [pytest.mark.django_db, pytest.mark.shared, pytest.mark.long]


@pytest.mark.parametrize(
    ("file", "rows", "odd"),
    [
        ("pandalm/pairs.jsonl", 999, {"empty_candidate": 54, "duplicate_text": 99, "both_orders": 37}),
        ("pandalm/raw/testset-v1.json", 999, {"boolean_text": 6, "empty_candidate": 54, "duplicate_text": 99}),
        ("mtbench_human/pairs.jsonl", 1814, {"null_candidate": 1735}),
        ("mtbench_human/raw/human.jsonl", 1814, {"null_candidate": 1814}),
        ("llmbar/pairs.jsonl", 885, {"both_orders": 5, "same_text": 1, "blank_candidate": 1}),
        ("llmbar/raw/Natural.json", 100, {}),
    ],
)
def test_a_public_set_is_stored_whole_and_tells_what_its_source_warns_of(
    file: str, rows: int, odd: dict[str, int], material: Material
) -> None:
    report = import_pairs(study=material.study, path=shared_path(f"data/{file}"), split="public")
    assert (report.rows_read, report.rows_kept, report.n_excluded) == (rows, rows, 0)
    assert Pair.objects.filter(split__name="public").count() == rows
    assert {code: report.oddity_counts.get(code, 0) for code in odd} == odd
    assert report.n_oddities == sum(report.oddity_counts.values())
