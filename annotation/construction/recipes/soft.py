"""Graded soft (TRACE A.5): same answer, same evidence; the cited side's reasoning is more generic."""

from __future__ import annotations

from dataclasses import replace

from annotation.construction.body import cited_text, plain_text, style_for
from annotation.construction.display import find_display, strip_display
from annotation.construction.hotpot_text import generic_body, hops_of
from annotation.construction.items import HotpotItem
from annotation.construction.promises import answer_promises, contains_text
from annotation.construction.recipe import CITED, PLAIN, Made, Recipe, sides
from annotation.construction.recipes.mechanical import plain_body
from annotation.construction.tidy import tidy_question
from annotation.enums import TARGET_BOUNDARY, Tier
from annotation.records import PairRecord

_MADE = Made(name="soft", version=1)


def make(item: HotpotItem, seed: int) -> list[PairRecord]:
    """One pair; target boundary."""
    body = plain_body(item, seed=seed)
    generic = replace(body, reasoning=generic_body(item, seed=seed).reasoning)
    return [
        _MADE.pair(
            item,
            seed=seed,
            task=tidy_question(item.question),
            candidates=(plain_text(body), cited_text(generic, style_for(seed=seed, item_id=item.item_id))),
            tier=Tier.SOFT,
            target=TARGET_BOUNDARY,
            artifact_kind="full_citation",
            artifact_role=CITED,
            meta={"answer": item.answer},
        )
    ]


def check(pair: PairRecord, item: HotpotItem) -> list[str]:
    """Answer and evidence are the same on both sides; the cited side's reasoning names none of the sources."""
    plain, cited = sides(pair)
    content = strip_display(cited)
    broken = answer_promises(pair, item, wrong=None)
    if find_display(plain) or not find_display(cited):
        broken.append("the display is not on the cited side alone")
    first, second = plain.split("\n\n"), content.split("\n\n")
    if len(first) != 3 or len(second) != 3 or first[0] != second[0]:
        broken.append("the evidence differs")
        return broken
    names = [hop.name for hop in hops_of(item)]
    if not all(contains_text(first[1], name) for name in names):
        broken.append("the plain side's reasoning does not name its sources")
    if any(contains_text(second[1], name) for name in names) or contains_text(second[1], item.answer):
        broken.append("the cited side's reasoning is not generic")
    return broken


RECIPE = Recipe(
    name=_MADE.name,
    version=_MADE.version,
    roles=(PLAIN, CITED),
    tier=Tier.SOFT,
    accepts=(HotpotItem,),
    source="HotpotQA questions",
    about="The same answer and evidence; the cited side's reasoning is more generic.",
    make=make,
    check=check,
)
