"""How well surface features alone tell the tampered side: the regularity TRACE names as its limitation.

A logistic regression over length, markers and punctuation, fitted by iteratively reweighted least squares with a
ridge penalty, cross-validated by cluster. Every pair enters as the difference between its two sides, in both
orders, so that there is no intercept and chance is one half.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.stats.estimate import Estimate
from annotation.construction.display import display_amount, strip_display
from annotation.construction.partition import cluster_of
from annotation.construction.seeding import digest
from annotation.construction.sentences import split_sentences
from annotation.records import PairRecord

Array = np.ndarray

FEATURES: dict[str, Callable[[str], float]] = {
    "characters": len,
    "words": lambda text: len(text.split()),
    "sentences": lambda text: len(split_sentences(text)),
    "lines": lambda text: text.count("\n") + 1,
    "mean word length": lambda text: sum(map(len, text.split())) / max(1, len(text.split())),
    "digits": lambda text: sum(map(str.isdigit, text)),
    "capitals": lambda text: sum(map(str.isupper, text)),
    "commas": lambda text: text.count(","),
    "full stops": lambda text: text.count("."),
    "colons and semicolons": lambda text: text.count(":") + text.count(";"),
    "brackets": lambda text: len(re.findall(r"[()\[\]]", text)),
    "quotation marks": lambda text: len(re.findall(r"[\"\u201c\u201d]", text)),
    "citation-like display": display_amount,
}

_RIDGE = 1.0
_FOLDS = 5
_RESAMPLES = 2000
_PERMUTATIONS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceReport:
    """Accuracy and AUC of the cross-validated model, each feature alone, and what chance would reach.

    Estimates are shares (0..1) with the cluster as unit. ``alone`` maps a feature to the share of pairs whose tampered
    side has more of it (ties count half). ``chance_high`` is the 95th percentile of the accuracy when the tampered
    side is dealt at random by cluster, ``p`` the share of such deals that reach the accuracy found.
    """

    accuracy: Estimate
    auc: Estimate
    alone: dict[str, float]
    weights: dict[str, float]
    chance_high: float | None
    p: float | None
    n_pairs: int
    n_clusters: int
    skipped: int

    def sentence(self) -> str:
        """The finding in one line."""
        if self.accuracy.value is None:
            return f"Surface check not possible: {self.accuracy.undefined}"
        strongest = max(self.alone, key=lambda name: abs(self.alone[name] - 0.5))
        return (
            f"Surface features alone tell the tampered side in {self.accuracy.value:.1%} of pairs "
            f"(chance 50%); the strongest single one is {strongest} ({self.alone[strongest]:.1%})."
        )


def tampered_role(pair: PairRecord) -> str | None:
    """The role that was tampered with: the one the target is against, else the one that bears the artifact."""
    if pair.target in pair.roles:
        return pair.roles[1] if pair.target == pair.roles[0] else pair.roles[0]
    return pair.artifact_role if pair.artifact_role in pair.roles else None


def surface_check(
    pairs: Iterable[PairRecord],
    *,
    seed: int,
    features: Sequence[str] | None = None,
    without_display: bool = False,
    folds: int = _FOLDS,
) -> SurfaceReport:
    """The report over all pairs that have two texts and a tampered side; the others are counted as skipped.

    Where only one role is ever tampered with, its display gives it away by construction; ``without_display`` takes
    the display out first and so asks whether the tampering itself leaves a trace.
    """
    names = list(features or FEATURES)
    rows, clusters, skipped = _differences(pairs, names, without_display)
    order = sorted(set(clusters))
    if len(order) < max(2, folds):
        reason = f"{len(order)} clusters with a tampered side are too few for {folds} folds"
        nothing = Estimate.undefined_because(reason, n=len(order), unit="cluster")
        return SurfaceReport(
            accuracy=nothing, auc=nothing, alone={}, weights={}, chance_high=None, p=None,
            n_pairs=len(rows), n_clusters=len(order), skipped=skipped,
        )  # fmt: skip
    number_of = {name: number for number, name in enumerate(order)}
    groups = np.array([number_of[name] for name in clusters])
    fold = np.array([int(digest(seed, "fold", name), 16) % folds for name in order])[groups]
    scores = _cross_validated(rows, fold, folds)
    rng = np.random.default_rng(int(digest(seed, "surface"), 16) % 2**63)
    accuracy = _accuracy(scores)
    chance = [_dealt(rows, groups, fold, folds, rng) for _ in range(_PERMUTATIONS)]
    weights = _fit(rows / _scale(rows))
    return SurfaceReport(
        accuracy=_estimate(scores, groups, _accuracy, rng, seed, "logistic regression, cross-validated by cluster"),
        auc=_estimate(scores, groups, _auc, rng, seed, "area under the ROC curve, cross-validated by cluster"),
        alone={name: float(np.mean((rows[:, at] > 0) + 0.5 * (rows[:, at] == 0))) for at, name in enumerate(names)},
        weights={name: float(weight) for name, weight in zip(names, weights, strict=True)},
        chance_high=float(np.quantile(chance, 0.95)),
        p=(1 + sum(value >= accuracy for value in chance)) / (1 + len(chance)),
        n_pairs=len(rows),
        n_clusters=len(order),
        skipped=skipped,
    )


def _differences(
    pairs: Iterable[PairRecord], names: Sequence[str], without_display: bool
) -> tuple[Array, list[str], int]:
    """(pairs x features: tampered side minus the other, cluster of each row, pairs skipped)."""
    rows: list[list[float]] = []
    clusters: list[str] = []
    skipped = 0
    for pair in pairs:
        role = tampered_role(pair)
        first, second = pair.candidates
        if role is None or first is None or second is None:
            skipped += 1
            continue
        if without_display:
            first, second = strip_display(first), strip_display(second)
        tampered, other = (first, second) if role == pair.roles[0] else (second, first)
        rows.append([FEATURES[name](tampered) - FEATURES[name](other) for name in names])
        clusters.append(cluster_of(pair))
    return np.array(rows, dtype=float).reshape(len(rows), len(names)), clusters, skipped


def _scale(rows: Array) -> Array:
    """Root mean square of each difference: the spread around zero, since both orders count."""
    spread = np.sqrt(np.mean(rows**2, axis=0))
    return np.where(spread > 0, spread, 1.0)


def _fit(rows: Array) -> Array:
    """Weights of the logistic regression without intercept on rows that are all positive cases, ridge-penalised.

    The mirrored negative cases double every term and leave the optimum where it is, so they need not be written out.
    """
    weights = np.zeros(rows.shape[1])
    for _ in range(50):
        probability = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        curvature = probability * (1 - probability)
        gradient = rows.T @ (1 - probability) - _RIDGE * weights
        step = np.linalg.solve(rows.T @ (rows * curvature[:, None]) + _RIDGE * np.eye(len(weights)), gradient)
        weights = weights + step
        if np.max(np.abs(step)) < 1e-8:
            break
    return weights


def _cross_validated(rows: Array, fold: Array, folds: int) -> Array:
    """Each pair's score (positive: the tampered side is told) from a model that never saw its cluster."""
    scores = np.zeros(len(rows))
    for number in range(folds):
        held = fold == number
        if held.all() or not held.any():
            continue
        scale = _scale(rows[~held])
        scores[held] = (rows[held] / scale) @ _fit(rows[~held] / scale)
    return scores


