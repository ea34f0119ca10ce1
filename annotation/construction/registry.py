"""The recipes there are, in the order pages list them. A new recipe is one file, one card and one line here."""

from __future__ import annotations

from annotation.construction.recipe import Recipe
from annotation.construction.recipes import (
    ablations,
    conflicts,
    equal_content,
    finqa_moderate,
    identical,
    mechanical,
    moderate,
    natural,
    relabel,
    reverse_conflicts,
    soft,
    summaries,
    workflow,
)
from annotation.errors import Refused

RECIPES: tuple[Recipe, ...] = (
    mechanical.RECIPE,
    ablations.RECIPE,
    conflicts.RECIPE,
    reverse_conflicts.RECIPE,
    moderate.RECIPE,
    finqa_moderate.RECIPE,
    soft.RECIPE,
    natural.RECIPE,
    identical.RECIPE,
    equal_content.RECIPE,
    relabel.RECIPE,
    workflow.RECIPE,
    summaries.RECIPE,
)


def recipe_named(name: str) -> Recipe:
    """The recipe of that name; raises ``Refused`` listing those there are."""
    for recipe in RECIPES:
        if recipe.name == name.replace("-", "_"):
            return recipe
    raise Refused(f"There is no recipe {name!r}. There are: {', '.join(recipe.name for recipe in RECIPES)}.")
