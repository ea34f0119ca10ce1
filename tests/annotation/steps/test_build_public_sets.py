"""A hundred HotpotQA and a hundred FinQA items through the command into the database, every promise checked there."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.construction.items import Item
from annotation.construction.registry import recipe_named
from annotation.formats import read_items
from annotation.models import ImportReport, Pair
from annotation.records import Excluded, Oddity, PairRecord
from tests.shared import shared_path

pytestmark = [pytest.mark.django_db, pytest.mark.shared, pytest.mark.long]

HOTPOT = "data/hotpotqa/hotpot_hard_100.json"
FINQA = "data/finqa/raw/finqa_original_format_100.json"


def items_of(path: Path) -> dict[str, Item]:
    return {one.item_id: one for one in read_items(path) if not isinstance(one, Excluded | Oddity)}


def record_of(pair: Pair) -> PairRecord:
    return PairRecord(
        pair_id=pair.pair_id, task=pair.task, roles=pair.roles, candidates=(pair.candidate_1, pair.candidate_2),
        context=pair.context, split=pair.split.name, tier=pair.tier, target=pair.target, cluster=pair.cluster,
        artifact_kind=pair.artifact_kind, artifact_role=pair.artifact_role, domain=pair.domain,
        source_dataset=pair.source_dataset, source_id=pair.source_id, source_licence=pair.source_licence,
        meta=pair.meta,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("recipe", "file", "pairs_an_item", "at_least"),
    [
        ("mechanical", HOTPOT, 1, 100),
        ("ablations", HOTPOT, 6, 100),
        ("conflicts", HOTPOT, 1, 75),
        ("moderate", HOTPOT, 1, 100),
        ("soft", HOTPOT, 1, 100),
        ("workflow", HOTPOT, 6, 100),
        ("mechanical", FINQA, 1, 95),
        ("conflicts", FINQA, 1, 95),
        ("finqa_moderate", FINQA, 1, 70),
    ],
)
def test_a_hundred_items_become_a_split_whose_every_stored_pair_keeps_its_promises(
    recipe: str, file: str, pairs_an_item: int, at_least: int
) -> None:
    path = shared_path(file)
    call_command("build_split", recipe, "--from", str(path), "--n", "100", "--seed", "7", "--study", "s")
    report = ImportReport.objects.get()
    items, chosen = items_of(path), recipe_named(recipe)
    pairs = list(Pair.objects.select_related("split"))
    built = {pair.cluster for pair in pairs}
    assert len(built) >= at_least
    assert len(pairs) == pairs_an_item * len(built) == report.rows_kept
    # every item of the file is accounted for, by a pair or by its name and the reason
    passed_over = {each["item_id"] for each in report.excluded}
    assert built | passed_over == set(items)
    assert not built & passed_over
    broken = {pair.pair_id: chosen.check(record_of(pair), items[pair.cluster]) for pair in pairs}
    assert {name: promises for name, promises in broken.items() if promises} == {}
    assert {pair.tier for pair in pairs} == {chosen.tier.value}
    assert report.detail["sources"][0]["file"] == path.name
    assert len(report.detail["notices"]) == 1
