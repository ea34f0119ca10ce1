"""Natural citation-looking pairs (TRACE A.2): systems' own outputs whose answers match and whose display differs."""

from __future__ import annotations

from itertools import combinations

from annotation.construction.answers import answers_match, final_answer
from annotation.construction.content import overlap
from annotation.construction.display import display_amount, display_kinds, strip_display
from annotation.construction.items import OutputItem
from annotation.construction.recipe import CITED, PLAIN, Made, Recipe, Unfit, sides
from annotation.enums import TARGET_TIE, Tier
from annotation.records import PairRecord

#: An output of no more words is its own answer.
_SHORT = 12

_MADE = Made(name="natural", version=1)


def make(item: OutputItem, seed: int) -> list[PairRecord]:
    """A pair for every two systems that agree and differ in display; target tie. Raises ``Unfit`` where none do."""
    found: list[PairRecord] = []
    reasons: list[str] = []
    for one, other in combinations(sorted(item.outputs), 2):
        reason = why_unfit(item.outputs[one], item.outputs[other])
        if reason:
            reasons.append(f"{one} and {other}: {reason}")
            continue
        more = display_amount(item.outputs[one]) > display_amount(item.outputs[other])
        plain, cited = (other, one) if more else (one, other)
        found.append(_pair(item, plain, cited, seed))
    if not found:
        raise Unfit("; ".join(reasons) or "it has fewer than two outputs")
    return found


def _pair(item: OutputItem, plain: str, cited: str, seed: int) -> PairRecord:
    texts = item.outputs[plain], item.outputs[cited]
    return _MADE.pair(
        item,
        seed=seed,
        task=item.task,
        context=item.context,
        candidates=texts,
        tier=Tier.NATURAL,
        target=TARGET_TIE,
        part=f"{plain}-{cited}",
        artifact_kind="natural",
        artifact_role=CITED,
        meta={
            "systems": {PLAIN: plain, CITED: cited},
            "display": {PLAIN: _kinds(texts[0]), CITED: _kinds(texts[1])},
            "content_overlap": round(overlap(strip_display(texts[0]), strip_display(texts[1])), 3),
        },
    )


def _kinds(text: str) -> list[str]:
    return sorted(kind.value for kind in display_kinds(text))


def stated_answer(text: str) -> str | None:
    """The answer an output declares; a short output is its own answer."""
    content = strip_display(text).strip()
    declared = final_answer(content)
    if declared is not None:
        return declared
    return content.rstrip(".") if content and len(content.split()) <= _SHORT else None


def why_unfit(one: str, other: str) -> str:
    """Why two outputs make no natural pair; '' where they make one."""
    answers = stated_answer(one), stated_answer(other)
    if answers[0] is None or answers[1] is None:
        return "an output declares no final answer"
    if not answers_match(answers[0], answers[1]):
        return f"their answers differ ({answers[0]!r}, {answers[1]!r})"
    if display_amount(one) == display_amount(other):
        return "they do not differ in citation-like display"
    return ""


def check(pair: PairRecord, item: OutputItem) -> list[str]:
    """The texts are the systems' own, their answers match, and the cited side shows more display."""
    plain, cited = sides(pair)
    broken: list[str] = []
    systems = pair.meta["systems"]
    if (item.outputs[systems[PLAIN]], item.outputs[systems[CITED]]) != (plain, cited):
        broken.append("a text was changed")
    reason = why_unfit(plain, cited)
    if reason:
        broken.append(reason)
    if display_amount(cited) <= display_amount(plain):
        broken.append("the cited side shows no more display than the plain one")
    return broken


RECIPE = Recipe(
    name=_MADE.name,
    version=_MADE.version,
    roles=(PLAIN, CITED),
    tier=Tier.NATURAL,
    accepts=(OutputItem,),
    source="what several systems answered to the same queries",
    about="Two systems' own outputs with matching answers and differing citation-like display.",
    make=make,
    check=check,
)
