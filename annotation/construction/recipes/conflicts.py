"""Correctness conflicts (TRACE A.4): the plain side is right, the cited side ends at a wrong answer."""

from __future__ import annotations

import re

from annotation.construction.answers import answers_match, final_answer, normalise
from annotation.construction.bodies import QuestionItem, task_of
from annotation.construction.body import cited_text, plain_text, style_for
from annotation.construction.display import find_display, strip_display
from annotation.construction.gazetteer import gazetteer
from annotation.construction.hotpot_text import is_polar
from annotation.construction.items import CodeItem, FinqaItem, HotpotItem
from annotation.construction.kinds import bare_name
from annotation.construction.perturb import wrong_answer
from annotation.construction.promises import answer_promises
from annotation.construction.quantities import is_date, is_number
from annotation.construction.recipe import CITED, PLAIN, Made, Recipe, sides
from annotation.construction.recipes.mechanical import plain_body
from annotation.enums import Tier
from annotation.records import PairRecord

_MADE = Made(name="conflicts", version=1)

_NUMBER_WORD = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|\w+teen|eleven|twelve|twenty)\b", re.IGNORECASE
)


def make(item: QuestionItem, seed: int) -> list[PairRecord]:
    """One pair; target plain."""
    return [conflict(item, seed, made=_MADE, tier=Tier.CONFLICT, right=PLAIN)]


def conflict(item: QuestionItem, seed: int, *, made: Made, tier: Tier, right: str) -> PairRecord:
    """A pair whose role ``right`` has the item's answer and whose other role has a wrong one. Raises ``Unfit``."""
    body = plain_body(item, seed=seed)
    wrong = wrong_answer(item, seed=seed)
    style = style_for(seed=seed, item_id=item.item_id)
    plain, cited = (body, wrong.body) if right == PLAIN else (wrong.body, body)
    return made.pair(
        item,
        seed=seed,
        task=task_of(item),
        candidates=(plain_text(plain), cited_text(cited, style)),
        tier=tier,
        target=right,
        artifact_kind="full_citation",
        artifact_role=CITED,
        meta={
            "answer": body.answer,
            "wrong_answer": wrong.answer,
            "perturbation": wrong.perturbation.value,
            "answer_kind": wrong.kind,
        },
    )


def check(pair: PairRecord, item: QuestionItem) -> list[str]:
    """One side is right, the other differs in truth and is of the same kind; the evidence is the same on both."""
    plain, cited = sides(pair)
    content = strip_display(cited)
    wrong_role = CITED if pair.target == PLAIN else PLAIN
    broken = answer_promises(pair, item, wrong=wrong_role)
    if find_display(plain) or not find_display(cited):
        broken.append("the display is not on the cited side alone")
    if plain.split("\n\n")[0] != content.split("\n\n")[0]:
        broken.append("the evidence differs")
    right = final_answer(plain if pair.target == PLAIN else content)
    wrong = final_answer(content if pair.target == PLAIN else plain)
    if right is not None and wrong is not None:
        broken += _not_alike(right, wrong, item)
    return broken


def _not_alike(right: str, wrong: str, item: QuestionItem) -> list[str]:
    """What keeps two answers from being really different and of one kind."""
    broken: list[str] = []
    if normalise(right) == normalise(wrong) or answers_match(right, wrong):
        broken.append("the two answers do not really differ")
    if is_polar(right) != is_polar(wrong):
        broken.append("only one of the two answers is yes or no")
    match item:
        case CodeItem():
            if _output_kind(right) != _output_kind(wrong):
                broken.append(f"the outputs {right!r} and {wrong!r} are of different types")
        case FinqaItem():
            if _shape(right) != _shape(wrong) and not is_polar(right):
                broken.append(f"the answers are written differently: {right!r}, {wrong!r}")
        case HotpotItem() if is_date(right) or is_number(right):
            if is_date(right) != is_date(wrong) or _shape(right) != _shape(wrong):
                broken.append(f"the answers are written differently: {right!r}, {wrong!r}")
        case HotpotItem() if not is_polar(right):
            broken += _not_alike_names(right, wrong, item)
    return broken


def _output_kind(output: str) -> str:
    """List, truth value, number, numbers or word."""
    if output.startswith("["):
        return "list"
    if output in {"True", "False"}:
        return "truth value"
    return re.sub(r"-?\d+", "0", output) if output[-1:].isdigit() else "word"


def _shape(answer: str) -> str:
    """The answer with its digits and number words blotted out; the number of decimals stays."""
    shape = re.sub(r"\.(\d+)", lambda match: "." + "d" * len(match.group(1)), answer.lower())
    return _NUMBER_WORD.sub("0", re.sub(r"[-+]?\d[\d,]*", "0", shape))


def _not_alike_names(right: str, wrong: str, item: HotpotItem) -> list[str]:
    broken: list[str] = []
    lists = gazetteer()
    context = normalise(" ".join(f"{one.title} {' '.join(one.sentences)}" for one in item.paragraphs))
    parts = wrong.split(", ")
    parts = parts if all(lists.list_of(part) for part in parts) else [wrong]
    if not all(f" {normalise(bare_name(part))} " in f" {context} " for part in parts) and (
        f" {normalise(_exchanged(right, wrong))} " not in f" {context} "
    ):
        broken.append(f"the wrong answer {wrong!r} is not from the item's context")
    # a word may be on two lists ("New York"): one that has both is enough
    both = {bare_name(right), bare_name(wrong)}
    if lists.list_of(bare_name(right)) and not any(both <= set(members) for members in lists.closed.values()):
        broken.append(f"{right!r} is on a list that {wrong!r} is not on")
    if lists.may_both_hold(bare_name(right), bare_name(wrong)):
        broken.append(f"{right!r} and {wrong!r} may both be true")
    return broken


def _exchanged(right: str, wrong: str) -> str:
    """The words of the wrong answer that stand between what it shares with the right one at either end."""
    mine, theirs = right.split(), wrong.split()
    while mine and theirs and mine[0] == theirs[0]:
        mine, theirs = mine[1:], theirs[1:]
    while mine and theirs and mine[-1] == theirs[-1]:
        mine, theirs = mine[:-1], theirs[:-1]
    return " ".join(theirs) or wrong


RECIPE = Recipe(
    name=_MADE.name,
    version=_MADE.version,
    roles=(PLAIN, CITED),
    tier=Tier.CONFLICT,
    accepts=(HotpotItem, FinqaItem, CodeItem),
    source="HotpotQA or FinQA questions, or generated program-output tasks",
    about="The plain side is right; the cited side shows the same evidence and ends at a wrong answer.",
    make=make,
    check=check,
)
