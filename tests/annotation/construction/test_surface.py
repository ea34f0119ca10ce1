"""The surface check: it finds a trace where there is one, none where there is none, and never splits a cluster."""

from __future__ import annotations

import random

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from annotation.construction import surface
from annotation.construction.surface import surface_check, tampered_role
from annotation.records import PairRecord


def pair(
    number: int, texts: tuple[str | None, str | None], *, target: str | None = "plain", cluster: str = ""
) -> PairRecord:
    return PairRecord(
        pair_id=f"p{number}", task="t", roles=("plain", "cited"), candidates=texts, target=target, cluster=cluster,
        artifact_role="cited",
    )  # fmt: skip


def noise(count: int, *, longer: bool) -> list[PairRecord]:
    rng = random.Random(4)
    made = []
    for number in range(count):
        texts = [" ".join(rng.choices(["mill", "wheel", "town,", "river."], k=rng.randrange(8, 20))) for _ in range(2)]
        if longer:
            texts[1] += " and more, and more, and more, and more, and more, and more"
        made.append(pair(number, (texts[0], texts[1])))
    return made


def test_a_longer_tampered_side_is_told() -> None:
    report = surface_check(noise(80, longer=True), seed=1)
    assert report.accuracy.value is not None
    assert report.accuracy.value > 0.9
    assert report.p is not None
    assert report.p < 0.02
    assert report.alone["words"] > 0.9
    assert report.accuracy.unit == "cluster"


def test_where_there_is_no_trace_chance_is_within_reach() -> None:
    report = surface_check(noise(120, longer=False), seed=1)
    assert report.accuracy.value is not None
    assert report.accuracy.low is not None
    assert report.chance_high is not None
    assert report.accuracy.low < 0.5 < report.chance_high
    assert report.p is not None
    assert report.p > 0.05


def test_identical_sides_score_one_half() -> None:
    report = surface_check([pair(number, ("a b", "a b")) for number in range(10)], seed=1)
    assert (report.accuracy.value, report.auc.value) == (0.5, 0.5)


def test_a_trace_inside_one_cluster_does_not_count() -> None:
    """Pairs that repeat one cluster's quirk cannot vouch for each other."""
    rng = random.Random(0)
    made = []
    for cluster in range(12):
        sign = rng.random() < 0.5
        for number in range(10):
            texts = ("a " * 10, "a " * 30) if sign else ("a " * 30, "a " * 10)
            made.append(pair(10 * cluster + number, texts, cluster=f"c{cluster}"))
    report = surface_check(made, seed=1, features=["words"])
    assert report.n_clusters == 12
    assert report.chance_high is not None
    assert report.chance_high >= 0.6


def test_the_display_can_be_taken_out_first() -> None:
    plain = "The mill closed in 1932."
    made = [pair(number, (plain, plain + "\n\nSources:\n[1] Chronicle")) for number in range(30)]
    assert surface_check(made, seed=1).accuracy.value == 1.0
    assert surface_check(made, seed=1, without_display=True).accuracy.value == 0.5


def test_too_few_clusters_give_a_reason_not_a_number() -> None:
    report = surface_check(noise(3, longer=True), seed=1)
    assert report.accuracy.value is None
    assert "too few" in (report.accuracy.undefined or "")
    assert "not possible" in report.sentence()


def test_pairs_without_text_or_tampered_side_are_counted() -> None:
    bare = PairRecord(pair_id="b", task="t", roles=("a", "b"), candidates=("x", "y"))
    report = surface_check([*noise(20, longer=True), pair(99, (None, "x")), bare], seed=1)
    assert (report.n_pairs, report.skipped) == (20, 2)


def test_the_same_seed_gives_the_same_report() -> None:
    assert surface_check(noise(30, longer=True), seed=5) == surface_check(noise(30, longer=True), seed=5)


def test_the_tampered_role_is_against_the_target_else_the_artifacts() -> None:
    assert tampered_role(pair(1, ("a", "b"), target="plain")) == "cited"
    assert tampered_role(pair(1, ("a", "b"), target="cited")) == "plain"
    assert tampered_role(pair(1, ("a", "b"), target="tie")) == "cited"


def test_weights_are_those_of_an_independent_fit() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(0.4, 1.0, size=(60, 3))
    both, labels = np.vstack([rows, -rows]), np.array([1] * 60 + [0] * 60)
    # doubling the rows doubles the likelihood: C=1 there is a penalty of 1/2 a row here, hence C=0.5 for a penalty of 1
    other = LogisticRegression(C=0.5, fit_intercept=False, tol=1e-10, max_iter=1000).fit(both, labels)
    assert surface._fit(rows) == pytest.approx(other.coef_[0], abs=1e-5)
