"""Mechanical equivalence (TRACE A.1): one content, once plain and once with citation-like display."""

from __future__ import annotations

from annotation.construction.bodies import QuestionItem, full_body, task_of
from annotation.construction.body import DISPLAY_WORDS, Body, cited_text, plain_text, style_for
from annotation.construction.content import words
from annotation.construction.display import find_display, strip_display
from annotation.construction.items import CodeItem, FinqaItem, HotpotItem
from annotation.construction.promises import added_content, answer_promises
from annotation.construction.recipe import CITED, Made, Recipe, Unfit, sides
from annotation.enums import TARGET_TIE, Tier
from annotation.records import PairRecord

_MADE = Made(name="mechanical", version=1)


def make(item: QuestionItem, seed: int) -> list[PairRecord]:
    """One pair; target tie."""
    body = plain_body(item, seed=seed)
    cited = cited_text(body, style_for(seed=seed, item_id=item.item_id))
    return [
        _MADE.pair(
            item,
            seed=seed,
            task=task_of(item),
            candidates=(plain_text(body), cited),
            tier=Tier.EQUIVALENCE,
            target=TARGET_TIE,
            artifact_kind="full_citation",
            artifact_role=CITED,
            meta={"answer": body.answer},
        )
    ]


def plain_body(item: QuestionItem, *, seed: int) -> Body:
    """The item's full body. Raises ``Unfit`` where its plain text would look cited already."""
    body = full_body(item, seed=seed)
    shown = find_display(plain_text(body))
    if shown:
        raise Unfit(f"its own text already shows citation-like display: {shown[0].text[:60]!r}")
    return body


def check(pair: PairRecord, item: QuestionItem) -> list[str]:
    """Nothing task-relevant was added: same words, numbers, names and answer; the plain text can be got back."""
    plain, cited = sides(pair)
    broken = answer_promises(pair, item, wrong=None)
    if find_display(plain):
        broken.append("the plain side shows citation-like display")
    if not find_display(cited):
        broken.append("the cited side shows no citation-like display")
    if strip_display(cited) != plain:
        broken.append("the plain text cannot be recovered from the cited one")
    broken += added_content(plain, cited)
    unknown = sorted(set(words(cited)) - set(words(plain)) - DISPLAY_WORDS - _labels(item))
    unknown = [word for word in unknown if not word.removeprefix("s").isdigit()]
    if unknown:
        broken.append(f"the cited side has words of its own: {', '.join(unknown[:5])}")
    return broken


def _labels(item: QuestionItem) -> frozenset[str]:
    """What the sources of a set without titles are called."""
    return frozenset() if isinstance(item, HotpotItem) else frozenset({"report", "table", "text", "program", "step"})


RECIPE = Recipe(
    name=_MADE.name,
    version=_MADE.version,
    roles=("plain", "cited"),
    tier=Tier.EQUIVALENCE,
    accepts=(HotpotItem, FinqaItem, CodeItem),
    source="HotpotQA or FinQA questions, or generated program-output tasks",
    about="The same answer, evidence and reasoning, plain and with citation-like display around them.",
    make=make,
    check=check,
)
