"""Equal content (CUE V-A): two paraphrases of one answer, or two independent draws of one model."""

from __future__ import annotations

from dataclasses import replace

from annotation.construction.body import Statement, plain_text
from annotation.construction.content import numbers, words
from annotation.construction.display import find_display
from annotation.construction.hotpot_text import full_body, hops_of
from annotation.construction.items import DocumentItem, DrawsItem, HotpotItem
from annotation.construction.promises import answer_promises, contains_text
from annotation.construction.recipe import Made, Recipe, Unfit, sides
from annotation.construction.recipes.mechanical import plain_body
from annotation.construction.recipes.summaries import TASK
from annotation.construction.tidy import tidy_question
from annotation.enums import TARGET_TIE, Tier
from annotation.records import PairRecord

ROLES = ("first", "second")

_MADE = Made(name="equal_content", version=1)


def make(item: HotpotItem | DocumentItem | DrawsItem, seed: int) -> list[PairRecord]:
    """One pair; target tie. Raises ``Unfit`` where there are no two different texts."""
    task, context, texts, relation = _texts(item, seed)
    if not all(text.strip() for text in texts):
        raise Unfit("one of the two texts is empty")
    if words(texts[0]) == words(texts[1]):
        raise Unfit("the two texts are the same: that is what the recipe identical is for")
    return [
        _MADE.pair(
            item,
            seed=seed,
            task=task,
            context=context,
            roles=ROLES,
            candidates=texts,
            tier=Tier.EQUIVALENCE,
            target=TARGET_TIE,
            meta={"relation": relation, "model": getattr(item, "model", "")},
        )
    ]


def _texts(item: HotpotItem | DocumentItem | DrawsItem, seed: int) -> tuple[str, str | None, tuple[str, str], str]:
    """(task, context, the two texts, how they relate)."""
    match item:
        case HotpotItem():
            first = plain_body(item, seed=seed)
            second = replace(first, statements=_other_order(item), reasoning=_other_reasoning(item, seed))
            return tidy_question(item.question), None, (plain_text(first), plain_text(second)), "paraphrases"
        case DocumentItem():
            if len(item.summaries) < 2:
                raise Unfit("only one summary is supplied")
            return TASK, item.document, (item.summaries[0], item.summaries[1]), "draws"
        case DrawsItem():
            if item.relation not in {"draws", "paraphrases"}:
                raise Unfit(f"the relation of its texts is {item.relation!r}, neither draws nor paraphrases")
            return item.task, item.context, item.texts, item.relation


def _other_order(item: HotpotItem) -> tuple[Statement, ...]:
    return tuple(statement for hop in reversed(hops_of(item)) for statement in hop.statements)


def _other_reasoning(item: HotpotItem, seed: int) -> str:
    """The reasoning in another wording: that of the next seed whose draw differs."""
    mine = full_body(item, seed=seed).reasoning
    for other in range(seed + 1, seed + 40):
        reasoning = full_body(item, seed=other).reasoning
        if reasoning != mine:
            return reasoning
    raise Unfit("its reasoning has one wording only")


def check(pair: PairRecord, item: HotpotItem | DocumentItem | DrawsItem) -> list[str]:
    """The texts differ; paraphrases say the same numbers and, where we wrote them, the same statements and answer."""
    first, second = sides(pair)
    broken: list[str] = []
    if words(first) == words(second):
        broken.append("the two sides do not differ")
    if pair.meta["relation"] == "paraphrases" and set(numbers(first)) != set(numbers(second)):
        broken.append("the paraphrases' numbers differ")
    if isinstance(item, HotpotItem):
        broken += answer_promises(pair, item, wrong=None)
        statements = [statement.text for hop in hops_of(item) for statement in hop.statements]
        if not all(contains_text(text, statement) for text in (first, second) for statement in statements):
            broken.append("a statement is on one side only")
        if find_display(first) or find_display(second):
            broken.append("a side shows citation-like display")
    return broken


RECIPE = Recipe(
    name=_MADE.name,
    version=_MADE.version,
    roles=ROLES,
    tier=Tier.EQUIVALENCE,
    accepts=(HotpotItem, DocumentItem, DrawsItem),
    source="two draws or paraphrases of one model, documents with two LLM summaries, or HotpotQA questions",
    about="Two texts that say the same: paraphrases, or independent draws of one model.",
    make=make,
    check=check,
)
