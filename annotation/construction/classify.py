"""Proposes tier and target for any pair, with the evidence; people confirm or reject the proposal in a round.

Three looks, as in TRACE's figure 1: do the final answers match, does citation-like display differ, how much of one
side's support does the other side carry. Form and wording are all it sees: it never knows what is true.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from annotation.construction.answers import answer_number, answers_match, final_answer, normalise
from annotation.construction.arithmetic import arithmetic_holds
from annotation.construction.content import numbers, words
from annotation.construction.display import display_amount, strip_display
from annotation.construction.sentences import split_sentences
from annotation.enums import TARGET_BOUNDARY, TARGET_TIE, Tier
from annotation.records import PairRecord

#: A sentence is carried by a text that has this share of its words.
_CARRIED = 0.8
#: An output of no more words is its own answer.
_SHORT = 12
_NAME = re.compile(r"(?<=[\w,;] )[A-Z\u00c0-\u00de][\w'\u2019-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What the classifier proposes. ``target`` None with a role tier: people must say which side is right.

    ``evidence`` is one sentence a finding; the numbers stand beside it: display lines a side, the share of each side's
    sentences that the other carries, and how many numbers and names only one side has.
    """

    tier: Tier
    target: str | None
    evidence: tuple[str, ...]
    answers: tuple[str | None, str | None] = (None, None)
    display: tuple[int, int] = (0, 0)
    carried: tuple[float, float] = (0.0, 0.0)
    only_here: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class _Side:
    role: str
    content: str
    answer: str | None
    display: int

    def support(self) -> list[str]:
        """The sentences besides the line that declares the answer."""
        return [one for one in split_sentences(self.content) if final_answer(one) is None]

    def facts_beyond(self, other: _Side) -> set[str]:
        """The numbers and names it mentions and the other side has in no form."""
        mine = {*numbers(self.content), *(_bare(name) for name in _NAME.findall(self.content))}
        return mine - {*numbers(other.content), *(_bare(word) for word in words(other.content))}


def propose(pair: PairRecord, *, gold: str | None = None) -> Proposal:
    """Tier and target of the pair as its texts suggest them; ``gold`` is the known right answer, where there is one."""
    first, second = pair.candidates
    if first is None or second is None:
        return Proposal(tier=Tier.PREFERENCE, target=None, evidence=("A candidate has no text.",))
    if first == second:
        return Proposal(tier=Tier.IDENTICAL, target=TARGET_TIE, evidence=("The two texts are identical.",))
    sides = _side(pair.roles[0], first), _side(pair.roles[1], second)
    known = gold if gold is not None else _declared_gold(pair)
    if sides[0].answer is None or sides[1].answer is None:
        return _without_answers(sides)
    if not answers_match(sides[0].answer, sides[1].answer):
        return _conflict(sides, known)
    return _same_answer(sides)


def _side(role: str, text: str) -> _Side:
    content = strip_display(text)
    answer = final_answer(content)
    if answer is None and content and len(content.split()) <= _SHORT:
        answer = content.strip().rstrip(".")
    return _Side(role, content, answer, display_amount(text))


def _declared_gold(pair: PairRecord) -> str | None:
    answer = pair.meta.get("gold")
    return answer if isinstance(answer, str) else None


def _finish(sides: tuple[_Side, _Side], tier: Tier, target: str | None, *reasons: str) -> Proposal:
    one, other = sides
    return Proposal(
        tier=tier,
        target=target,
        evidence=reasons,
        answers=(one.answer, other.answer),
        display=(one.display, other.display),
        carried=(_carried(one, other), _carried(other, one)),
        only_here=(len(one.facts_beyond(other)), len(other.facts_beyond(one))),
    )


def _without_answers(sides: tuple[_Side, _Side]) -> Proposal:
    one, other = sides
    if words(one.content) == words(other.content):
        return _finish(sides, Tier.EQUIVALENCE, TARGET_TIE, "Without their display the two texts say the same words.")
    return _finish(sides, Tier.PREFERENCE, None, "A side declares no final answer: only people can tell.")


def _conflict(sides: tuple[_Side, _Side], gold: str | None) -> Proposal:
    one, other = sides
    differ = f"The final answers differ: {one.answer!r} and {other.answer!r}."
    right, why = _right_side(sides, gold)
    if right is None:
        return _finish(sides, Tier.CONFLICT, None, differ, why)
    wrong = other if right is one else one
    tier = Tier.REVERSE_CONFLICT if right.display > wrong.display else Tier.CONFLICT
    return _finish(sides, tier, right.role, differ, why, _display_words(sides))