def _accuracy(scores: Array) -> float:
    return float(np.mean((scores > 0) + 0.5 * (scores == 0)))


def _auc(scores: Array) -> float:
    """The chance that a tampered side scores above an untampered one: the mirrored cases score the negative."""
    pooled = np.sort(-scores)
    below = np.searchsorted(pooled, scores, side="left")
    upto = np.searchsorted(pooled, scores, side="right")
    return float(np.mean((below + upto) / 2) / len(scores))


def _dealt(rows: Array, groups: Array, fold: Array, folds: int, rng: np.random.Generator) -> float:
    """The accuracy when each cluster's tampered side is dealt by a coin."""
    signs = rng.choice((-1.0, 1.0), size=groups.max() + 1)[groups]
    return _accuracy(_cross_validated(rows * signs[:, None], fold, folds))


def _estimate(
    scores: Array, groups: Array, statistic: Callable[[Array], float], rng: np.random.Generator, seed: int, method: str
) -> Estimate:
    """The statistic with a percentile interval over resampled clusters."""
    members = [np.flatnonzero(groups == number) for number in range(groups.max() + 1)]
    values = []
    for _ in range(_RESAMPLES):
        drawn = rng.integers(len(members), size=len(members))
        values.append(statistic(scores[np.concatenate([members[number] for number in drawn])]))
    low, high = np.quantile(values, (0.025, 0.975))
    return Estimate(
        value=statistic(scores),
        low=float(low),
        high=float(high),
        n=len(members),
        unit="cluster",
        method=f"{method}; cluster bootstrap, {_RESAMPLES} resamples",
        seed=seed,
    )
