"""Bradley-Terry abilities from win and tie counts, many count tables at once.

Four conventions for ties, each concave in its parameters, so that Newton's method finds the one maximum:

- ``dropped``: ties are left out (Bradley and Terry, Biometrika 39 (1952));
- ``half``: a tie is half a win for either side; its standard errors are a quasi-likelihood device;
- ``davidson``: P(tie) = nu sqrt(pi_i pi_j) / (pi_i + pi_j + nu sqrt(pi_i pi_j)) (Davidson, JASA 65 (1970), eq. 2.3);
- ``rao_kupper``: P(i beats j) = pi_i / (pi_i + theta pi_j) (Rao and Kupper, JASA 62 (1967), eq. 2.4).

Abilities are natural logarithms of pi. Whether a maximum exists is ``separation``'s to say, not this module's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

FloatArray = NDArray[np.float64]
TieConvention = Literal["dropped", "half", "davidson", "rao_kupper"]
TIE_CONVENTIONS: tuple[TieConvention, ...] = ("dropped", "half", "davidson", "rao_kupper")
#: The conventions with a tie parameter of their own.
TIE_MODELS = frozenset({"davidson", "rao_kupper"})

_ITERATIONS = 200
_HALVINGS = 40
#: Longest step of one parameter: keeps the first steps of a lopsided table inside the sensible range.
_LONGEST_STEP = 2.0
_SMALL_GRADIENT = 1e-11


@dataclass(frozen=True, slots=True)
class Fit:
    """Fits of a batch of tables. ``abilities`` (batch, systems) with the last system at 0; ``tie`` (batch,) is
    log nu or log theta, NaN in the conventions without one; ``covariance`` (batch, p, p) over the free abilities
    and, last, ``tie``; ``converged`` (batch,)."""

    abilities: FloatArray
    tie: FloatArray
    loglik: FloatArray
    covariance: FloatArray
    converged: NDArray[np.bool_]


def fit_tables(wins: FloatArray, ties: FloatArray, *, convention: TieConvention) -> Fit:
    """Maximum likelihood for tables ``wins`` and ``ties``, both (batch, systems, systems).

    ``wins[b, i, j]`` counts i beating j; ``ties`` is symmetric. A table without a single tie has no tie parameter
    to estimate: it is fitted as plain Bradley-Terry, which is the limit of both tie models.
    """
    has_tie = convention in TIE_MODELS and bool((ties.sum(axis=(1, 2)) > 0).any())
    upper = np.triu_indices(wins.shape[1], 1)
    up, down, level = wins[:, *upper], wins.transpose(0, 2, 1)[:, *upper], ties[:, *upper]
    if convention == "half":
        up, down, level = up + level / 2, down + level / 2, np.zeros_like(level)
    elif convention == "dropped" or not has_tie:
        level = np.zeros_like(level)
    design = _design(wins.shape[1], upper)
    model = _MODELS[convention if has_tie else "dropped"]
    return _newton(_Problem(up, down, level, design, model, has_tie=has_tie, positive=convention == "rao_kupper"))


#: (d, tie, up, down, level) -> loglik, d/dd, d/dtie, -d2/dd2, -d2/dd dtie, -d2/dtie2, each (batch, pairs)
_Model = Callable[..., tuple[FloatArray, ...]]


def _plain(
    d: FloatArray, _tie: FloatArray, up: FloatArray, down: FloatArray, _level: FloatArray
) -> tuple[FloatArray, ...]:
    n, p = up + down, expit(d)
    zero = np.zeros_like(d)
    loglik = -up * np.logaddexp(0, -d) - down * np.logaddexp(0, d)
    return loglik, up - n * p, zero, n * p * (1 - p), zero, zero


def _davidson(
    d: FloatArray, tie: FloatArray, up: FloatArray, down: FloatArray, level: FloatArray
) -> tuple[FloatArray, ...]:
    n = up + down + level
    logs = np.stack([d / 2, -d / 2, np.broadcast_to(tie[:, None], d.shape)])
    top = logs.max(axis=0)
    norm = top + np.log(np.exp(logs - top).sum(axis=0))
    p_up, p_down, p_tie = np.exp(logs - norm)
    loglik = up * (logs[0] - norm) + down * (logs[1] - norm) + level * (logs[2] - norm)
    lead = (p_up - p_down) / 2
    return (
        loglik,
        (up - down) / 2 - n * lead,
        level - n * p_tie,
        n * ((p_up + p_down) / 4 - lead**2),
        -n * lead * p_tie,
        n * p_tie * (1 - p_tie),
    )


def _rao_kupper(
    d: FloatArray, tie: FloatArray, up: FloatArray, down: FloatArray, level: FloatArray
) -> tuple[FloatArray, ...]:
    log_theta = tie[:, None]
    a, b = d - log_theta, -d - log_theta
    p, q = expit(a), expit(b)
    gap = -np.expm1(-2 * log_theta)  # 1 - theta^-2
    loglik = (
        -(up + level) * np.logaddexp(0, -a) - (down + level) * np.logaddexp(0, -b)
        + level * (2 * log_theta + np.log(gap))
    )  # fmt: skip
    one, two = (up + level) * p * (1 - p), (down + level) * q * (1 - q)
    pull_a, pull_b = (up + level) * (1 - p), (down + level) * (1 - q)
    curve = 4 * level * np.exp(-2 * log_theta) / gap**2
    return loglik, pull_a - pull_b, 2 * level / gap - pull_a - pull_b, one + two, two - one, one + two + curve


_MODELS: dict[str, _Model] = {"dropped": _plain, "half": _plain, "davidson": _davidson, "rao_kupper": _rao_kupper}


@dataclass(frozen=True, slots=True)
class _Problem:
    up: FloatArray
    down: FloatArray
    level: FloatArray
    design: FloatArray
    model: _Model
    has_tie: bool
    positive: bool

    def start(self) -> FloatArray:
        tie = np.full((len(self.up), int(self.has_tie)), 0.5)
        return np.hstack([np.zeros((len(self.up), self.design.shape[1])), tie])

    def parts(self, x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """loglik (batch,), gradient (batch, p), information (batch, p, p)."""
        free = self.design.shape[1]
        tie = x[:, free] if self.has_tie else np.full(len(x), np.nan)
        loglik, g_d, g_t, i_dd, i_dt, i_tt = self.model(
            x[:, :free] @ self.design.T, tie, self.up, self.down, self.level
        )
        outer = (self.design[:, :, None] * self.design[:, None, :]).reshape(len(self.design), -1)
        information = np.zeros((len(x), x.shape[1], x.shape[1]))
        information[:, :free, :free] = (i_dd @ outer).reshape(len(x), free, free)
        gradient = g_d @ self.design
        if self.has_tie:
            gradient = np.hstack([gradient, g_t.sum(axis=1, keepdims=True)])
            information[:, :free, free] = information[:, free, :free] = i_dt @ self.design
            information[:, free, free] = i_tt.sum(axis=1)
        return loglik.sum(axis=1), gradient, information

    def loglik(self, x: FloatArray) -> FloatArray:
        value = self.parts(x)[0]
        if self.positive and self.has_tie:
            value = np.where(x[:, -1] > 0, value, -np.inf)
        return value


def _design(systems: int, upper: tuple[NDArray[np.intp], ...]) -> FloatArray:
    """(pairs, systems - 1): the ability difference of each pair, the last system being the reference."""
    design = np.zeros((len(upper[0]), systems))
    design[np.arange(len(upper[0])), upper[0]] = 1
    design[np.arange(len(upper[0])), upper[1]] = -1
    return design[:, :-1]


def _newton(problem: _Problem) -> Fit:
    x = problem.start()
    scale = np.maximum(1.0, (problem.up + problem.down + problem.level).sum(axis=1))
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        for _ in range(_ITERATIONS):
            loglik, gradient, information = problem.parts(x)
            if (np.abs(gradient).max(axis=1, initial=0) <= _SMALL_GRADIENT * scale).all():
                break
            step = _solve(information, gradient)
            step *= np.minimum(1, _LONGEST_STEP / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1e-300))
            x = _climb(problem, x, step, loglik)
        loglik, gradient, information = problem.parts(x)
    converged = np.abs(gradient).max(axis=1, initial=0) <= 1e-6 * scale
    return _as_fit(problem, x, loglik, information, converged)


def _solve(information: FloatArray, gradient: FloatArray) -> FloatArray:
    """Newton's step; a whiff of ridge keeps tables without a maximum from stopping the whole batch."""
    ridge = 1e-12 * (1 + np.trace(information, axis1=1, axis2=2))[:, None, None]
    return np.linalg.solve(information + ridge * np.eye(information.shape[1]), gradient[:, :, None])[:, :, 0]


def _climb(problem: _Problem, x: FloatArray, step: FloatArray, loglik: FloatArray) -> FloatArray:
    """Take the step, halved where it would lower the likelihood or leave theta's range."""
    share = np.ones((len(x), 1))
    room = 1e-12 * (1 + np.abs(loglik))
    for _ in range(_HALVINGS):
        reached = problem.loglik(x + share * step)
        worse = ~(reached >= loglik - room)
        if not worse.any():
            break
        share[worse] /= 2
    return x + share * step


def _as_fit(
    problem: _Problem, x: FloatArray, loglik: FloatArray, information: FloatArray, converged: NDArray[np.bool_]
) -> Fit:
    free = problem.design.shape[1]
    abilities = np.hstack([x[:, :free], np.zeros((len(x), 1))])
    tie = x[:, free] if problem.has_tie else np.full(len(x), np.nan)
    covariance = np.asarray(np.linalg.pinv(information, hermitian=True), dtype=np.float64)
    return Fit(abilities, tie, loglik, covariance, converged)
