"""Which pair a row of a labelling tool's export speaks of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.formats.cells import Cells
from annotation.records import Oddity

#: Under these names our own ids travel through a tool, in this order of preference.
OWN = ("pair_id", "item_id", "external_id")


def own_id(cells: Cells, *places: Any) -> str:
    """Our pair id, from the first of ``places`` (objects of the row) that carries one; '' where none does."""
    for place in places:
        if isinstance(place, Mapping):
            for name in OWN:
                if place.get(name) not in (None, ""):
                    return cells.as_text(name, place[name], count_numbers=False).strip()
    return ""


def tools_own_ids(tool: str, row: int) -> Oddity:
    """Told once a file whose rows carry the tool's ids only: they match pairs only by luck."""
    message = f"Rows carry {tool}'s own ids and no pair_id: check that they are the ids of your pairs."
    return Oddity("tool_ids", message, row)
