"""Reverse conflicts (TRACE A.4): the cited side is right, the plain side ends at a wrong answer."""

from __future__ import annotations

from annotation.construction.bodies import QuestionItem
from annotation.construction.items import CodeItem, FinqaItem, HotpotItem
from annotation.construction.recipe import CITED, PLAIN, Made, Recipe
from annotation.construction.recipes.conflicts import check, conflict
from annotation.enums import Tier
from annotation.records import PairRecord

_MADE = Made(name="reverse_conflicts", version=1)


def make(item: QuestionItem, seed: int) -> list[PairRecord]:
    """One pair; target cited. The wrong answer is the one that ``conflicts`` shows under the same seed."""
    return [conflict(item, seed, made=_MADE, tier=Tier.REVERSE_CONFLICT, right=CITED)]


RECIPE = Recipe(
    name=_MADE.name,
    version=_MADE.version,
    roles=(PLAIN, CITED),
    tier=Tier.REVERSE_CONFLICT,
    accepts=(HotpotItem, FinqaItem, CodeItem),
    source="HotpotQA or FinQA questions, or generated program-output tasks",
    about="The cited side is right; the plain side shows the same evidence and ends at a wrong answer.",
    make=make,
    check=check,
)
