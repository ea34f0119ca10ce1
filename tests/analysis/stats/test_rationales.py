"""Explanation metrics with a toy embedder whose geometry is known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from analysis.stats.anchoring import Lexicon
from analysis.stats.rationales import explanation_drift, label_alignment, stereotype_intrusion


class Letters:
    """Counts of a, b and c: texts that share letters point the same way."""

    name = "letters"

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        self.calls += 1
        return np.array([[text.count(letter) for letter in "abc"] for text in texts], dtype=float)


def test_drift_is_0_for_one_direction_and_half_for_right_angles() -> None:
    found = explanation_drift(["aa", "b"], ["a", "c"], embedder=Letters(), tau=0.2)
    assert found.mean.value == pytest.approx(0.25)
    assert found.over_tau.value == 0.5
    assert (found.mean.n, found.tau, found.scorer) == (2, 0.2, "letters")
    assert "letters" in found.mean.method


def test_drift_counts_only_what_exceeds_tau() -> None:
    assert explanation_drift(["b"], ["c"], embedder=Letters(), tau=0.5).over_tau.value == 0.0
    with pytest.raises(ValueError, match="tau"):
        explanation_drift(["b"], ["c"], embedder=Letters(), tau=1.0)


def test_drift_of_no_same_decision_row_is_not_applicable() -> None:
    for texts in ([], ["  "]):
        found = explanation_drift(texts, texts, embedder=Letters(), tau=0.2)
        assert found.mean.undefined == "n/a: no same-decision row to score"


def test_drift_leaves_out_texts_without_a_direction() -> None:
    found = explanation_drift(["xyz", "a"], ["a", "a"], embedder=Letters(), tau=0.2)
    assert (found.mean.value, found.mean.n) == (pytest.approx(0), 1)


def test_alignment_is_1_0_or_a_half() -> None:
    found = label_alignment(["aab", "abb", "ab"], ["a"] * 3, ["b"] * 3, embedder=Letters())
    assert (found.value, found.n) == (pytest.approx(0.5), 3)
    assert label_alignment(["aab"], ["a"], ["b"], embedder=Letters()).value == 1.0
    assert label_alignment(["c"], ["a"], ["b"], embedder=Letters()).value == 0.5
    assert label_alignment([], [], [], embedder=Letters()).value is None


def test_each_distinct_text_is_embedded_once_a_column() -> None:
    embedder = Letters()
    label_alignment(["ab"] * 100, ["a"] * 100, ["b"] * 100, embedder=embedder)
    assert embedder.calls == 3


def test_stereotype_intrusion_finds_whole_words_only() -> None:
    lexicon = Lexicon("labels", "1", ("human-written", "machine"))
    texts = ["A MACHINE wrote it.", "machinery", "clearly human-written", "neither", ""]
    found = stereotype_intrusion(texts, lexicon)
    assert (found.value, found.n) == (0.5, 4)
    assert "no formula in the paper" in found.method
    assert stereotype_intrusion(texts, Lexicon("none", "1", ())).value is None


def test_unaligned_explanations_and_a_broken_embedder_are_refused() -> None:
    with pytest.raises(ValueError, match="aligned"):
        explanation_drift(["a"], [], embedder=Letters(), tau=0.2)

    class Broken(Letters):
        def __call__(self, texts: Sequence[str]) -> np.ndarray:
            return np.ones(3)

    with pytest.raises(ValueError, match="embedder gave"):
        explanation_drift(["a"], ["b"], embedder=Broken(), tau=0.2)
