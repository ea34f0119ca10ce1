"""How explanations move when a cue is shown and the verdict stays (CUE, IV-C): LAI, drift, stereotype intrusion.

The embedder is passed in: these scores are relative diagnostics under one scorer, whose name belongs beside them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.stats.anchoring import Embedder, Lexicon
from analysis.stats.estimate import Estimate

FloatArray = NDArray[np.float64]

#: Two cosines closer than this are one: rounding must not decide which label an explanation leans to.
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """``mean`` is the average of (1 - cos) / 2 over same-decision rows; ``over_tau`` the share above ``tau``."""

    mean: Estimate
    over_tau: Estimate
    tau: float
    scorer: str


def explanation_drift(probe: Sequence[str], blind: Sequence[str], *, embedder: Embedder, tau: float) -> Drift:
    """Drift between aligned explanations of same-decision rows. An empty set is undefined ("n/a" in the paper).

    Rows where either explanation is empty, or has a zero vector, are left out. Raises ValueError unless 0 <= tau < 1.
    """
    if not 0 <= tau < 1:
        raise ValueError("tau lies in [0, 1)")
    rows = _spoken(probe, blind)
    distances = _distances([probe[r] for r in rows], [blind[r] for r in rows], embedder)
    method = f"(1 - cos)/2, {embedder.name}"
    return Drift(
        mean=_mean(distances, method),
        over_tau=_mean((distances > tau).astype(np.float64), f"{method}, share above {tau}"),
        tau=tau,
        scorer=embedder.name,
    )


def label_alignment(
    explanations: Sequence[str], favoured: Sequence[str], opposite: Sequence[str], *, embedder: Embedder
) -> Estimate:
    """LAI over same-decision rows: 1 where an explanation is nearer the favoured label's descriptor, 0 where nearer
    the opposite one's, 1/2 where neither. The three sequences are aligned, (rows,)."""
    rows = _spoken(explanations, explanations)
    if not rows:
        return _mean(np.empty(0), f"LAI, {embedder.name}")
    said, towards, away = (
        _unit_vectors([texts[r] for r in rows], embedder) for texts in (explanations, favoured, opposite)
    )
    lead = (said * towards).sum(axis=1) - (said * away).sum(axis=1)
    score = np.where(np.abs(lead) <= _EQUAL, 0.5, lead > 0)
    return _mean(score[_has_direction(said)], f"LAI, {embedder.name}")


def stereotype_intrusion(explanations: Sequence[str], lexicon: Lexicon) -> Estimate:
    """Share of explanations that use any term of a declared lexicon, whole words, case ignored.

    CUE names stereotype intrusion without a formula: this rate is our reading, and its method says so.
    """
    method = f"share with a term of {lexicon.name} {lexicon.version} (no formula in the paper)"
    if not lexicon.terms:
        return Estimate.undefined_because("the lexicon is empty", unit="explanation", method=method)
    terms = "|".join(re.escape(term) for term in sorted(lexicon.terms, key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)(?:{terms})(?!\w)", re.IGNORECASE)
    spoken = [text for text in explanations if text.strip()]
    hits = np.array([pattern.search(text) is not None for text in spoken], dtype=np.float64)
    return _mean(hits, method, unit="explanation")


def _spoken(one: Sequence[str], two: Sequence[str]) -> list[int]:
    if len(one) != len(two):
        raise ValueError(f"aligned explanations are needed, not {len(one)} and {len(two)}")
    return [row for row, (a, b) in enumerate(zip(one, two, strict=True)) if a.strip() and b.strip()]


def _distances(one: list[str], two: list[str], embedder: Embedder) -> FloatArray:
    if not one:
        return np.empty(0)
    a, b = _unit_vectors(one, embedder), _unit_vectors(two, embedder)
    cosine = np.clip((a * b).sum(axis=1), -1.0, 1.0)
    distance: FloatArray = ((1 - cosine) / 2)[_has_direction(a) & _has_direction(b)]
    return distance


def _unit_vectors(texts: list[str], embedder: Embedder) -> FloatArray:
    """Each distinct text is embedded once; a zero vector stays zero."""
    distinct = sorted(set(texts))
    vectors = np.asarray(embedder(distinct), dtype=np.float64)
    if vectors.ndim != 2 or len(vectors) != len(distinct):
        raise ValueError(f"the embedder gave {vectors.shape} for {len(distinct)} texts")
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(length > 0, length, 1.0)
    place = {text: row for row, text in enumerate(distinct)}
    return np.asarray(unit[[place[text] for text in texts]])


def _has_direction(vectors: FloatArray) -> NDArray[np.bool_]:
    return np.asarray((vectors != 0).any(axis=1))


def _mean(values: FloatArray, method: str, *, unit: str = "row") -> Estimate:
    if values.size == 0:
        reason = "n/a: no explanation to score" if unit == "explanation" else "n/a: no same-decision row to score"
        return Estimate.undefined_because(reason, unit=unit, method=method)
    return Estimate(value=float(values.mean()), n=int(values.size), unit=unit, method=method)