def _right_side(sides: tuple[_Side, _Side], gold: str | None) -> tuple[_Side | None, str]:
    """The side that is right by the known answer, else by what both sides state in common."""
    if gold is not None:
        fits = [side for side in sides if answers_match(side.answer or "", gold)]
        if len(fits) == 1:
            return fits[0], f"The known answer is {gold!r}."
    sound = [side for side in sides if arithmetic_holds(side.content)]
    slipped = [side for side in sides if arithmetic_holds(side.content) is False]
    if len(sound) == 1 and len(slipped) == 1:
        return sound[0], f"The arithmetic of the {slipped[0].role} side does not hold."
    common = " ".join(sentence for sentence in sides[0].support() if sentence in sides[1].content)
    stated = [side for side in sides if _states(common, side.answer or "")]
    if len(stated) == 1:
        return stated[0], f"What both sides state contains only {stated[0].answer!r}."
    return None, "What both sides state does not tell which answer is right."


def _states(text: str, answer: str) -> bool:
    """Whether the text contains the answer. Small numbers stand in any text and prove nothing; years do."""
    plain = normalise(answer)
    telling = bool(plain) and (answer_number(answer) is None or re.fullmatch(r"(?:1\d|20)\d\d", plain) is not None)
    return telling and f" {plain} " in f" {normalise(text)} "


def _same_answer(sides: tuple[_Side, _Side]) -> Proposal:
    one, other = sides
    match = f"The final answers match: {one.answer!r}."
    shown = _display_words(sides)
    if words(one.content) == words(other.content):
        return _finish(
            sides, Tier.EQUIVALENCE, TARGET_TIE, match, "Without display the texts say the same words.", shown
        )
    alone = _only(one, other), _only(other, one)
    if one.display != other.display and len(alone[0]) == len(one.support()):
        why = "The two texts share no sentence, as independent outputs do."
        return _finish(sides, Tier.NATURAL, TARGET_TIE, match, why, shown)
    more = one.facts_beyond(other), other.facts_beyond(one)
    for side, mine, theirs in ((one, 0, 1), (other, 1, 0)):
        if more[mine] and not more[theirs] and alone[mine]:
            found = ", ".join(sorted(more[mine])[:4])
            why = f"Only the {side.role} side brings {found}, and the other brings nothing of its own."
            return _finish(sides, Tier.MODERATE, side.role, match, why, shown)
    if not more[0] and not more[1]:
        if alone[0] and alone[1]:
            why = "Both sides mention the same numbers and names; they differ in how they reason."
            tier, target = (
                (Tier.SOFT, TARGET_BOUNDARY) if one.display != other.display else (Tier.EQUIVALENCE, TARGET_TIE)
            )
            return _finish(sides, tier, target, match, why, shown)
        why = "One side only says more words: no number and no name is on one side alone."
        return _finish(sides, Tier.EQUIVALENCE, TARGET_TIE, match, why, shown)
    if one.display != other.display:
        why = "Each side has numbers or names of its own, as independent outputs do."
        return _finish(sides, Tier.NATURAL, TARGET_TIE, match, why, shown)
    return _finish(
        sides, Tier.PREFERENCE, None, match, "The display does not differ and each side has facts of its own."
    )


def _bare(word: str) -> str:
    """A word as it is compared: small, without a possessive ending."""
    return re.sub(r"['\u2019]s?$", "", word.lower())


def _display_words(sides: tuple[_Side, _Side]) -> str:
    one, other = sides
    if one.display == other.display:
        return "Citation-like display does not differ."
    more = one if one.display > other.display else other
    return f"The {more.role} side shows more citation-like display ({one.display} against {other.display})."


def _only(side: _Side, other: _Side) -> list[str]:
    """The sentences of ``side`` that ``other`` does not carry."""
    theirs = set(words(other.content))
    return [
        sentence for sentence in side.support() if _share(sentence, theirs) < _CARRIED or sentence not in other.content
    ]


def _carried(side: _Side, other: _Side) -> float:
    """The share of ``side``'s sentences whose words ``other`` has."""
    theirs = set(words(other.content))
    mine = side.support()
    return sum(_share(sentence, theirs) >= _CARRIED for sentence in mine) / len(mine) if mine else 1.0


def _share(sentence: str, theirs: set[str]) -> float:
    mine = set(words(sentence))
    return len(mine & theirs) / len(mine) if mine else 1.0
