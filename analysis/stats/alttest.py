"""The alternative annotator test: may this judge stand in for a human annotator?

Calderon, Reichart and Dror (2025), arXiv:2501.10970. Each annotator in turn is left out; judge and annotator are
scored against the remaining ones on every instance. The judge wins against an annotator when the annotator's
advantage over it is significantly below epsilon (one-sided paired t-test, Benjamini-Yekutieli over annotators).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from analysis.stats.agreement.encoding import is_missing
from analysis.stats.estimate import Estimate

Scoring = Callable[[Any, Sequence[Any]], float]
Annotations = Mapping[Hashable, Any]

DEFAULT_EPSILON = 0.2
DEFAULT_FDR = 0.05
MIN_HUMANS_PER_INSTANCE = 2
MIN_INSTANCES_PER_HUMAN = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstAnnotator:
    """The judge against one left-out annotator over ``n`` instances.

    ``judge_advantage`` (rho-f) is the share of instances where the judge scores at least as well as the annotator,
    ``annotator_advantage`` (rho-h) the reverse; ties count for both. ``p`` tests rho-h - rho-f < epsilon.
    """

    annotator: Hashable
    n: int
    judge_advantage: float
    annotator_advantage: float
    p: float
    won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AltTest:
    """The test's outcome. ``passed`` when the judge wins against half of the annotators or more.

    ``winning_rate`` and ``advantage_probability`` (the mean judge advantage) are undefined, with the reason, where
    no annotator has enough instances. ``skipped`` names those annotators; ``dropped_instances`` counts instances
    with too few annotators or no answer of the judge.
    """

    winning_rate: Estimate
    advantage_probability: Estimate
    passed: bool
    annotators: tuple[AgainstAnnotator, ...]
    skipped: tuple[Hashable, ...]
    dropped_instances: int
    epsilon: float
    fdr: float


def accuracy(answer: Any, others: Sequence[Any]) -> float:
    """The share of the other annotators who gave the same answer."""
    return sum(answer == other for other in others) / len(others)


def neg_rmse(answer: float, others: Sequence[float]) -> float:
    """Minus the root mean squared difference to the other annotators' scores."""
    return -math.sqrt(math.fsum((answer - other) ** 2 for other in others) / len(others))


SCORINGS: dict[str, Scoring] = {"accuracy": accuracy, "neg_rmse": neg_rmse}


def alt_test(
    judge: Annotations,
    humans: Mapping[Hashable, Annotations],
    *,
    scoring: str | Scoring = "accuracy",
    epsilon: float = DEFAULT_EPSILON,
    fdr: float = DEFAULT_FDR,
    min_humans_per_instance: int = MIN_HUMANS_PER_INSTANCE,
    min_instances_per_human: int = MIN_INSTANCES_PER_HUMAN,
) -> AltTest:
    """Run the test. ``judge`` maps instance -> answer, ``humans`` annotator -> instance -> answer; None,
    NaN, pandas' NA and blank text are missing.

    ``scoring`` is "accuracy", "neg_rmse" or a function of (answer, other annotators' answers) where higher is
    better. Raises ValueError for an unknown scoring or minima under 2.
    """
    if min_humans_per_instance < 2 or min_instances_per_human < 2:
        raise ValueError("the test needs two annotators per instance and two instances per annotator")
    score = _scoring(scoring)
    by_instance = _by_instance(humans)
    kept = {
        instance: answers
        for instance, answers in by_instance.items()
        if len(answers) >= min_humans_per_instance and not is_missing(judge.get(instance))
    }
    compared: dict[Hashable, list[tuple[bool, bool]]] = {}
    skipped = []
    for annotator in humans:
        pairs = [
            _compare(judge[instance], annotator, answers, score)
            for instance, answers in kept.items()
            if annotator in answers
        ]
        if len(pairs) < min_instances_per_human:
            skipped.append(annotator)
        else:
            compared[annotator] = pairs
    against = _against(compared, epsilon=epsilon, fdr=fdr)
    rate, advantage = _summaries(against, min_instances_per_human)
    return AltTest(
        winning_rate=rate,
        advantage_probability=advantage,
        passed=rate.value is not None and rate.value >= 0.5,
        annotators=against,
        skipped=tuple(skipped),
        dropped_instances=len(by_instance) - len(kept),
        epsilon=epsilon,
        fdr=fdr,
    )


def _scoring(scoring: str | Scoring) -> Scoring:
    if not isinstance(scoring, str):
        return scoring
    if scoring not in SCORINGS:
        raise ValueError(f"unknown scoring {scoring!r}; there are {', '.join(SCORINGS)}, or a function")
    return SCORINGS[scoring]


def _by_instance(humans: Mapping[Hashable, Annotations]) -> dict[Hashable, dict[Hashable, Any]]:
    instances: dict[Hashable, dict[Hashable, Any]] = {}
    for annotator, answers in humans.items():
        for instance, answer in answers.items():
            if not is_missing(answer):
                instances.setdefault(instance, {})[annotator] = answer
    return instances


def _compare(judge: Any, annotator: Hashable, answers: Mapping[Hashable, Any], score: Scoring) -> tuple[bool, bool]:
    """Whether the judge does at least as well as the annotator, and the annotator as the judge."""
    others = [answer for other, answer in answers.items() if other != annotator]
    judged, human = score(judge, others), score(answers[annotator], others)
    return judged >= human, human >= judged


def _against(
    compared: Mapping[Hashable, list[tuple[bool, bool]]], *, epsilon: float, fdr: float
) -> tuple[AgainstAnnotator, ...]:
    if not compared:
        return ()
    tables = {annotator: np.array(pairs, dtype=np.float64) for annotator, pairs in compared.items()}
    p_values = [_p_below(table[:, 1] - table[:, 0], epsilon) for table in tables.values()]
    adjusted = stats.false_discovery_control(p_values, method="by")
    return tuple(
        AgainstAnnotator(
            annotator=annotator,
            n=len(table),
            judge_advantage=float(table[:, 0].mean()),
            annotator_advantage=float(table[:, 1].mean()),
            p=p,
            won=bool(corrected <= fdr),
        )
        for (annotator, table), p, corrected in zip(tables.items(), p_values, adjusted, strict=True)
    )


def _p_below(differences: np.ndarray[tuple[int], np.dtype[np.float64]], epsilon: float) -> float:
    """One-sided t-test that the mean difference is below ``epsilon``."""
    mean, spread = float(differences.mean()), float(differences.std(ddof=1))
    if spread == 0:
        # No variation: the t statistic is infinite, and its sign decides.
        return 0.0 if mean < epsilon else 1.0
    n = len(differences)
    return float(stats.t.cdf((mean - epsilon) / (spread / math.sqrt(n)), n - 1))


def _summaries(against: Sequence[AgainstAnnotator], minimum: int) -> tuple[Estimate, Estimate]:
    unit, method = "annotator", "alternative annotator test (arXiv:2501.10970)"
    if not against:
        reason = f"no annotator shares {minimum} instances with the judge and another annotator"
        undefined = Estimate.undefined_because(reason, unit=unit, method=method)
        return undefined, undefined
    n = len(against)
    won = sum(one.won for one in against) / n
    advantage = float(np.mean([one.judge_advantage for one in against]))
    return (
        Estimate(value=won, n=n, unit=unit, method=method),
        Estimate(value=advantage, n=n, unit=unit, method=method),
    )
