"""Turns a right answer into a wrong one of the same kind, by a declared perturbation (TRACE A.4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from annotation.construction.answers import normalise
from annotation.construction.bodies import QuestionItem
from annotation.construction.body import Body
from annotation.construction.code_text import full_body as code_body
from annotation.construction.content import numbers
from annotation.construction.distractors import distractors, embedded_swap, other_title
from annotation.construction.finqa_answer import answer_format, answer_text
from annotation.construction.finqa_chain import chain_of
from annotation.construction.finqa_text import evidence_of
from annotation.construction.hotpot_text import chain_reasoning, full_body, hops_of, is_polar
from annotation.construction.items import CodeItem, FinqaItem, HotpotItem
from annotation.construction.kinds import kind_of
from annotation.construction.quantities import change_number, is_date, is_number, shift_date
from annotation.construction.recipe import Unfit
from annotation.construction.seeding import rng_for


class Perturbation(StrEnum):
    YES_NO_FLIP = "yes_no_flip"
    DISTRACTOR_ENTITY = "distractor_entity"
    NUMBER_CHANGE = "number_change"
    DATE_SHIFT = "date_shift"
    OUTPUT_SLIP = "output_slip"


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """The wrong answer, how it came about, of what kind both answers are, and the body that argues for it."""

    answer: str
    perturbation: Perturbation
    kind: str
    body: Body


def wrong_answer(item: QuestionItem, *, seed: int) -> WrongAnswer:
    """A wrong answer of the right one's kind. Raises ``Unfit`` where the item offers none."""
    match item:
        case HotpotItem():
            return _hotpot(item, seed=seed)
        case FinqaItem():
            return _finqa(item, seed=seed)
        case CodeItem():
            return _code(item, seed=seed)


def _hotpot(item: HotpotItem, *, seed: int) -> WrongAnswer:
    answer, perturbation, kind = _hotpot_answer(item, seed=seed)
    right = full_body(item, seed=seed)
    reasoning = chain_reasoning(item, hops_of(item), answer, seed=seed)
    return WrongAnswer(answer, perturbation, kind, Body(right.statements, reasoning, answer))


def _hotpot_answer(item: HotpotItem, *, seed: int) -> tuple[str, Perturbation, str]:
    rng = rng_for(seed, "perturb", item.item_id)
    if is_polar(item.answer):
        return ("no" if normalise(item.answer) == "yes" else "yes"), Perturbation.YES_NO_FLIP, "polar"
    evidence = " ".join(hop.text() for hop in hops_of(item))
    if is_date(item.answer):
        shifted = shift_date(item.answer, rng, avoid=evidence)
        if shifted is not None:
            return shifted, Perturbation.DATE_SHIFT, "date"
    elif is_number(item.answer):
        changed = change_number(item.answer, rng, avoid=evidence)
        if changed is not None:
            return changed, Perturbation.NUMBER_CHANGE, "number"
    else:
        other = other_title(item)
        if other is not None:
            return other, Perturbation.DISTRACTOR_ENTITY, "choice"
        found = distractors(item, rng)
        if found:
            return found[0], Perturbation.DISTRACTOR_ENTITY, kind_of(item.answer, item)
        swapped = embedded_swap(item, rng)
        if swapped is not None:
            return swapped, Perturbation.DISTRACTOR_ENTITY, "embedded name"
    raise Unfit(f"its context offers no wrong answer of the same kind as {item.answer!r}")


def _finqa(item: FinqaItem, *, seed: int) -> WrongAnswer:
    """The last step goes wrong: its result and the answer move together, everything before stays."""
    rng = rng_for(seed, "perturb", item.item_id)
    chain = chain_of(item)
    form = answer_format(item)
    if form is None or isinstance(item.result, str):
        answer = "no" if item.result == "yes" else "yes"
        results = (*chain.results[:-1], answer)
        body = Body(evidence_of(item), chain.with_results(results).words(answer, None), answer)
        return WrongAnswer(answer, Perturbation.YES_NO_FLIP, "polar", body)
    right = answer_text(item)
    taken = {number.lstrip("-") for number in numbers(" ".join(statement.text for statement in evidence_of(item)))}
    for _ in range(200):
        value = _moved(item.result, form.decimals, form.factor, rng.choice((-1, 1)) * rng.uniform(0.08, 0.4))
        answer = form.write(value)
        if (
            answer != right
            and not {answer.strip("$-"), answer.strip("$%-")} & taken
            and (value > 0) == (item.result > 0)
        ):
            words = chain.with_results((*chain.results[:-1], value)).words(answer, form)
            return WrongAnswer(answer, Perturbation.NUMBER_CHANGE, "number", Body(evidence_of(item), words, answer))
    raise Unfit("no other number of the answer's size and form can be told from it")


def _moved(value: float, decimals: int, factor: int, share: float) -> float:
    """``value`` moved by a share of itself, by two units of its last shown place at least; exact results stay exact."""
    if value == 0:
        return 3 * 10.0**-decimals / factor
    step = max(abs(value) * abs(share), 2 * 10.0**-decimals / factor)
    moved = value + step if share > 0 else value - step
    exact = abs(value * factor - round(value * factor, decimals)) < 1e-9 * max(1.0, abs(value * factor))
    return round(moved * factor, decimals - _round_zeros(value)) / factor if exact else moved


def _round_zeros(value: float) -> int:
    """How many zeros a round figure ends in, from three on: 35000000 is in millions, and so is its slip."""
    digits = str(round(value)) if value == round(value) else ""
    zeros = len(digits) - len(digits.rstrip("0"))
    return zeros if zeros >= 3 else 0


def _code(item: CodeItem, *, seed: int) -> WrongAnswer:
    answer = rng_for(seed, "perturb", item.item_id).choice(item.slips)
    flipped = item.output in {"True", "False"}
    perturbation = Perturbation.YES_NO_FLIP if flipped else Perturbation.OUTPUT_SLIP
    if item.output.lstrip("-").isdigit():
        perturbation = Perturbation.NUMBER_CHANGE
    return WrongAnswer(f"`{answer}`", perturbation, "output", code_body(item, output=answer))
