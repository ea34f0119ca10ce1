"""Summaries (CUE V-A, table IX): a supplied LLM summary against extractive ones, one pair a method."""

from __future__ import annotations

from annotation.construction.extractive import METHODS, extractive_summary
from annotation.construction.items import DocumentItem
from annotation.construction.recipe import Made, Recipe, Unfit, sides
from annotation.construction.sentences import split_sentences
from annotation.enums import Tier
from annotation.records import PairRecord

ROLES = ("llm", "extractive")
TASK = "Summarise the document."

_MADE = Made(name="summaries", version=1)


def make(item: DocumentItem, seed: int) -> list[PairRecord]:
    """Four pairs without a target, the extractive side as many sentences long as the LLM's. Raises ``Unfit``."""
    if not item.summaries or not item.summaries[0].strip():
        raise Unfit("no LLM summary is supplied")
    llm = item.summaries[0].strip()
    length = len(split_sentences(llm))
    if len(split_sentences(item.document)) <= length:
        raise Unfit("the document is no longer than its summary")
    return [
        _MADE.pair(
            item,
            seed=seed,
            task=TASK,
            context=item.document,
            roles=ROLES,
            candidates=(llm, extractive_summary(item.document, method, sentences=length)),
            tier=Tier.PREFERENCE,
            target=None,
            part=method,
            artifact_kind=method,
            artifact_role="extractive",
            meta={"method": method, "llm": item.model},
        )
        for method in METHODS
    ]


def check(pair: PairRecord, item: DocumentItem) -> list[str]:
    """The extractive side is made of the document's own sentences, in order, as many as the LLM's."""
    llm, extractive = sides(pair)
    document = split_sentences(item.document)
    broken: list[str] = []
    if llm != item.summaries[0].strip():
        broken.append("the LLM summary was changed")
    at = 0
    count = 0
    for sentence in document[:]:
        if extractive[at:].lstrip().startswith(sentence):
            at = extractive.index(sentence, at) + len(sentence)
            count += 1
    if extractive[at:].strip():
        broken.append("the extractive summary has words that are not the document's sentences")
    if count != len(split_sentences(llm)):
        broken.append(f"the extractive summary has {count} sentences, the other {len(split_sentences(llm))}")
    return broken


RECIPE = Recipe(
    name=_MADE.name,
    version=_MADE.version,
    roles=ROLES,
    tier=Tier.PREFERENCE,
    accepts=(DocumentItem,),
    source="documents with LLM summaries",
    about="A supplied LLM summary against TextRank, LexRank, KL-Sum and SumBasic.",
    make=make,
    check=check,
)
