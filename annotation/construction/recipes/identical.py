"""Identical (TRACE E.8, CUE A-I): one text on both sides. Whatever is not a tie is position, or the label."""

from __future__ import annotations

from annotation.construction.bodies import QuestionItem, task_of
from annotation.construction.body import plain_text
from annotation.construction.display import find_display
from annotation.construction.items import CodeItem, DocumentItem, FinqaItem, HotpotItem
from annotation.construction.recipe import Made, Recipe, Unfit
from annotation.construction.recipes.mechanical import plain_body
from annotation.construction.recipes.summaries import TASK
from annotation.enums import TARGET_TIE, Tier
from annotation.records import PairRecord

ROLES = ("first", "second")

_MADE = Made(name="identical", version=1)


def make(item: QuestionItem | DocumentItem, seed: int) -> list[PairRecord]:
    """One pair; target tie. Questions give their plain candidate, documents their first LLM summary."""
    if isinstance(item, DocumentItem):
        if not item.summaries or not item.summaries[0].strip():
            raise Unfit("no LLM summary is supplied")
        task, context, text = TASK, item.document, item.summaries[0].strip()
    else:
        task, context, text = task_of(item), None, plain_text(plain_body(item, seed=seed))
    return [
        _MADE.pair(
            item,
            seed=seed,
            task=task,
            context=context,
            roles=ROLES,
            candidates=(text, text),
            tier=Tier.IDENTICAL,
            target=TARGET_TIE,
        )
    ]


def check(pair: PairRecord, item: QuestionItem | DocumentItem) -> list[str]:
    """The two sides are the same text, code point by code point; a question's shows no display."""
    broken: list[str] = []
    first, second = pair.candidates
    if first != second or not first:
        broken.append("the two sides are not one text")
    if first and not isinstance(item, DocumentItem) and find_display(first):
        broken.append("the text shows citation-like display")
    return broken


RECIPE = Recipe(
    name=_MADE.name,
    version=_MADE.version,
    roles=ROLES,
    tier=Tier.IDENTICAL,
    accepts=(HotpotItem, FinqaItem, CodeItem, DocumentItem),
    source="questions of any set, or documents with LLM summaries",
    about="The same text on both sides: the position control.",
    make=make,
    check=check,
)
