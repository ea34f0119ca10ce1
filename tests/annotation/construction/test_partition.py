from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.construction.partition import DEVELOPMENT, HELD_OUT, from_record, partition, refuse_tuned_on, subset
from annotation.errors import Refused
from annotation.records import PairRecord


def pairs(clusters: int, each: int = 3) -> list[PairRecord]:
    return [
        PairRecord(
            pair_id=f"{cluster}-{number}", task="t", roles=("a", "b"), candidates=("x", "y"), cluster=f"c{cluster}"
        )
        for cluster in range(clusters)
        for number in range(each)
    ]


def test_a_cluster_is_never_split() -> None:
    parts = partition(pairs(50), seed=1).split(pairs(50))
    assert not {pair.cluster for pair in parts[DEVELOPMENT]} & {pair.cluster for pair in parts[HELD_OUT]}
    assert (len(parts[DEVELOPMENT]), len(parts[HELD_OUT])) == (30, 120)


def test_the_partition_depends_on_seed_and_clusters_alone() -> None:
    assert partition(pairs(30), seed=1) == partition(reversed(pairs(30)), seed=1)
    assert partition(pairs(30), seed=1) != partition(pairs(30), seed=2)


def test_a_record_gives_back_its_partition_and_betrays_changes() -> None:
    made = partition(pairs(20), seed=3, shares={"prompts": 0.5, "report": 0.5})
    record = json.loads(json.dumps(made.record()))
    assert from_record(record) == made
    record["clusters"]["c1"] = "prompts" if record["clusters"]["c1"] == "report" else "report"
    with pytest.raises(Refused, match="was changed"):
        from_record(record)


def test_a_pair_without_cluster_is_its_own() -> None:
    lone = PairRecord(pair_id="p", task="t", roles=("a", "b"), candidates=("x", "y"))
    assert partition([lone, *pairs(4)], seed=1).part_of(lone) in {DEVELOPMENT, HELD_OUT}


@given(st.integers(min_value=2, max_value=60), st.integers(min_value=0, max_value=99))
def test_every_part_gets_clusters_and_all_are_dealt(clusters: int, seed: int) -> None:
    made = partition(pairs(clusters, 1), seed=seed)
    parts = [part for _, part in made.clusters]
    assert len(parts) == clusters
    assert set(parts) == {DEVELOPMENT, HELD_OUT}
    assert abs(parts.count(DEVELOPMENT) - 0.2 * clusters) <= 1


@pytest.mark.parametrize("shares", [{"a": 0.5}, {"a": 1.2, "b": -0.2}, {"a": 0.5, "b": 0.6}])
def test_shares_must_add_up(shares: dict[str, float]) -> None:
    with pytest.raises(Refused, match="add up to one"):
        partition(pairs(9), seed=1, shares=shares)


def test_too_few_clusters_are_refused() -> None:
    with pytest.raises(Refused, match="cannot fill"):
        partition(pairs(1), seed=1)
    with pytest.raises(Refused, match="cannot be drawn"):
        subset(pairs(3), clusters=4, seed=1)


def test_subsets_take_whole_clusters_and_grow_by_more() -> None:
    small, large = (subset(pairs(20), clusters=size, seed=1) for size in (5, 9))
    assert len(small) == 15
    assert {pair.pair_id for pair in small} < {pair.pair_id for pair in large}


def test_reporting_on_the_part_tuned_on_is_refused() -> None:
    refuse_tuned_on(DEVELOPMENT, reported=HELD_OUT)
    with pytest.raises(Refused, match="report them on another part"):
        refuse_tuned_on(DEVELOPMENT, reported=DEVELOPMENT)
