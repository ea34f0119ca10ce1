"""Win scores and Bradley-Terry: published fits, a second maximiser, and what has no finite answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from analysis.stats.abilities import bradley_terry
from analysis.stats.ranking import FIRST, SECOND, TIE, rank_systems, win_scores
from analysis.stats.tie_models import TIE_CONVENTIONS, TieConvention
from tests.analysis.rebuild import figures

BASEBALL, TIES4 = figures("paired_and_ranking.json")["bradley_terry"]
LETTERS = ("A", "B", "C", "D")


def tables(cells: list[Any], systems: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    place = {system: number for number, system in enumerate(systems)}
    wins, ties = np.zeros((len(systems),) * 2), np.zeros((len(systems),) * 2)
    for one, two, *counts in cells:
        i, j = place[one], place[two]
        wins[i, j] += counts[0]
        wins[j, i] += counts[-1]
        if len(counts) == 3:
            ties[i, j] += counts[1]
            ties[j, i] += counts[1]
    return wins, ties


FOUR = tables(TIES4["pairs_i_j_win_tie_loss"], LETTERS)


@pytest.mark.parametrize("convention", TIE_CONVENTIONS)
def test_baseball_without_ties_is_the_published_fit_under_every_convention(convention: TieConvention) -> None:
    teams = tuple(BASEBALL["abilities"])
    wins, ties = tables(BASEBALL["games_home_away_homewins_awaywins"], teams)
    found = bradley_terry(wins, ties, teams, convention=convention, reference=BASEBALL["reference"])
    assert found.value == pytest.approx(list(BASEBALL["abilities"].values()), abs=1e-6)
    errors = dict(zip(teams, found.se, strict=True))
    for team, se in BASEBALL["se"].items():
        assert errors[team] == pytest.approx(se, abs=1e-6)  # printed to seven decimals by an iterative fit


def test_half_wins_and_dropped_ties_match_the_reference() -> None:
    half = bradley_terry(*FOUR, LETTERS, convention="half", reference="D")
    assert half.value == pytest.approx(list(TIES4["ties_as_half_wins"]["abilities"].values()), abs=1e-9)
    assert half.se[:3] == pytest.approx(list(TIES4["ties_as_half_wins"]["se"].values()), abs=1e-8)
    dropped = bradley_terry(*FOUR, LETTERS, convention="dropped")
    assert dropped.value == pytest.approx(list(TIES4["ties_dropped"]["abilities_centred"].values()), abs=1e-7)


def test_davidson_and_rao_kupper_match_the_reference() -> None:
    davidson = bradley_terry(*FOUR, LETTERS, convention="davidson", reference="D")
    expected = TIES4["davidson"]
    assert davidson.value == pytest.approx(list(expected["abilities"].values()), abs=2e-7)
    assert davidson.tie_parameter == pytest.approx(expected["nu"], abs=1e-7)
    assert davidson.loglik == pytest.approx(expected["loglik"], abs=1e-6)
    assert [*davidson.se[:3], davidson.se_log_tie] == pytest.approx(list(expected["se"].values()), abs=1e-6)
    rao_kupper = bradley_terry(*FOUR, LETTERS, convention="rao_kupper", reference="D")
    expected = TIES4["rao_kupper"]
    assert rao_kupper.value == pytest.approx(list(expected["abilities"].values()), abs=1e-6)
    assert rao_kupper.tie_parameter == pytest.approx(expected["theta"], abs=1e-6)
    assert rao_kupper.loglik == pytest.approx(expected["loglik"], abs=1e-6)


def test_win_scores_match_the_reference() -> None:
    assert list(win_scores(*FOUR)) == pytest.approx(list(TIES4["win_score"].values()))


def slow_loglik(x: np.ndarray, wins: np.ndarray, ties: np.ndarray, convention: str) -> float:
    """The models as their papers write them, in pi, nu and theta."""
    pi, extra = np.exp(np.append(x[:-1], 0)), np.exp(x[-1])
    total = 0.0
    for i in range(len(pi)):
        for j in range(len(pi)):
            if i == j:
                continue
            if convention == "davidson":
                below = pi[i] + pi[j] + extra * np.sqrt(pi[i] * pi[j])
                win, tie = pi[i] / below, extra * np.sqrt(pi[i] * pi[j]) / below
            else:
                theta = 1 + extra
                win = pi[i] / (pi[i] + theta * pi[j])
                tie = (theta**2 - 1) * pi[i] * pi[j] / ((pi[i] + theta * pi[j]) * (theta * pi[i] + pi[j]))
            total += wins[i, j] * np.log(win) + ties[i, j] / 2 * np.log(tie)
    return total


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(1, 20), min_size=9, max_size=9), st.sampled_from(["davidson", "rao_kupper"]))
def test_tie_models_equal_a_second_maximiser(counts: list[int], convention: TieConvention) -> None:
    cells = [("A", "B", *counts[:3]), ("A", "C", *counts[3:6]), ("B", "C", *counts[6:])]
    wins, ties = tables(cells, LETTERS[:3])
    found = bradley_terry(wins, ties, LETTERS[:3], convention=convention, reference="C")
    other = minimize(lambda x: -slow_loglik(x, wins, ties, convention), np.zeros(3), method="BFGS")
    assert found.loglik == pytest.approx(-other.fun, abs=1e-6)
    assert found.value == pytest.approx([*other.x[:2], 0], abs=2e-3)


def test_systems_never_compared_are_reported_as_not_connected() -> None:
    wins, ties = tables([("A", "B", 3, 1), ("C", "D", 2, 2)], LETTERS)
    found = bradley_terry(wins, ties, LETTERS)
    assert found.value is None
    assert found.connectivity.components == (("A", "B"), ("C", "D"))
    assert "not connected" in found.undefined


def test_a_system_that_wins_everything_is_reported_as_separated() -> None:
    wins, ties = tables([("A", "B", 5, 0), ("A", "C", 5, 0), ("B", "C", 3, 2)], LETTERS[:3])
    found = bradley_terry(wins, ties, LETTERS[:3])
    assert found.connectivity.strata == (("A",), ("B", "C"))
    assert "separated: between {A} and {B, C}" in found.undefined


def test_ties_connect_what_wins_alone_do_not() -> None:
    wins, ties = tables([("A", "B", 5, 1, 0)], ("A", "B"))
    assert bradley_terry(wins, ties, ("A", "B"), convention="dropped").value is None
    assert bradley_terry(wins, ties, ("A", "B"), convention="half").value is not None


def test_nothing_but_ties_has_no_tie_parameter() -> None:
    wins, ties = tables([("A", "B", 0, 5, 0)], ("A", "B"))
    assert "every comparison is a tie" in bradley_terry(wins, ties, ("A", "B")).undefined


def comparisons(seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 4, 600)
    second = (first + rng.integers(1, 4, 600)) % 4
    result = rng.choice([FIRST, SECOND, TIE], 600)
    return {"first": first, "second": second, "result": result, "clusters": rng.integers(0, 60, 600)}


@pytest.mark.parametrize("convention", TIE_CONVENTIONS)
def test_rank_systems_bootstraps_whole_queries(convention: TieConvention) -> None:
    found = rank_systems(**comparisons(1), systems=LETTERS, convention=convention, resamples=300)
    score, ability = found.scores["A"], found.abilities["A"]
    assert (score.n, score.unit, found.n) == (60, "query", 600)
    assert score.low < score.value < score.high
    assert ability.low < ability.value < ability.high
    spread = (ability.high - ability.low) / 4
    if convention == "half":
        assert spread < found.fit.se[0]  # half wins vary less than whole ones: that error is no true one
    else:
        assert spread == pytest.approx(found.fit.se[0], rel=0.3)


def test_rank_systems_is_the_same_whatever_the_order_and_naming_of_rows() -> None:
    rows = comparisons(2)
    order = np.random.default_rng(0).permutation(600)
    one = rank_systems(**rows, systems=LETTERS, resamples=100)
    two = rank_systems(**{name: part[order] for name, part in rows.items()}, systems=LETTERS, resamples=100)
    assert one == two
    swapped = {**rows, "first": rows["second"], "second": rows["first"]}
    swapped["result"] = np.choose(rows["result"], [SECOND, FIRST, TIE])
    assert rank_systems(**swapped, systems=LETTERS, resamples=100).scores == one.scores


def test_rank_systems_without_a_finite_fit_still_scores_and_says_why() -> None:
    found = rank_systems([0, 0, 1], [1, 2, 2], [FIRST, FIRST, FIRST], systems=LETTERS[:3], clusters=[1, 2, 3])
    assert [found.scores[s].value for s in LETTERS[:3]] == [1.0, 0.5, 0.0]
    assert found.abilities["A"].value is None
    assert "separated" in found.abilities["A"].undefined


def test_rank_systems_counts_resamples_that_have_no_fit() -> None:
    """One query alone keeps the two systems from being separated: many resamples miss it."""
    found = rank_systems([0] * 6, [1] * 6, [0, 0, 0, 0, 0, 1], systems=("A", "B"), clusters=range(6), resamples=500)
    assert found.abilities["A"].value is not None
    assert "resamples had no finite abilities" in found.abilities["A"].warning
    assert found.abilities["A"].low is None


def test_an_unknown_reference_is_refused() -> None:
    with pytest.raises(ValueError, match="none of the systems"):
        bradley_terry(*FOUR, LETTERS, reference="E")
