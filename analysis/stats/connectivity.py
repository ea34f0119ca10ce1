"""Whether a table of comparisons can rank its systems at all: Ford's condition (Amer Math Monthly 64 (1957))."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Connectivity:
    """``components``: groups of systems never compared with one another. ``strata``: groups such that between two of
    them one side never gained a point. One component and one stratum mean that finite abilities exist."""

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


def _named(codes: NDArray[np.int32], systems: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    groups: dict[int, list[str]] = {}
    for code, system in zip(codes, systems, strict=True):
        groups.setdefault(int(code), []).append(system)
    return tuple(sorted(tuple(sorted(group)) for group in groups.values()))


def _groups(groups: tuple[tuple[str, ...], ...]) -> str:
    return " and ".join("{" + ", ".join(group) + "}" for group in groups)
