"""LLMBar: numbered items, gold as the target and as labels of kind gold."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from annotation.formats import detect
from tests.annotation.formats.reading import labels, pairs, problems, write_json
from tests.shared import shared_path

ITEM = {"input": "Say yes.", "output_1": "yes", "output_2": "", "label": 1}


def test_item_becomes_a_preference_pair_with_a_target(tmp_path: Path) -> None:
    path = write_json(tmp_path / "Natural.json", [ITEM, ITEM | {"label": 2, "output_2": "YES"}])
    assert detect(path) == "llmbar"
    first, second = pairs(path)
    assert (first.pair_id, first.candidates, first.target) == ("llmbar-Natural-0", ("yes", ""), "first")
    assert (second.pair_id, second.target, second.tier) == ("llmbar-Natural-1", "second", "preference")
    assert {(label.kind, label.label) for label in labels(path)} == {("gold", "first"), ("gold", "second")}


@pytest.mark.parametrize(
    ("folders", "name"), [("Adversarial/Neighbor", "Adversarial-Neighbor"), ("LLMBar/Natural", "Natural")]
)
def test_subset_is_named_by_its_folder_in_the_sets_own_tree(tmp_path: Path, folders: str, name: str) -> None:
    (tmp_path / folders).mkdir(parents=True)
    path = write_json(tmp_path / folders / "dataset.json", [ITEM])
    assert pairs(path)[0].pair_id == f"llmbar-{name}-0"


@pytest.mark.parametrize("label", [0, 3, None, "first"])
def test_other_gold_labels_are_refused(tmp_path: Path, label: object) -> None:
    found = problems(write_json(tmp_path / "a.json", [ITEM, ITEM | {"label": label}]), "pairs")
    assert [(problem.row, problem.field) for problem in found] == [(2, "label")]


@pytest.mark.shared
def test_published_subset_has_the_counts_of_its_source() -> None:
    path = shared_path("data/llmbar/raw/Natural.json")
    assert len(pairs(path)) == 100
    assert sum(Counter(label.label for label in labels(path)).values()) == 100
