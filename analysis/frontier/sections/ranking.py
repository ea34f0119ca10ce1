"""``ranking``: win scores and Bradley-Terry abilities of the systems of a workflow split, by judge and protocol."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.counting.encoded import Encoded, Family
from analysis.frontier.options import ReportOptions
from analysis.frontier.sections.contrasts import clean_families
from analysis.stats.frontier_grid import TIE
from analysis.stats.ranking import Ranking, rank_systems
from annotation.enums import Tier

Row = dict[str, Any]
IntArray = NDArray[np.int64]


def build_ranking(encoded: Encoded, options: ReportOptions) -> list[Row]:
    """One row a system, for families of the ranking tier and any other whose pairs name more than two roles."""
    rows: list[Row] = []
    for families in clean_families(encoded):
        for family in families:
            systems = sorted({role for stratum in encoded.strata(family.cells) for role in stratum.roles})
            if len(systems) > 2 or family.tier == Tier.RANKING:
                rows.extend(_rows(encoded, family, systems, options))
    return rows


def _rows(encoded: Encoded, family: Family, systems: list[str], options: ReportOptions) -> list[Row]:
    first, second, result, cluster = _comparisons(encoded, family, systems)
    if not result.size:
        return []
    unit = "query" if encoded.pairs.unit == "cluster" else "pair"
    ranking = rank_systems(
        first, second, result, systems=systems, clusters=cluster, convention=options.ranking,
        resamples=options.resamples, seed=options.seed, level=options.level, unit=unit,
    )  # fmt: skip
    played = np.bincount(first, minlength=len(systems)) + np.bincount(second, minlength=len(systems))
    return [_row(family, ranking, system, int(played[place])) for place, system in enumerate(systems)]


def _row(family: Family, ranking: Ranking, system: str, n: int) -> Row:
    condition = family.condition
    score = ranking.scores[system]
    return {
        "judge": condition.judge, "protocol": condition.protocol,
        "protocol_version": condition.protocol_version or None, "level": condition.level or None,
        "probe": condition.probe or None, "split": family.split or None, "tier": family.tier or None,
        "system": system, "n": n, "score": score.as_json(), "bt": ranking.abilities[system].as_json(),
        "bt_convention": ranking.fit.convention, "tie_parameter": ranking.fit.tie_parameter,
        "rank": _rank(ranking, system), "unit": score.unit,
    }  # fmt: skip


def _rank(ranking: Ranking, system: str) -> int | None:
    """1 for the highest score; equal scores share the better rank."""
    own = ranking.scores[system].value
    if own is None:
        return None
    return 1 + sum(1 for score in ranking.scores.values() if score.value is not None and score.value > own)


def _comparisons(encoded: Encoded, family: Family, systems: list[str]) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """(first system, second system, result, cluster) of every decided row."""
    grid, table = encoded.placed.grid, encoded.pairs
    parts: list[tuple[IntArray, ...]] = []
    for number, cell in enumerate(family.cells, start=family.first):
        roles = table.strata[cell.stratum].roles
        here = grid.slice_of(number, number)
        cluster = table.cluster[grid.pair[here]]
        for codes in grid.codes[:, here]:
            decided = codes <= TIE
            n = int(decided.sum())
            parts.append(
                (
                    np.full(n, systems.index(roles[0])), np.full(n, systems.index(roles[1])),
                    codes[decided].astype(np.int64), cluster[decided],
                )
            )  # fmt: skip
    first, second, result, cluster = (np.concatenate(column) for column in zip(*parts, strict=True))
    return first, second, result, cluster
