"""Pairs and what people said of them, as arrays: the first half of what a report is counted from.

Pairs are put in the order of their ids and clusters in the order of theirs, so that no result depends on the order of
a file or a query.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.counting.human_targets import HumanPair
from analysis.stats.frontier_counts import (
    TARGET_BOUNDARY,
    TARGET_FIRST,
    TARGET_NONE,
    TARGET_SECOND,
    TARGET_TIE,
)
from annotation.enums import DEFAULT_TARGETS, Tier
from annotation.enums import TARGET_BOUNDARY as BOUNDARY_WORD
from annotation.enums import TARGET_TIE as TIE_WORD

CONSTRUCTED, VALIDATED, CONSENSUS_ONLY = "constructed", "validated", "consensus_only"
BASES = (CONSTRUCTED, VALIDATED, CONSENSUS_ONLY)
#: In place of a target: the pair does not count under that basis.
LEFT_OUT = -1

#: What people said of a pair as a whole: codes of roles and tie as in the grid, or nothing usable.
NO_ANSWER = -1


@dataclass(frozen=True, slots=True)
class Stratum:
    """Pairs that are alike in everything a row may be broken down by. ``targets`` follows BASES."""

    split: str
    tier: str
    domain: str
    artifact: str
    artifact_role: str
    roles: tuple[str, str]
    targets: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class PairTable:
    """All arrays are (pairs,), sorted by pair id.

    ``flipped`` tells pairs whose own role order is the reverse of their stratum's. ``human_any_tie`` is 1, 0, or
    NO_ANSWER where nobody labelled the pair; ``plurality`` is the annotators' commonest answer as a grid code.
    """

    pair_id: NDArray[np.object_]
    cluster: NDArray[np.int64]
    n_clusters: int
    stratum: NDArray[np.int64]
    strata: tuple[Stratum, ...]
    flipped: NDArray[np.bool_]
    human_any_tie: NDArray[np.int8]
    plurality: NDArray[np.int8]
    clusters_are_pairs: bool

    @property
    def unit(self) -> str:
        return "pair" if self.clusters_are_pairs else "cluster"


def build_pair_table(pairs: pd.DataFrame, human: Mapping[str, HumanPair]) -> PairTable:
    """From a frame with pair_id, role_1, role_2 and any of split, tier, target, cluster, domain, artifact_kind and
    artifact_role. Raises ValueError where a pair id occurs twice."""
    if pairs["pair_id"].duplicated().any():
        twice = pairs.loc[pairs["pair_id"].duplicated(), "pair_id"].iloc[0]
        raise ValueError(f"the pair id {twice!r} occurs twice")
    frame = pairs.sort_values("pair_id", kind="stable")
    columns = {name: words(frame, name) for name in _TEXTS}
    pair_id = columns["pair_id"]
    cluster_names = [own or pair for own, pair in zip(columns["cluster"], pair_id, strict=True)]
    cluster, names = pd.factorize(np.array(cluster_names, dtype=object), sort=True)
    orders = _role_orders(columns)
    found: dict[Stratum, int] = {}
    stratum = np.empty(len(pair_id), dtype=np.int64)
    flipped = np.zeros(len(pair_id), dtype=bool)
    any_tie = np.full(len(pair_id), NO_ANSWER, dtype=np.int8)
    plurality = np.full(len(pair_id), NO_ANSWER, dtype=np.int8)
    known: dict[tuple[object, ...], tuple[int, bool]] = {}
    features = list(zip(*(columns[name] for name in _FEATURES), strict=True))
    for place, pair in enumerate(pair_id):
        said = human.get(pair)
        key = (*features[place], said and said.target, said and said.unanimous)
        if key not in known:
            cells = dict(zip(_FEATURES, features[place], strict=True))
            roles = orders[cells["split"], frozenset((cells["role_1"], cells["role_2"]))]
            number = found.setdefault(_stratum(cells, roles, said), len(found))
            known[key] = (number, roles[0] != cells["role_1"])
        stratum[place], flipped[place] = known[key]
        if said is not None and said.categories:
            roles = orders[columns["split"][place], frozenset((columns["role_1"][place], columns["role_2"][place]))]
            any_tie[place] = TIE_WORD in said.categories
            plurality[place] = _plurality(said, roles)
    return PairTable(
        np.array(pair_id, dtype=object), cluster.astype(np.int64), len(names), stratum, tuple(found), flipped,
        any_tie, plurality, clusters_are_pairs=len(names) == len(pair_id),
    )  # fmt: skip


#: What tells one stratum from another, apart from what people said.
_FEATURES = ("role_1", "role_2", "split", "tier", "target", "domain", "artifact_kind", "artifact_role")
_TEXTS = ("pair_id", "cluster", *_FEATURES)


def words(frame: pd.DataFrame, name: str) -> list[str]:
    """A column as text, '' for what is missing."""
    if name not in frame:
        return [""] * len(frame)
    return ["" if value is None or value is pd.NA or value != value else str(value) for value in frame[name].tolist()]


def _role_orders(columns: Mapping[str, list[str]]) -> dict[tuple[str, frozenset[str]], tuple[str, str]]:
    """First and second role of each set of two roles in each split: the order most of its pairs use."""
    seen: dict[tuple[str, frozenset[str]], Counter[tuple[str, str]]] = {}
    for split, one, two in zip(columns["split"], columns["role_1"], columns["role_2"], strict=True):
        seen.setdefault((split, frozenset((one, two))), Counter())[one, two] += 1
    return {key: min(orders, key=lambda order: (-orders[order], order)) for key, orders in seen.items()}


def _stratum(cells: Mapping[str, str], roles: tuple[str, str], said: HumanPair | None) -> Stratum:
    constructed = target_code(constructed_target(cells["tier"], cells["target"]), roles)
    validated = LEFT_OUT if said is None or said.target is None else target_code(said.target, roles)
    consensus = validated if said is not None and said.unanimous else LEFT_OUT
    return Stratum(
        cells["split"], cells["tier"], cells["domain"], cells["artifact_kind"], cells["artifact_role"], roles,
        (constructed, validated, consensus),
    )  # fmt: skip


def constructed_target(tier: str, target: str) -> str | None:
    """The declared target, else the tier's own, else none."""
    if target:
        return target
    return DEFAULT_TARGETS.get(Tier(tier)) if tier in Tier.values() else None


def target_code(target: str | None, roles: tuple[str, str]) -> int:
    """A target as a code of ``frontier_counts``. Raises ValueError for a word that is neither role nor tie."""
    codes: dict[Any, int] = {
        None: TARGET_NONE, TIE_WORD: TARGET_TIE, BOUNDARY_WORD: TARGET_BOUNDARY,
        roles[0]: TARGET_FIRST, roles[1]: TARGET_SECOND,
    }  # fmt: skip
    if target not in codes:
        raise ValueError(f"the target {target!r} is neither a role ({', '.join(roles)}) nor tie nor boundary")
    return codes[target]


def _plurality(said: HumanPair, roles: tuple[str, str]) -> int:
    """The commonest answer as a grid code (first 0, second 1, tie 2); NO_ANSWER where two are equally common."""
    answers = Counter(said.categories).most_common(2)
    if len(answers) == 2 and answers[0][1] == answers[1][1]:
        return NO_ANSWER
    return {roles[0]: 0, roles[1]: 1, TIE_WORD: 2}.get(answers[0][0], NO_ANSWER)
