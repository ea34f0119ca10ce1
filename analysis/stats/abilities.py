"""Bradley-Terry abilities of systems from counts of wins and ties, or the reason why no finite ones exist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.stats.separation import (
    ONLY_TIES,
    TIES_RUN_OFF,
    Connectivity,
    connectivity,
    strongly_connected,
    ties_bounded,
)
from analysis.stats.tie_models import TIE_CONVENTIONS, TIE_MODELS, Fit, TieConvention, fit_tables

FloatArray = NDArray[np.float64]
_ALONE = "one system alone has nothing to be compared with"


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """Bradley-Terry from counts. ``value`` and ``se`` follow ``systems``; both None where ``undefined`` says why.

    Abilities are natural logarithms, 0 for ``reference``, or on average 0 where there is none. ``tie_parameter`` is
    Davidson's nu or Rao and Kupper's theta.
    """

    systems: tuple[str, ...]
    convention: TieConvention
    reference: str | None
    connectivity: Connectivity
    value: tuple[float, ...] | None = None
    se: tuple[float, ...] | None = None
    tie_parameter: float | None = None
    se_log_tie: float | None = None
    loglik: float | None = None
    undefined: str | None = None


def bradley_terry(
    wins: ArrayLike,
    ties: ArrayLike,
    systems: Sequence[str],
    *,
    convention: TieConvention = "davidson",
    reference: str | None = None,
) -> Abilities:
    """Abilities from counts, both (systems, systems): ``wins[i, j]`` counts i beating j, ``ties`` is symmetric.

    Standard errors come from the observed information; under "half" they are a quasi-likelihood device. Raises
    ValueError for tables that are no counts of that shape and for an unknown convention or reference.
    """
    won, tied = np.asarray(wins, dtype=np.float64), np.asarray(ties, dtype=np.float64)
    _check_tables(won, tied, systems, convention)
    contrast = _contrast(systems, reference)
    links = connectivity(_gains(won, tied, convention), systems)
    names = tuple(systems)

    def none_because(reason: str) -> Abilities:
        return Abilities(
            systems=names, convention=convention, reference=reference, connectivity=links, undefined=reason
        )

    problem = _ALONE if len(systems) < 2 else links.problem or _tie_problem(won, tied, convention)
    if problem is not None:
        return none_because(problem)
    fit = fit_tables(won[None], tied[None], convention=convention)
    if not fit.converged[0]:
        return none_because("the likelihood has no finite maximum")
    free = len(systems) - 1
    covariance = np.zeros((len(systems), len(systems)))
    covariance[:free, :free] = fit.covariance[0, :free, :free]
    variances = np.diag(contrast @ covariance @ contrast.T)
    tied_model = bool(np.isfinite(fit.tie[0]))
    return Abilities(
        systems=names,
        convention=convention,
        reference=reference,
        connectivity=links,
        value=_floats(contrast @ fit.abilities[0]),
        se=_floats(np.sqrt(np.maximum(variances, 0))),
        tie_parameter=float(np.exp(fit.tie[0])) if tied_model else None,
        se_log_tie=float(np.sqrt(fit.covariance[0, -1, -1])) if tied_model else None,
        loglik=float(fit.loglik[0]),
    )


def abilities_of_tables(wins: FloatArray, ties: FloatArray, fit: Abilities) -> FloatArray:
    """Abilities, in the convention and reference of ``fit``, of those tables (batch, systems, systems) that have finite
    ones: (fitted, systems)."""
    sound = strongly_connected(_gains(wins, ties, fit.convention))
    if fit.tie_parameter is not None:
        # without a tie the tie parameter runs off to nothing
        sound &= (ties.sum(axis=(1, 2)) > 0) & ties_bounded(wins, ties)
    if not sound.any():
        return np.empty((0, len(fit.systems)))
    found: Fit = fit_tables(wins[sound], ties[sound], convention=fit.convention)
    return found.abilities[found.converged] @ _contrast(fit.systems, fit.reference).T


def _check_tables(wins: FloatArray, ties: FloatArray, systems: Sequence[str], convention: TieConvention) -> None:
    size = len(systems)
    if wins.shape != (size, size) or ties.shape != (size, size):
        raise ValueError(f"{size} systems need tables of {size} x {size}, not {wins.shape} and {ties.shape}")
    for table in (wins, ties):
        if not np.isfinite(table).all() or (table < 0).any() or np.diag(table).any():
            raise ValueError("wins and ties are counts of zero or more, and no system meets itself")
    if not np.array_equal(ties, ties.T):
        raise ValueError("ties are symmetric: a tie of i with j is one of j with i")
    if convention not in TIE_CONVENTIONS:
        raise ValueError(f"unknown convention {convention!r}; there are {', '.join(TIE_CONVENTIONS)}")


def _tie_problem(wins: FloatArray, ties: FloatArray, convention: TieConvention) -> str | None:
    """Why a tie model has no finite fit though the systems are connected."""
    if convention not in TIE_MODELS or not ties.any():
        return None
    if not wins.any():
        return ONLY_TIES
    return None if ties_bounded(wins[None], ties[None])[0] else TIES_RUN_OFF


def _gains(wins: FloatArray, ties: FloatArray, convention: TieConvention) -> FloatArray:
    return wins if convention == "dropped" else wins + ties


def _contrast(systems: Sequence[str], reference: str | None) -> FloatArray:
    """The matrix that moves abilities so that the reference, or the mean, is 0. Raises ValueError if unknown."""
    size = len(systems)
    if reference is None:
        return np.eye(size) - 1 / size
    if reference not in systems:
        raise ValueError(f"the reference {reference!r} is none of the systems")
    shift = np.zeros((size, size))
    shift[:, list(systems).index(reference)] = 1
    return np.eye(size) - shift


def _floats(values: FloatArray) -> tuple[float, ...]:
    return tuple(float(value) for value in values)
