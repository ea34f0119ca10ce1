"""Screen terms and role numbers undo each other in every order."""

from __future__ import annotations

import pytest

from judging.sides import screen_winner, winner_number


@pytest.mark.parametrize(
    ("shown", "order", "number"),
    [
        ("A", 1, 1),
        ("B", 1, 2),
        ("A", 2, 2),
        ("B", 2, 1),
        ("A", 0, 1),
        ("B", 0, 2),
        ("Tie", 1, 0),
        ("Tie", 2, 0),
        ("", 2, None),
    ],
)
def test_winner_number_and_screen_winner_undo_each_other(shown: str, order: int, number: int | None) -> None:
    assert winner_number(shown, order=order) == number
    assert screen_winner(number, order=order) == shown
