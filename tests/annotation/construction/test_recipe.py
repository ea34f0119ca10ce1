"""What every recipe shares: seeds, samples, clusters, exclusions, and that the checks run."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from annotation.construction.registry import RECIPES, recipe_named
from annotation.enums import DEFAULT_TARGETS, RESERVED_ROLE_NAMES, ROLE_TARGET_TIERS
from annotation.errors import Refused
from annotation.records import Excluded, PairRecord
from tests.annotation.construction.material import DATA, all_items, build, hotpot_items

NAMES = [recipe.name for recipe in RECIPES]
DOCS = Path(__file__).resolve().parents[3] / "docs" / "construction"


def built(recipe: str, **options: int) -> list[PairRecord]:
    if recipe == "summaries":
        pytest.importorskip("sumy")
    return build(recipe, **options)[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_recipe_yields_pairs_of_its_roles_tier_and_split(name: str) -> None:
    recipe = recipe_named(name)
    pairs = built(name)
    assert pairs
    for pair in pairs:
        assert set(pair.roles) <= set(recipe.roles)
        assert not set(pair.roles) & RESERVED_ROLE_NAMES
        assert (pair.tier, pair.split) == (recipe.tier.value, name)
        assert (pair.meta["recipe"], pair.meta["recipe_version"], pair.meta["seed"]) == (name, recipe.version, 7)
        if recipe.tier in ROLE_TARGET_TIERS:
            assert pair.target in pair.roles
        elif recipe.tier in DEFAULT_TARGETS:
            assert pair.target == DEFAULT_TARGETS[recipe.tier]
        else:
            assert pair.target is None


@pytest.mark.parametrize("name", NAMES)
def test_pair_ids_are_unique_and_clusters_are_the_source_items(name: str) -> None:
    pairs = built(name)
    assert len({pair.pair_id for pair in pairs}) == len(pairs)
    assert all(pair.cluster == pair.source_id for pair in pairs)


@pytest.mark.parametrize("name", NAMES)
def test_the_seed_decides_and_the_order_of_items_does_not(name: str) -> None:
    recipe = recipe_named(name)
    first = built(name)
    again = list(recipe.build(reversed(all_items()), n=None, seed=7))
    assert [one for one in again if isinstance(one, PairRecord)] == first


@pytest.mark.parametrize("name", ["mechanical", "conflicts", "moderate", "ablations", "workflow"])
def test_a_smaller_sample_is_the_beginning_of_a_larger_one(name: str) -> None:
    small, large = built(name, n=3), built(name, n=6)
    assert large[: len(small)] == small
    assert len({pair.cluster for pair in small}) == 3
    assert len({pair.cluster for pair in large}) == 6


def test_another_seed_draws_other_items() -> None:
    assert [one.cluster for one in built("mechanical", n=5)] != [
        one.cluster for one in built("mechanical", n=5, seed=8)
    ]


def test_an_item_that_comes_twice_is_built_once() -> None:
    items = [*hotpot_items(), *hotpot_items()]
    made = list(recipe_named("mechanical").build(items, n=None, seed=1))
    assert sum(isinstance(one, PairRecord) for one in made) == len(hotpot_items())
    assert {one.reason for one in made if isinstance(one, Excluded)} == {"an earlier item has the same id"}


def test_a_pair_that_breaks_a_promise_is_never_yielded() -> None:
    broken = replace(recipe_named("mechanical"), check=lambda *_: ["the sky is not blue"])
    made = list(broken.build(hotpot_items(), n=None, seed=1))
    assert all(isinstance(one, Excluded) and "the sky is not blue" in one.reason for one in made)


@pytest.mark.parametrize("name", NAMES)
def test_excluded_items_say_why(name: str) -> None:
    if name == "summaries":
        pytest.importorskip("sumy")
    _, excluded = build(name)
    assert all(one.item_id and len(one.reason) > 10 for one in excluded)


@pytest.mark.parametrize("name", NAMES)
def test_every_recipe_has_a_card_of_its_version(name: str) -> None:
    card = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    assert f"`{name}`, version {recipe_named(name).version}" in card
    for heading in ("How it is built", "What is checked", "deviates from the paper", "Limits", "Changes"):
        assert heading in card


@pytest.mark.parametrize("name", NAMES)
def test_content_never_changes_under_an_old_version(name: str) -> None:
    """After a deliberate change: raise the recipe's version, note it in the card, and renew the lock's entry."""
    lock = json.loads((DATA / "lock.json").read_text(encoding="utf-8"))
    assert lock[name] == {"version": recipe_named(name).version, "sha256": fingerprint(built(name))}


def fingerprint(pairs: list[PairRecord]) -> str:
    return hashlib.sha256("\n".join(pair.content_hash() for pair in pairs).encode()).hexdigest()


def test_recipes_are_found_by_name_and_others_refused() -> None:
    assert recipe_named("finqa-moderate").name == "finqa_moderate"
    with pytest.raises(Refused, match="mechanical, ablations"):
        recipe_named("chemical")
