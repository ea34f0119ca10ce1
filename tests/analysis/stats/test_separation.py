"""Where Bradley-Terry fits are finite: against a linear programme over the likelihood's directions, and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from analysis.stats.abilities import bradley_terry
from analysis.stats.ranking import FIRST, TIE, rank_systems
from analysis.stats.separation import connectivity, strongly_connected, ties_bounded
from analysis.stats.tie_models import TieConvention

TIE_MODEL_NAMES: tuple[TieConvention, ...] = ("davidson", "rao_kupper")


def direction_exists(wins: np.ndarray, ties: np.ndarray) -> bool:
    """Whether abilities and tie parameter can move together without lowering any observed result's likelihood: along
    a win the gap grows by at least t, along a tie by at most t."""
    size = len(wins)
    rows = []
    for i in range(size):
        for j in range(size):
            gap = np.zeros(size + 1)
            gap[i], gap[j], gap[size] = -1, 1, 1
            if wins[i, j] > 0:
                rows.append(gap)
            if ties[i, j] > 0:
                rows.append(np.append(-gap[:size], -1))
    result = linprog(np.zeros(size + 1), np.array(rows), np.zeros(len(rows)), bounds=[(None, None)] * size + [(1, 1)])
    return bool(result.status == 0)


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    size = draw(st.integers(2, 5))
    cells = st.lists(st.sampled_from([0, 0, 1, 3]), min_size=size * size, max_size=size * size)
    wins = np.array(draw(cells), dtype=float).reshape(size, size)
    upper = np.triu(np.array(draw(cells), dtype=float).reshape(size, size), 1)
    np.fill_diagonal(wins, 0)
    return wins, upper + upper.T


@settings(max_examples=60, deadline=None)
@given(tournaments())
def test_ties_are_bounded_exactly_where_no_direction_runs_off(tables: tuple[np.ndarray, np.ndarray]) -> None:
    wins, ties = tables
    if not ties.any() or not strongly_connected((wins + ties)[None])[0]:
        return
    assert ties_bounded(wins[None], ties[None])[0] != direction_exists(wins, ties)
    for convention in TIE_MODEL_NAMES:
        found = bradley_terry(wins, ties, [str(n) for n in range(len(wins))], convention=convention)
        assert (found.value is None) == direction_exists(wins, ties)
        if found.se is not None:
            assert max(found.se) < 100


@pytest.mark.parametrize("convention", TIE_MODEL_NAMES)
def test_wins_and_ties_without_a_single_loss_have_no_finite_fit_in_a_tie_model(convention: TieConvention) -> None:
    """Five wins, three ties, no loss: the likelihood rises towards "B never wins" and has no maximum."""
    wins, ties = np.array([[0, 5], [0, 0]]), np.array([[0, 3], [3, 0]])
    found = bradley_terry(wins, ties, ("A", "B"), convention=convention)
    assert found.value is None
    assert "tie parameter grow together" in str(found.undefined)
    half = bradley_terry(wins, ties, ("A", "B"), convention="half")
    assert half.value is not None
    assert half.value[0] - half.value[1] == pytest.approx(np.log(6.5 / 1.5))


def test_one_loss_makes_the_same_table_finite_with_the_saturated_fit() -> None:
    """Two systems, three outcomes, two parameters: Davidson's fit gives the observed shares back."""
    found = bradley_terry(np.array([[0, 5], [1, 0]]), np.array([[0, 3], [3, 0]]), ("A", "B"))
    assert found.value is not None
    root = np.exp((found.value[0] - found.value[1]) / 2)
    total = root + 1 / root + found.tie_parameter
    assert [root / total, found.tie_parameter / total] == pytest.approx([5 / 9, 3 / 9], abs=1e-8)


def test_resamples_whose_ties_run_off_are_counted_and_not_used() -> None:
    found = rank_systems(
        [0] * 6, [1] * 6, [FIRST, FIRST, FIRST, TIE, TIE, 1], systems=("A", "B"), clusters=range(6), resamples=400
    )
    ability = found.abilities["A"]
    assert ability.value is not None
    assert abs(ability.value) < 5
    assert "resamples had no finite abilities" in str(ability.warning)


def test_one_system_alone_and_no_comparison_at_all_say_so() -> None:
    assert "one system alone" in str(bradley_terry([[0]], [[0]], ("A",)).undefined)
    found = rank_systems([], [], [], systems=("A", "B"), clusters=[])
    assert found.scores["A"].undefined == "the system was never compared"
    assert "not connected" in str(found.abilities["A"].undefined)


def test_connectivity_names_groups_in_order() -> None:
    found = connectivity(np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]]), ("z", "a", "m"))
    assert found.components == (("a", "z"), ("m",))


@pytest.mark.parametrize(
    ("wins", "ties", "words"),
    [
        ([[0, -1], [1, 0]], [[0, 0], [0, 0]], "zero or more"),
        ([[0, float("nan")], [1, 0]], [[0, 0], [0, 0]], "zero or more"),
        ([[1, 1], [1, 0]], [[0, 0], [0, 0]], "no system meets itself"),
        ([[0, 1], [1, 0]], [[0, 1], [0, 0]], "symmetric"),
        ([[0, 1, 1], [1, 0, 1]], [[0, 0], [0, 0]], "2 x 2"),
    ],
)
def test_tables_that_are_no_counts_are_refused(wins: list[list[float]], ties: list[list[float]], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        bradley_terry(wins, ties, ("A", "B"))


@pytest.mark.parametrize(
    ("first", "second", "result", "clusters", "words"),
    [
        ([0], [0], [0], [1], "two different systems"),
        ([0], [2], [0], [1], "two different systems"),
        ([0], [1], [3], [1], "a result is"),
        ([0, 1], [1], [0], [1], "aligned"),
        ([0], [1], [0], [None], "needs a cluster"),
        ([0], [1], [0], [], "needs a cluster"),
    ],
)
def test_comparisons_that_name_nothing_are_refused(
    first: list[int], second: list[int], result: list[int], clusters: list[int], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        rank_systems(first, second, result, systems=("A", "B"), clusters=clusters)
