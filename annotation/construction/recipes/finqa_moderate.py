"""FinQA moderate (TRACE A.5): same number, same evidence; the cited side leaves out one step of the arithmetic."""

from __future__ import annotations

from annotation.construction.body import cited_text, plain_text, style_for
from annotation.construction.content import numbers
from annotation.construction.display import find_display, strip_display
from annotation.construction.finqa_chain import omissible_steps, shown_number
from annotation.construction.finqa_text import full_body, task_of
from annotation.construction.items import FinqaItem
from annotation.construction.program import run_program
from annotation.construction.promises import answer_promises
from annotation.construction.recipe import CITED, PLAIN, Made, Recipe, Unfit, sides
from annotation.construction.recipes.mechanical import plain_body
from annotation.construction.seeding import rng_for
from annotation.construction.sentences import split_sentences
from annotation.enums import Tier
from annotation.records import PairRecord

_MADE = Made(name="finqa_moderate", version=1)


def make(item: FinqaItem, seed: int) -> list[PairRecord]:
    """One pair; target plain. Raises ``Unfit`` where the program has no denominator, base or conversion."""
    steps = omissible_steps(item.program.steps)
    if not steps:
        raise Unfit("its program has no denominator, base or conversion step to leave out")
    omitted = rng_for(seed, "omit", item.item_id).choice(steps)
    body = plain_body(item, seed=seed)
    gapped = full_body(item, hidden=frozenset({omitted}))
    step = item.program.steps[omitted]
    return [
        _MADE.pair(
            item,
            seed=seed,
            task=task_of(item),
            candidates=(plain_text(body), cited_text(gapped, style_for(seed=seed, item_id=item.item_id))),
            tier=Tier.MODERATE,
            target=PLAIN,
            artifact_kind="full_citation",
            artifact_role=CITED,
            meta={
                "answer": body.answer,
                "omission": "step",
                "omitted_step": omitted,
                "omitted_operation": f"{step.operation}({', '.join(step.arguments)})",
            },
        )
    ]


def check(pair: PairRecord, item: FinqaItem) -> list[str]:
    """Answer and evidence are locked; exactly one step of the arithmetic is missing, and its result with it."""
    plain, cited = sides(pair)
    content = strip_display(cited)
    broken = answer_promises(pair, item, wrong=None)
    if find_display(plain) or not find_display(cited):
        broken.append("the display is not on the cited side alone")
    first, second = plain.split("\n\n"), content.split("\n\n")
    if len(first) != 3 or len(second) != 3 or first[0] != second[0]:
        broken.append("the evidence differs")
        return broken
    omitted = int(pair.meta["omitted_step"])
    if omitted not in omissible_steps(item.program.steps):
        broken.append("the omitted step brings in no denominator, base or conversion")
    if len(split_sentences(first[1])) != len(item.program.steps):
        broken.append("the plain side does not show every step")
    gives = "gives", "is greater", "is not greater", ", is "
    shown = sum(any(word in sentence for word in gives) for sentence in split_sentences(second[1]))
    if shown != len(item.program.steps) - 1:
        broken.append(f"the cited side shows {shown} of {len(item.program.steps)} steps")
    broken += _leaks(item, omitted, second[1])
    return broken


def _leaks(item: FinqaItem, omitted: int, reasoning: str) -> list[str]:
    """Whether the reasoning still shows what only the omitted step could tell."""
    results = run_program(item.program, item.table)
    elsewhere = " ".join(
        [*(argument for step in item.program.steps for argument in step.arguments)]
        + [shown_number(result) for number, result in enumerate(results) if number != omitted]
    )
    result = shown_number(results[omitted])
    last = omitted == len(results) - 1
    if not last and numbers(reasoning)[result] and not numbers(elsewhere)[result]:
        return [f"the cited side still shows {result}, the result of the omitted step"]
    return []


RECIPE = Recipe(
    name=_MADE.name,
    version=_MADE.version,
    roles=(PLAIN, CITED),
    tier=Tier.MODERATE,
    accepts=(FinqaItem,),
    source="FinQA questions",
    about="The same number and evidence; the cited side leaves out one denominator, base or conversion step.",
    make=make,
    check=check,
)
