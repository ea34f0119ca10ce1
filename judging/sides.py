"""Screen terms and role numbers: the one place in judging where A and B become roles and back. Pure.

A verdict's winner is stored as a role number (1 or 2, 0 for a tie), an order as the number of the role shown as A; 0
is both orders combined, where A stands for role 1.
"""

from __future__ import annotations


def winner_number(shown: str, *, order: int) -> int | None:
    """A, B or Tie as shown in ``order``, as a role number; None for '' (nothing was decided)."""
    if not shown:
        return None
    if shown == "Tie":
        return 0
    first = order or 1
    return first if shown == "A" else 3 - first


def screen_winner(winner: int | None, *, order: int) -> str:
    """The inverse of ``winner_number``: A, B, Tie, or '' for None."""
    if winner is None:
        return ""
    if winner == 0:
        return "Tie"
    return "A" if winner == (order or 1) else "B"
