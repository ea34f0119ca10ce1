"""Reading ratings: every input kind, every label type, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis.stats.agreement import Ratings, UndeclaredLabelError, agreement_report


def same(first: Ratings, second: Ratings) -> None:
    assert agreement_report(first) == agreement_report(second)


LABELS = [[1, 2, 2, None, 4], [1, 2, 3, 4, 4], [None, 2, 2, 4, 1]]


def test_matrix_is_read_alike_from_lists_arrays_and_frames() -> None:
    expected = Ratings.from_matrix(LABELS, categories=[1, 2, 3, 4])
    floats = np.array(LABELS, dtype=float)
    for matrix in (floats, floats.astype(np.float32), np.array(LABELS, dtype=object), pd.DataFrame(floats)):
        same(Ratings.from_matrix(matrix, categories=[1, 2, 3, 4]), expected)
    frame = pd.DataFrame([["x", "y", None], ["x", "x", "y"]])
    same(
        Ratings.from_matrix(frame, categories=["x", "y"]),
        Ratings.from_matrix([["x", "y", None], ["x", "x", "y"]], categories=["x", "y"]),
    )


def test_numeric_arrays_are_read_alike_whatever_the_categories_look_like() -> None:
    codes = np.array(LABELS, dtype=float)
    for scores in ([1, 2, 3, 4], [0.5, 1.5, 2.5, 9.25], [-3, 0, 7, 100_000], [4, 1, 3, 2], [2, 4, 6, 8]):
        matrix = np.full(codes.shape, np.nan)
        for position, score in enumerate(scores, start=1):
            matrix[codes == position] = score
        fast = Ratings.from_matrix(matrix, categories=scores)
        slow = Ratings.from_matrix(matrix.astype(object), categories=scores)
        same(fast, slow)
        assert fast.n_items == 5


@pytest.mark.parametrize("wrong", [0, 5, 2.5, -1, 1e12, float("inf")])
@pytest.mark.parametrize("categories", [[1, 2, 3, 4], [1, 2, 4], [1.5, 2, 1], ["1", "2"]])
def test_undeclared_number_is_named_not_absorbed(wrong: float, categories: list[object]) -> None:
    matrix = np.array([[1, np.nan, wrong], [1, 2, np.nan]])
    with pytest.raises(UndeclaredLabelError) as caught:
        Ratings.from_matrix(matrix, categories=categories)
    expected = 1.0 if isinstance(categories[0], str) else wrong
    assert caught.value.label == expected


def test_undeclared_word_is_named_with_the_declared_ones() -> None:
    with pytest.raises(UndeclaredLabelError, match=r"'c' is not one of the declared categories: 'a', 'b'"):
        Ratings.from_matrix([["a", "c"], ["b", "b"]], categories=["a", "b"])


def test_text_digits_are_not_numbers() -> None:
    with pytest.raises(UndeclaredLabelError):
        Ratings.from_matrix([["1", "2"], ["1", "2"]], categories=[1, 2])


def test_booleans_are_not_the_numbers_one_and_zero() -> None:
    with pytest.raises(UndeclaredLabelError):
        Ratings.from_matrix([[True, False], [True, True]], categories=[0, 1])
    assert Ratings.from_matrix([[True, False], [True, True]], categories=[False, True]).n_items == 2


def test_ragged_input_is_refused() -> None:
    with pytest.raises(ValueError, match="one cell per item"):
        Ratings.from_matrix([["a", "b"], ["a"]], categories=["a", "b"])
    with pytest.raises(ValueError, match="two dimensions"):
        Ratings.from_matrix(np.array([1.0, 2.0]), categories=[1, 2])


def test_category_declared_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="declared twice"):
        Ratings.from_matrix([["a"], ["a"]], categories=["a", "a"])


def test_tables_and_counts_must_be_whole_numbers_of_the_right_shape() -> None:
    with pytest.raises(ValueError, match="square"):
        Ratings.from_table([[1, 2, 3], [4, 5, 6]])
    with pytest.raises(ValueError, match="2 categories are declared but the input has 3"):
        Ratings.from_counts([[1, 1, 0]], categories=["a", "b"])
    for cells in ([[1, -1], [0, 1]], [[0.5, 1], [1, 1]], [[float("nan"), 1], [1, 1]]):
        with pytest.raises(ValueError, match="whole numbers"):
            Ratings.from_table(cells)


def test_table_and_matrix_of_two_raters_give_the_same_values() -> None:
    table = [[5, 2, 0], [1, 7, 1], [0, 0, 4]]
    first = [row for row in range(3) for column in range(3) for _ in range(table[row][column])]
    second = [column for row in range(3) for column in range(3) for _ in range(table[row][column])]
    by_table = agreement_report(Ratings.from_table(table, categories=[0, 1, 2]))
    by_items = agreement_report([first, second], categories=[0, 1, 2])
    for name, estimate in by_table.items():
        assert estimate.value == pytest.approx(by_items[name].value, abs=1e-12), name
        # The table's large-sample divisor is n where the items' is n - 1.
        assert estimate.se == pytest.approx(by_items[name].se * np.sqrt(19 / 20), abs=1e-12), name


def test_counts_and_matrix_give_the_same_values_where_raters_do_not_matter() -> None:
    by_items = agreement_report(LABELS, categories=[1, 2, 3, 4])
    counts = [[sum(row[item] == k for row in LABELS) for k in (1, 2, 3, 4)] for item in range(5)]
    by_counts = agreement_report(Ratings.from_counts(counts, categories=[1, 2, 3, 4]))
    for name in ("raw", "pabak", "brennan_prediger", "ac1", "ac2", "fleiss_kappa", "alpha_nominal", "alpha_ordinal"):
        assert by_counts[name].value == pytest.approx(by_items[name].value, abs=1e-12), name
        assert by_counts[name].se == pytest.approx(by_items[name].se, abs=1e-12), name


def test_many_raters_and_categories_fall_back_to_sorting_patterns() -> None:
    generator = np.random.default_rng(5)
    matrix = generator.integers(0, 30, size=(25, 300)).astype(float)
    matrix[generator.random(matrix.shape) < 0.3] = np.nan
    ratings = Ratings.from_matrix(matrix, categories=range(30))
    assert ratings.times.sum() == 300
    counts = [[int((matrix[:, item] == k).sum()) for k in range(30)] for item in range(300)]
    by_counts = Ratings.from_counts(counts, categories=range(30))
    assert agreement_report(ratings)["ac2"].value == pytest.approx(agreement_report(by_counts)["ac2"].value)


def test_repeated_patterns_are_kept_once_on_both_roads() -> None:
    for n_raters in (2, 12):
        block = [["a", "b", "a"]] * (n_raters - 1) + [["b", "b", "a"]]
        ratings = Ratings.from_matrix([row * 50 for row in block], categories=["a", "b", "c"])
        assert sorted(ratings.times) == [50, 50, 50]
        assert ratings.codes.shape == (3, n_raters)
