"""Hypothesis strategies for ratings."""

from __future__ import annotations

from hypothesis import strategies as st

CATEGORIES = ("a", "b", "c", "d")
Matrix = list[list[str | None]]


@st.composite
def matrices(draw: st.DrawFn, *, min_raters: int = 2, max_raters: int = 4, missing: bool = True) -> Matrix:
    """Raters x items over CATEGORIES, with missing cells."""
    n_raters = draw(st.integers(min_raters, max_raters))
    n_items = draw(st.integers(1, 12))
    cell = st.sampled_from([*CATEGORIES, None] if missing else CATEGORIES)
    row = st.lists(cell, min_size=n_items, max_size=n_items)
    return draw(st.lists(row, min_size=n_raters, max_size=n_raters))
