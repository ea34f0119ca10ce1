"""Which cells make one row of the report: whole families, and families broken down one dimension at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analysis.counting.encoded import Cell, Encoded, Family
from analysis.counting.pair_table import BASES, LEFT_OUT, Stratum
from analysis.stats.anchoring import TIE_NOT_OFFERED
from analysis.stats.frontier_counts import (
    ROLE_TARGETS,
    TARGET_BOUNDARY,
    TARGET_NONE,
    TARGET_TIE,
    CellCounts,
    Tally,
    count_cells,
)
from analysis.stats.frontier_grid import SECOND

IntArray = NDArray[np.int64]

_ROLE_REASON = "the pairs have different roles: see the rows of each two roles"
_NO_ROLE_TARGET = {
    TARGET_TIE: "the target is a tie: see the tie rate",
    TARGET_BOUNDARY: "the target is a boundary: a tie is acceptable",
    TARGET_NONE: "the pairs have no target",
}


@dataclass(frozen=True)
class Group:
    """The cells of one row. ``broken_down`` names the dimension, None for the whole family."""

    family: Family
    basis: str
    cells: tuple[Cell, ...]
    strata: tuple[Stratum, ...]
    broken_down: str | None = None

    @cached_property
    def numbers(self) -> IntArray:
        return self.family.numbers(self.cells)

    @cached_property
    def targets(self) -> tuple[int, ...]:
        place = BASES.index(self.basis)
        return tuple(stratum.targets[place] for stratum in self.strata)

    @cached_property
    def roles(self) -> tuple[str, str] | None:
        """The two roles, in order; None where the pairs have different ones."""
        found = {stratum.roles for stratum in self.strata}
        return next(iter(found)) if len(found) == 1 else None

    @property
    def gap_role(self) -> int:
        """The role the order gap follows: the one that carries the artifact, else the second."""
        carriers = {stratum.artifact_role for stratum in self.strata}
        if self.roles is None or len(carriers) != 1:
            return SECOND
        carrier = next(iter(carriers))
        return self.roles.index(carrier) if carrier in self.roles else SECOND

    def value(self, dimension: str) -> str | None:
        """What all cells share of a dimension; None where they differ or have none."""
        found = {DIMENSIONS[dimension](cell, stratum) for cell, stratum in zip(self.cells, self.strata, strict=True)}
        return (next(iter(found)) or None) if len(found) == 1 else None

    def reasons(self, encoded: Encoded) -> dict[str, str]:
        """Why metrics are undefined whatever the judge said: no tie offered, no role target, roles that differ."""
        found: dict[str, str] = {}
        if not encoded.offers_ties(self.numbers):
            found |= dict.fromkeys(("tie", "position_tie"), TIE_NOT_OFFERED)
        aims = set(self.targets)
        if not aims & set(ROLE_TARGETS):
            reason = _NO_ROLE_TARGET[next(iter(aims))] if len(aims) == 1 else "no pair has a role as its target"
            found |= dict.fromkeys(("target_win", "opposite_win", "directional_resolution"), reason)
        if self.roles is None:
            found |= dict.fromkeys(("first", "second", "signed_effect", "order_gap"), _ROLE_REASON)
        return found


DIMENSIONS: dict[str, Callable[[Cell, Stratum], str]] = {
    "paraphrase": lambda cell, _: cell.paraphrase,
    "attacked_role": lambda cell, _: cell.attacked_role,
    "domain": lambda _, stratum: stratum.domain,
    "artifact": lambda _, stratum: stratum.artifact,
    "roles": lambda _, stratum: " / ".join(stratum.roles),
}


def groups_of(family: Family, encoded: Encoded, breakdowns: tuple[str, ...]) -> Iterator[Group]:
    """The whole family under every basis that has pairs, then each dimension's values where there are several."""
    for place, basis in enumerate(BASES):
        cells = tuple(c for c in family.cells if encoded.pairs.strata[c.stratum].targets[place] != LEFT_OUT)
        if not cells:
            continue
        yield Group(family, basis, cells, tuple(encoded.strata(cells)))
        for dimension in breakdowns:
            values: dict[str, list[Cell]] = {}
            for cell in cells:
                key = DIMENSIONS[dimension](cell, encoded.pairs.strata[cell.stratum])
                values.setdefault(key, []).append(cell)
            if len(values) > 1:
                for _, some in sorted(values.items()):
                    yield Group(family, basis, tuple(some), tuple(encoded.strata(some)), dimension)


@dataclass(frozen=True, slots=True)
class FamilyCounts:
    """A family's counts over its own clusters; ``clusters`` (k,) gives their numbers in the pair table."""

    counts: CellCounts
    clusters: IntArray

    def tally(self, group: Group) -> tuple[Tally, IntArray]:
        """The group's tally over the clusters it has rows in, and those clusters."""
        whole = self.counts.tally(group.numbers.tolist(), group.targets)
        present = whole.present()
        return whole.at(present), self.clusters[present]


def count_family(family: Family, encoded: Encoded) -> FamilyCounts:
    grid, pairs = encoded.placed.grid, encoded.pairs
    here = grid.slice_of(family.first, family.last)
    seen = np.zeros(pairs.n_clusters, dtype=bool)
    seen[pairs.cluster[grid.pair[here]]] = True
    local = np.cumsum(seen) - 1
    counts = count_cells(
        grid, local[pairs.cluster], first_cell=family.first, last_cell=family.last, n_clusters=int(seen.sum())
    )
    return FamilyCounts(counts, np.flatnonzero(seen))
