"""The alternative annotator test, against a plain second implementation and the published runs."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analysis.stats.alttest import accuracy, alt_test, neg_rmse
from tests.shared import shared_path


def simulated(seed: int, *, n: int = 80, humans: int = 5) -> tuple[dict[str, int], dict[str, dict[str, int]]]:
    """A judge and annotators who scatter round a truth of 1..5 and skip some instances."""
    generator = np.random.default_rng(seed)
    truth = generator.integers(1, 6, n)

    def scatter(spread: float) -> dict[str, int]:
        noisy = np.clip(np.rint(truth + generator.normal(0, spread, n)), 1, 5)
        return {f"i{k}": int(value) for k, value in enumerate(noisy) if generator.random() < 0.9}

    return scatter(0.6), {f"h{k}": scatter(0.5 + 0.2 * k) for k in range(humans)}


def plain(judge: dict, humans: dict, score: Any, epsilon: float) -> tuple[float, float]:
    """The definition, written out: scipy's t-test and Benjamini and Yekutieli's step-up by its thresholds."""
    instances = {i for answers in humans.values() for i in answers}
    usable = {i for i in instances if sum(i in answers for answers in humans.values()) >= 2 and i in judge}
    p_values, advantages = [], []
    for name, answers in humans.items():
        mine = [i for i in answers if i in usable]
        if len(mine) < 30:
            continue
        judge_wins, human_wins = [], []
        for i in mine:
            others = [other[i] for key, other in humans.items() if key != name and i in other]
            judge_score, human_score = score(judge[i], others), score(answers[i], others)
            judge_wins.append(judge_score >= human_score)
            human_wins.append(human_score >= judge_score)
        differences = np.array(human_wins, dtype=float) - np.array(judge_wins, dtype=float)
        p_values.append(stats.ttest_1samp(differences, epsilon, alternative="less").pvalue)
        advantages.append(np.mean(judge_wins))
    m = len(p_values)
    harmonic = sum(1 / k for k in range(1, m + 1))
    met = [k for k, p in enumerate(sorted(p_values), start=1) if p <= k / m * 0.05 / harmonic]
    return max(met, default=0) / m, float(np.mean(advantages))


@given(st.integers(0, 10_000), st.sampled_from(["accuracy", "neg_rmse"]), st.sampled_from([0.1, 0.15, 0.2]))
def test_alt_test_equals_the_definition_written_out(seed: int, scoring: str, epsilon: float) -> None:
    judge, humans = simulated(seed)
    result = alt_test(judge, humans, scoring=scoring, epsilon=epsilon)
    rate, advantage = plain(judge, humans, {"accuracy": accuracy, "neg_rmse": neg_rmse}[scoring], epsilon)
    assert result.winning_rate.value == pytest.approx(rate)
    assert result.advantage_probability.value == pytest.approx(advantage)
    assert result.passed == (rate >= 0.5)


def test_scorings_follow_their_formulas() -> None:
    assert accuracy("a", ["a", "b", "a", "c"]) == 0.5
    assert neg_rmse(3, [3, 5]) == pytest.approx(-np.sqrt(2))


def test_own_scoring_function_is_taken() -> None:
    judge, humans = simulated(3)
    own = alt_test(judge, humans, scoring=lambda answer, others: -abs(answer - float(np.mean(others))))
    assert own.winning_rate.n == len(humans)


def test_annotators_with_too_few_instances_are_named_and_instances_dropped() -> None:
    judge, humans = simulated(5)
    humans["rare"] = dict(list(humans["h0"].items())[:29])
    humans["h0"]["only one"] = 3
    result = alt_test(judge, humans)
    assert result.skipped == ("rare",)
    assert {one.annotator for one in result.annotators} == {f"h{k}" for k in range(5)}
    unjudged = {i for answers in humans.values() for i in answers} - set(judge)
    assert result.dropped_instances >= len(unjudged)


def test_missing_answers_are_not_answers() -> None:
    judge, humans = simulated(6)
    expected = alt_test(judge, humans)
    padded = {name: {**answers, "new": None} for name, answers in humans.items()}
    again = alt_test({**judge, "new": None}, padded)
    assert again.winning_rate == expected.winning_rate
    assert again.annotators == expected.annotators


def test_nobody_with_enough_instances_is_undefined_and_not_passed() -> None:
    result = alt_test({"i": "a"}, {"h": {"i": "a"}, "g": {"i": "b"}})
    assert result.winning_rate.value is None
    assert "30 instances" in result.advantage_probability.undefined
    assert not result.passed


def test_no_variation_is_decided_by_the_sign_without_a_warning() -> None:
    instances = {f"i{k}": "a" for k in range(40)}
    perfect = alt_test(instances, {"h": dict(instances), "g": dict(instances)})
    assert [one.p for one in perfect.annotators] == [0.0, 0.0]
    assert perfect.winning_rate.value == perfect.advantage_probability.value == 1
    wrong = alt_test(dict.fromkeys(instances, "b"), {"h": dict(instances), "g": dict(instances)})
    assert [one.p for one in wrong.annotators] == [1.0, 1.0]
    assert wrong.winning_rate.value == 0


def test_unknown_scoring_and_too_small_minima_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown scoring"):
        alt_test({}, {}, scoring="f1")
    with pytest.raises(ValueError, match="two annotators per instance"):
        alt_test({}, {}, min_humans_per_instance=1)


@pytest.mark.shared
@pytest.mark.parametrize(("dataset", "scoring"), [("lgbteen", "accuracy"), ("10k_prompts", "neg_rmse")])
def test_alt_test_equals_published_runs(dataset: str, scoring: str) -> None:
    reference = json.loads(shared_path("reference/alttest.json").read_text(encoding="utf-8"))[dataset]
    humans = json.loads(shared_path(f"data/alttest/{dataset}/human_annotations.json").read_text(encoding="utf-8"))
    judges = json.loads(shared_path(f"data/alttest/{dataset}/llm_annotations.json").read_text(encoding="utf-8"))
    assert reference
    for judge, by_epsilon in reference.items():
        for epsilon, expected in by_epsilon.items():
            result = alt_test(judges[judge], humans, scoring=scoring, epsilon=float(epsilon))
            found = [result.winning_rate.value, result.advantage_probability.value]
            assert found == pytest.approx(expected, abs=1e-6), (judge, epsilon)


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, "", "  "])
def test_every_spelling_of_a_missing_answer_is_left_out(missing: Any) -> None:
    judge = {number: "x" if number % 3 else "y" for number in range(40)}
    humans = {
        name: {number: "x" if (number + shift) % 4 else "y" for number in judge} for shift, name in enumerate("abc")
    }
    plain = alt_test(judge, humans)
    padded = {name: {**answers, 100: missing} for name, answers in humans.items()}
    assert alt_test({**judge, 100: "x"}, padded).annotators == plain.annotators
    unanswered = alt_test({**judge, 0: missing}, humans)
    assert {one.n for one in unanswered.annotators} == {39}
    assert unanswered.dropped_instances == 1
