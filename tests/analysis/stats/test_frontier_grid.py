"""The grid of verdicts and the counts on it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats import frontier_grid
from analysis.stats.frontier_counts import TARGET_FIRST, TARGET_SECOND, Tally, count_cells
from analysis.stats.frontier_grid import (
    ABSENT,
    FIRST,
    REFUSED,
    SECOND,
    TIE,
    build_grid,
    first_repeats,
    repeat_disagreement,
)

cells = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(0, 2), st.integers(0, 5)),
    max_size=60, unique_by=lambda row: row[:3],
)  # fmt: skip


def arrays(rows: list[tuple[int, ...]]) -> dict[str, np.ndarray]:
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    return {
        "cell": table[:, 0], "pair": table[:, 1], "order": table[:, 2].astype(np.int8),
        "code": table[:, 3].astype(np.int8),
    }  # fmt: skip


@given(cells)
def test_every_row_is_found_again_where_it_was_put(rows: list[tuple[int, ...]]) -> None:
    placed = build_grid(**arrays(rows), n_cells=4, n_pairs=6)
    grid = placed.grid
    for (cell, pair, order, code), slot in zip(rows, placed.slot, strict=True):
        assert (grid.cell[slot], grid.pair[slot], grid.codes[order, slot]) == (cell, pair, code)
        assert grid.by_pair(np.array([cell]))[order, pair] == code
    assert np.count_nonzero(grid.codes != ABSENT) == len(rows)


@given(cells)
def test_sparse_and_dense_layout_are_one(rows: list[tuple[int, ...]]) -> None:
    dense = build_grid(**arrays(rows), n_cells=4, n_pairs=6)
    before = frontier_grid._DENSE_FLOOR, frontier_grid._DENSE_SHARE
    frontier_grid._DENSE_FLOOR = frontier_grid._DENSE_SHARE = 0
    try:
        sparse = build_grid(**arrays(rows), n_cells=4, n_pairs=6)
    finally:
        frontier_grid._DENSE_FLOOR, frontier_grid._DENSE_SHARE = before
    assert np.array_equal(dense.grid.codes, sparse.grid.codes)
    assert np.array_equal(dense.slot, sparse.slot)


def test_two_rows_in_one_place_are_refused() -> None:
    with pytest.raises(ValueError, match="share one"):
        build_grid(**arrays([(0, 0, 0, 1), (0, 0, 0, 2)]), n_cells=1, n_pairs=1)


@given(cells)
def test_counts_add_up_to_the_rows_whatever_the_cells(rows: list[tuple[int, ...]]) -> None:
    grid = build_grid(**arrays(rows), n_cells=4, n_pairs=6).grid
    cluster = np.array([0, 0, 1, 1, 2, 2])
    counts = count_cells(grid, cluster, first_cell=0, last_cell=3, n_clusters=3)
    tally = counts.tally([0, 1, 2, 3], [TARGET_FIRST, TARGET_SECOND, TARGET_FIRST, TARGET_FIRST])
    for order in range(3):
        for code in range(6):
            for k in range(3):
                expected = sum(r[2:] == (order, code) and cluster[r[1]] == k for r in rows)
                assert tally.outcomes[order, code, k] == expected
    wins = sum(r[3] == (SECOND if r[0] == 1 else FIRST) for r in rows)
    assert tally.target[:, 0].sum() == wins
    assert tally.target[:, 2].sum() == sum(r[3] == TIE for r in rows)


def test_matrix_counts_pairs_decided_in_both_orders() -> None:
    rows = [(0, 0, 0, FIRST), (0, 0, 1, SECOND), (0, 1, 0, TIE), (0, 1, 1, TIE), (0, 2, 0, FIRST), (0, 2, 1, REFUSED)]
    grid = build_grid(**arrays(rows), n_cells=1, n_pairs=3).grid
    tally = count_cells(grid, np.arange(3), first_cell=0, last_cell=0, n_clusters=3).tally([0], [TARGET_FIRST])
    assert tally.matrix.sum() == 2
    assert tally.matrix[FIRST, SECOND, 0] == tally.matrix[TIE, TIE, 1] == 1


def test_columns_keep_what_the_metrics_need() -> None:
    rng = np.random.default_rng(0)
    tally = Tally(*(rng.integers(0, 9, shape).astype(float) for shape in ((3, 6, 4), (3, 3, 4), (3, 3, 4))))
    back = Tally.from_columns(tally.columns())
    assert np.array_equal(back.outcomes[:, :3], tally.outcomes[:, :3])
    assert np.array_equal(back.target, tally.target)
    assert np.array_equal(back.matrix.sum(axis=(0, 1)), tally.matrix.sum(axis=(0, 1)))
    assert np.array_equal(back.matrix[FIRST, SECOND], tally.matrix[FIRST, SECOND])


def test_first_repeats_are_the_lowest_of_each_key() -> None:
    key, repeat = np.array([1, 1, 2, 2, 3]), np.array([2, 1, 0, 5, 7])
    assert first_repeats(key, repeat).tolist() == [False, True, True, False, True]
    assert first_repeats(key, np.zeros(5, dtype=int)).all()


def test_repeat_disagreement_is_the_share_of_differing_couples() -> None:
    key = np.array([1, 1, 1, 2, 2, 3, 4, 4])
    code = np.array([FIRST, FIRST, TIE, SECOND, SECOND, FIRST, TIE, REFUSED], dtype=np.int8)
    keys, shares, couples = repeat_disagreement(key, code)
    assert keys.tolist() == [1, 2]
    assert shares.tolist() == [pytest.approx(2 / 3), 0.0]
    assert couples.tolist() == [3, 1]
