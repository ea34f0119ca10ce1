"""Weight matrices, against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.stats.agreement import WEIGHT_NAMES, Ratings, coefficient, weight_matrix


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("identity", [0, 0, 0]),
        ("linear", [1 - 1 / 5, 1 - 4 / 5, 0]),
        ("quadratic", [1 - 1 / 25, 1 - 16 / 25, 0]),
        ("radical", [1 - np.sqrt(1 / 5), 1 - np.sqrt(4 / 5), 0]),
        ("ordinal", [1 - 1 / 3, 1 - 1 / 3, 0]),
        ("ratio", [0, 1 - (4 / 6) ** 2, 0]),
        ("bipolar", [1 - (1 / 9) / 1, 1 - (16 / (6 * 4)) / 1, 0]),
    ],
)
def test_weights_on_scores_zero_one_five(name: str, expected: list[float]) -> None:
    # Pairs (0, 1), (1, 5), (0, 5).
    matrix = weight_matrix(name, [0, 1, 5]).numbers
    assert [matrix[0, 1], matrix[1, 2], matrix[0, 2]] == pytest.approx(expected)
    assert np.array_equal(matrix, matrix.T)
    assert np.array_equal(np.diag(matrix), np.ones(3))


def test_circular_weights_bring_the_ends_of_the_scale_together() -> None:
    matrix = weight_matrix("circular", [1, 2, 3, 4]).numbers
    assert matrix[0, 3] == pytest.approx(matrix[0, 1])
    assert matrix[0, 2] == 0


def test_ordinal_weights_depend_on_the_order_only() -> None:
    by_rank = weight_matrix("ordinal", ["low", "mid", "high"]).numbers
    assert np.array_equal(weight_matrix("ordinal", [0, 1, 500]).numbers, by_rank)
    scrambled = weight_matrix("ordinal", [500, 0, 1]).numbers
    assert scrambled[0, 1] == by_rank[0, 2]


def test_weights_say_what_they_were_computed_from() -> None:
    assert weight_matrix("quadratic", [0, 1, 5]).describe() == "quadratic weights on scores 0, 1, 5"
    assert weight_matrix("linear", ["a", "b", "c"]).describe() == "linear weights on ranks in declared order"
    ratings = Ratings.from_matrix([["a", "b"], ["a", "a"]], categories=["a", "b", "c"])
    method = coefficient(ratings, "ac2", weights="linear").method
    assert "q = 3 declared categories" in method
    assert "linear weights on ranks in declared order" in method


@pytest.mark.parametrize("name", WEIGHT_NAMES)
@pytest.mark.parametrize("categories", [["only"], [7], [1, 2], [0, 1, 2, 3], ["a", "b", "c"]])
def test_named_weights_are_finite_and_within_bounds(name: str, categories: list[object]) -> None:
    matrix = weight_matrix(name, categories).numbers
    assert np.isfinite(matrix).all()
    assert matrix.min() >= 0
    assert matrix.max() == 1


@pytest.mark.parametrize(
    ("matrix", "complaint"),
    [
        ([[1, 0.5]], "2 x 2"),
        ([[1, 0.5], [0.2, 1]], "symmetric"),
        ([[0.9, 0.5], [0.5, 1]], "diagonal"),
        ([[1, 1.5], [1.5, 1]], "between 0 and 1"),
        ([[1, float("nan")], [float("nan"), 1]], "between 0 and 1"),
    ],
)
def test_unusable_custom_weights_are_refused(matrix: list[list[float]], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        weight_matrix(matrix, ["a", "b"])


def test_unknown_names_and_negative_ratio_scores_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown weights 'cubic'"):
        weight_matrix("cubic", ["a", "b"])
    with pytest.raises(ValueError, match="zero or more"):
        weight_matrix("ratio", [-1, 1])


def test_fixed_coefficients_refuse_other_weights() -> None:
    ratings = Ratings.from_matrix([["a", "b"], ["a", "a"]], categories=["a", "b"])
    for name in ("pabak", "ac1", "alpha_nominal", "alpha_ordinal"):
        with pytest.raises(ValueError, match="weights of its own"):
            coefficient(ratings, name, weights="linear")
    with pytest.raises(ValueError, match="metric of Krippendorff's alpha"):
        coefficient(ratings, "fleiss_kappa", weights="krippendorff_ordinal")
    with pytest.raises(ValueError, match="unknown coefficient"):
        coefficient(ratings, "gamma")
