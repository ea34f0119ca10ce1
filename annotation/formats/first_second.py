"""The two roles and three categories of foreign pair sets, in which every annotator must use the same words.

Naming the roles by the systems that wrote the texts would give each pair its own categories, and no agreement
coefficient could be computed over the set; the systems ride along in ``meta["models"]`` instead.
"""

from __future__ import annotations

from annotation.formats.cells import Cells

FIRST = "first"
SECOND = "second"
TIE = "Tie"
ROLES = (FIRST, SECOND)

#: Said of ties that stand for two contradicting verdicts, one an order: kept as ties, and told.
INCONSISTENT_TIE = "tie (inconsistent)"

_SWAPPED = {FIRST: SECOND, SECOND: FIRST, TIE: TIE}


def swapped(category: str) -> str:
    """The same category after the two candidates have changed places."""
    return _SWAPPED[category]


def read_category(cells: Cells, field: str, value: str, known: dict[str, str]) -> str | None:
    """The category ``value`` stands for; None after refusing one that ``known`` (lower case) does not list."""
    category = known.get(value.strip().lower())
    if category is None:
        cells.refuse(field, f"{value!r} is no known label.", f"Known are {', '.join(known)}.")
    return category


def by_sign(number: float) -> str:
    """A signed preference as a category: below zero the first, above zero the second, zero a tie."""
    if number == 0:
        return TIE
    return FIRST if number < 0 else SECOND
