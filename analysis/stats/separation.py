"""Whether a table of comparisons can rank its systems at all: where no finite abilities exist, and why.

Ford's condition (Amer Math Monthly 64 (1957)) is enough for wins, and for ties counted as half wins. Davidson's and Rao
and Kupper's tie models have one parameter more and need one thing more: with every win a step up and every tie a step
down, some round trip through the comparisons must end above its start. Otherwise abilities and the tie parameter grow
together without end. (A beats B 5 times and ties 3 times: the fit that gives B no chance and keeps 5 to 3 is a limit,
no estimate.) It is the recession cone of either log-likelihood, written as a system of difference constraints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

FloatArray = NDArray[np.float64]

ONLY_TIES = "every comparison is a tie: the tie parameter is unbounded"
TIES_RUN_OFF = (
    "separated: no round of results wins more often than it ties, so abilities and the tie parameter grow together "
    "without bound"
)


@dataclass(frozen=True, slots=True)
class Connectivity:
    """``components``: groups of systems never compared with one another. ``strata``: groups such that between two of
    them one side never gained a point. One component and one stratum mean that finite abilities exist, in a tie model
    where ``ties_bounded`` holds as well."""

    components: tuple[tuple[str, ...], ...]
    strata: tuple[tuple[str, ...], ...]

    @property
    def problem(self) -> str | None:
        """Why no finite abilities exist, in words; None where they do."""
        if len(self.components) > 1:
            return f"not connected: no comparison links {_groups(self.components)}"
        if len(self.strata) > 1:
            return f"separated: between {_groups(self.strata)} one side never gained a point, so the gap is unbounded"
        return None


def connectivity(gains: FloatArray, systems: Sequence[str]) -> Connectivity:
    """``gains[i, j] > 0`` where i gained at least part of a point against j, shape (systems, systems)."""
    graph = csr_array((gains > 0).astype(np.int8))
    _, weak = connected_components(graph, directed=True, connection="weak")
    _, strong = connected_components(graph, directed=True, connection="strong")
    return Connectivity(_named(weak, systems), _named(strong, systems))


def strongly_connected(gains: FloatArray) -> NDArray[np.bool_]:
    """Ford's condition for a batch of tables, (batch, systems, systems) -> (batch,)."""
    systems = gains.shape[1]
    reach = (gains > 0) | np.eye(systems, dtype=bool)
    for _ in range(max(1, int(np.ceil(np.log2(max(2, systems)))))):
        steps = reach.astype(np.float32)
        reach = (steps @ steps) > 0
    return np.asarray(reach.all(axis=(1, 2)))


def ties_bounded(wins: FloatArray, ties: FloatArray) -> NDArray[np.bool_]:
    """Whether some round trip has more wins than ties, for tables (batch, systems, systems) -> (batch,).

    Longest walks by Floyd and Warshall; more than ``systems`` is cut off, because only the sign of a round matters.
    """
    systems = wins.shape[1]
    height = np.where(wins > 0, 1.0, np.where(ties > 0, -1.0, -np.inf))
    for through in range(systems):
        detour = height[:, :, through, None] + height[:, None, through, :]
        height = np.minimum(np.maximum(height, detour), systems)
    return np.asarray((np.diagonal(height, axis1=1, axis2=2) > 0).any(axis=1))


def _named(codes: NDArray[np.int32], systems: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    groups: dict[int, list[str]] = {}
    for code, system in zip(codes, systems, strict=True):
        groups.setdefault(int(code), []).append(system)
    return tuple(sorted(tuple(sorted(group)) for group in groups.values()))


def _groups(groups: tuple[tuple[str, ...], ...]) -> str:
    return " and ".join("{" + ", ".join(group) + "}" for group in groups)
