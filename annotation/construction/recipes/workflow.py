"""Workflow ranking (TRACE E.9): four systems answer each query; all six unordered pairs, one cluster a query."""

from __future__ import annotations

from itertools import combinations

from annotation.construction.body import answer_line, cited_text, plain_text, style_for
from annotation.construction.display import find_display, strip_display
from annotation.construction.hotpot_text import hops_of
from annotation.construction.items import HotpotItem
from annotation.construction.promises import answer_promises, contains_text
from annotation.construction.recipe import Made, Recipe, sides
from annotation.construction.recipes.mechanical import plain_body
from annotation.construction.recipes.moderate import dropped_hop, partial_cited
from annotation.construction.tidy import tidy_question
from annotation.enums import Tier
from annotation.records import PairRecord

SYSTEMS = ("answer_only", "plain_full", "cited_full", "cited_partial")

_MADE = Made(name="workflow", version=1)


def make(item: HotpotItem, seed: int) -> list[PairRecord]:
    """Six pairs, without a target: which system is better is what the ranking asks."""
    outputs = system_outputs(item, seed=seed)
    return [
        _MADE.pair(
            item,
            seed=seed,
            task=tidy_question(item.question),
            roles=(first, second),
            candidates=(outputs[first], outputs[second]),
            tier=Tier.RANKING,
            target=None,
            part=f"{first}-{second}",
            meta={"answer": item.answer},
        )
        for first, second in combinations(SYSTEMS, 2)
    ]


def system_outputs(item: HotpotItem, *, seed: int) -> dict[str, str]:
    """What each of the four systems answers. Raises ``Unfit`` where there is no hop to leave out."""
    dropped = dropped_hop(item, hops_of(item), seed=seed)
    body = plain_body(item, seed=seed)
    return {
        "answer_only": answer_line(body.answer),
        "plain_full": plain_text(body),
        "cited_full": cited_text(body, style_for(seed=seed, item_id=item.item_id)),
        "cited_partial": partial_cited(item, dropped=dropped, weakened=False, seed=seed),
    }


def check(pair: PairRecord, item: HotpotItem) -> list[str]:
    """Every system gives the item's answer and shows what its name says."""
    broken = answer_promises(pair, item, wrong=None)
    if pair.target is not None or pair.cluster != item.item_id:
        broken.append("a ranking pair has a target, or another cluster than its query")
    hops = hops_of(item)
    for role, text in zip(pair.roles, sides(pair), strict=True):
        content = strip_display(text)
        shown = sum(all(contains_text(content, part.text) for part in hop.statements) for hop in hops)
        expected = {"answer_only": 0, "cited_partial": len(hops) - 1}.get(role, len(hops))
        if shown != expected:
            broken.append(f"{role} shows {shown} hops instead of {expected}")
        if bool(find_display(text)) != role.startswith("cited"):
            broken.append(f"{role} has the wrong kind of display")
    return broken


RECIPE = Recipe(
    name=_MADE.name,
    version=_MADE.version,
    roles=SYSTEMS,
    tier=Tier.RANKING,
    accepts=(HotpotItem,),
    source="HotpotQA questions",
    about="Four answering styles over each query, in all six pairings.",
    make=make,
    check=check,
)
