"""Graded moderate (TRACE A.5): the answer is locked, the cited side lacks one necessary hop."""

from __future__ import annotations

from annotation.construction.body import cited_text, plain_text, style_for
from annotation.construction.display import find_display, strip_display
from annotation.construction.hotpot_text import Hop, answering_hops, full_body, hops_of, is_polar, partial_body
from annotation.construction.items import HotpotItem
from annotation.construction.promises import answer_promises, contains_text
from annotation.construction.recipe import CITED, PLAIN, Made, Recipe, Unfit, sides
from annotation.construction.recipes.mechanical import plain_body
from annotation.construction.seeding import rng_for
from annotation.construction.tidy import tidy_question
from annotation.enums import Tier
from annotation.records import PairRecord

_MADE = Made(name="moderate", version=1)


def make(item: HotpotItem, seed: int) -> list[PairRecord]:
    """One pair; target plain. Half of the items lose their hop outright, half keep a vague sentence in its place."""
    hops = hops_of(item)
    dropped = dropped_hop(item, hops, seed=seed)
    weakened = rng_for(seed, "weaken", item.item_id).random() < 0.5
    plain = plain_text(plain_body(item, seed=seed))
    return [
        _MADE.pair(
            item,
            seed=seed,
            task=tidy_question(item.question),
            candidates=(plain, partial_cited(item, dropped=dropped, weakened=weakened, seed=seed)),
            tier=Tier.MODERATE,
            target=PLAIN,
            artifact_kind="full_citation",
            artifact_role=CITED,
            meta={
                "answer": item.answer,
                "omission": "weakened" if weakened else "dropped",
                "omitted_hop": hops[dropped].title,
            },
        )
    ]


def partial_cited(item: HotpotItem, *, dropped: int, weakened: bool, seed: int) -> str:
    """The cited text without one hop."""
    body = partial_body(item, dropped=dropped, weakened=weakened, seed=seed)
    return cited_text(body, style_for(seed=seed, item_id=item.item_id))


def dropped_hop(item: HotpotItem, hops: tuple[Hop, ...], *, seed: int) -> int:
    """Which hop goes: one that does not hold the answer, so that the main evidence stays. Raises ``Unfit``.

    Where every hop or none holds it (comparisons, yes and no), the seed decides.
    """
    if len(hops) < 2:
        raise Unfit("its supporting facts are all of one paragraph: there is no hop to leave out")
    answering = () if is_polar(item.answer) else answering_hops(item, hops)
    free = [number for number in range(len(hops)) if number not in answering]
    if not answering or not free:
        free = list(range(len(hops)))
    return rng_for(seed, "hop", item.item_id).choice(free)


def check(pair: PairRecord, item: HotpotItem) -> list[str]:
    """The answer is locked, the plain side has every hop, the cited side all but exactly one."""
    plain, cited = sides(pair)
    broken = answer_promises(pair, item, wrong=None)
    if find_display(plain) or not find_display(cited):
        broken.append("the display is not on the cited side alone")
    hops = hops_of(item)
    here = [all(contains_text(plain, statement.text) for statement in hop.statements) for hop in hops]
    if not all(here):
        broken.append("the plain side lacks a hop")
    content = strip_display(cited)
    there = [any(contains_text(cited, statement.text) for statement in hop.statements) for hop in hops]
    whole = [all(contains_text(content, statement.text) for statement in hop.statements) for hop in hops]
    if there != whole or there.count(False) != 1:
        broken.append(f"the cited side lacks {there.count(False)} hops instead of one")
    missing = [hop for hop, kept in zip(hops, there, strict=True) if not kept]
    kept = " ".join(f"{hop.name} {hop.text()}" for hop, kept in zip(hops, there, strict=True) if kept)
    for hop in missing:
        if (
            contains_text(content, hop.name)
            and not contains_text(kept, hop.name)
            and not contains_text(item.answer, hop.name)
        ):
            broken.append(f"the cited side's reasoning still names {hop.name}")
    if full_body(item, seed=int(pair.meta["seed"])).reasoning in content:
        broken.append("the cited side keeps the whole reasoning")
    return broken


RECIPE = Recipe(
    name=_MADE.name,
    version=_MADE.version,
    roles=(PLAIN, CITED),
    tier=Tier.MODERATE,
    accepts=(HotpotItem,),
    source="HotpotQA questions",
    about="The same answer; the cited side drops or weakens one necessary hop.",
    make=make,
    check=check,
)
