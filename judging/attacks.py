"""Style attacks: one candidate made longer, or more assertive, with its content left alone (CUE, section IV-E).

The transforms are fixed rules, so that a text has one attacked form. A language model may rewrite instead; what it
writes has to pass the same checks. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from annotation.errors import TiebreakError
from judging.enums import Attack
from judging.protocols.prompts import block, fill, read_prompt

#: Raise with every change that alters an attacked text or a check.
ATTACKS_VERSION: Final = "1"

_SENTENCE = re.compile(r"(?:[^.!?\n]|[.!?]+(?![.!?]|\s|$))+[.!?]*")
_NUMBER = re.compile(r"\d[\d.,]*\d|\d")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NAME = re.compile(r"\b[A-Z][\w'’\-]*\w")
_NEGATIONS = {"no", "not", "never", "none", "nor", "neither", "without", "cannot", "nobody", "nothing", "hardly"}

#: Words that open sentences with a capital and name nothing.
_NO_NAMES = frozenset(
    {"The", "An", "This", "These", "Those", "It", "They", "He", "She", "We", "You", "There", "Here", "In", "On", "At"}
    | {"For", "To", "By", "As", "If", "When", "While", "Since", "Because", "But", "And", "Or", "So", "Then", "Both"}
    | {"Perhaps", "Maybe", "Possibly", "Probably", "A"}
)

_RESTATING = ("In other words, {}", "To say the same thing once more: {}", "Put differently, {}", "To repeat, {}")
_CLOSING = "All of this can be restated as follows."
_ASSERTING = ("Certainly, {}", "It is entirely clear that {}", "Unquestionably, {}", "Definitely, {}")
_ASSERTED_WHOLE = "This is definite:"
#: Words of hedging that the confidence attack drops; each with the space that follows it.
_HEDGES = re.compile(
    r"\b(?:perhaps|maybe|possibly|probably|presumably|apparently|seemingly|arguably|supposedly"
    r"|i think(?: that)?|i believe(?: that)?|it seems(?: that)?|it appears(?: that)?|in my opinion)\b,?\s*",
    re.IGNORECASE,
)
_FRAME_WORDS = Counter(
    word.casefold()
    for frame in (*_RESTATING, *_ASSERTING, _CLOSING, _ASSERTED_WHOLE)
    for word in _WORD.findall(frame.replace("{}", ""))
)


class AttackError(TiebreakError):
    """A text the attack cannot change while leaving its content alone."""

    code = "attack_not_content_preserving"


@dataclass(frozen=True, slots=True)
class AttackedText:
    """The attacked text; ``method`` is "rule" or names the model that rewrote it."""

    text: str
    attack: Attack
    method: str = "rule"
    version: str = ATTACKS_VERSION


def apply_attack(attack: Attack | str, text: str) -> AttackedText:
    """``text`` under ``attack``, by rule. Raises AttackError where the result would not pass ``check_attack``."""
    attack = Attack(attack)
    if attack is Attack.NONE:
        return AttackedText(text, attack)
    changed = _verbose(text) if attack is Attack.VERBOSITY else _confident(text)
    problems = check_attack(attack, text, changed, by_rule=True)
    if problems:
        raise AttackError(f"The {attack.value} attack cannot be applied: {' '.join(problems)}")
    return AttackedText(changed, attack)


def rewrite_prompt(attack: Attack | str, text: str) -> str:
    """The request to a language model that is to rewrite ``text``; its answer must pass ``check_attack``."""
    return fill(read_prompt(f"attacks/{Attack(attack).value}.txt"), {"text": block("candidate_text", text)})


def check_attack(attack: Attack | str, original: str, changed: str, *, by_rule: bool = False) -> tuple[str, ...]:
    """What is wrong with ``changed`` as an attacked ``original``; empty when the content is left alone.

    Numbers, negations and words that begin with a capital inside a sentence must be the original's: none new, none
    lost. A verbose text must keep the original whole and be longer; a confident one must not lose words that are no
    hedges, and must differ. ``by_rule`` also forbids every word that is neither the original's nor the frames'. These
    checks see words, not meaning: they catch what a rewriter adds or drops.
    """
    attack = Attack(attack)
    problems = []
    if not original.strip():
        return ("An empty text has no style to change.",)
    if changed == original:
        problems.append("Nothing changed.")
    for what, find, among in (
        ("number", _numbers, _numbers),
        ("negation", _negations, _negations),
        ("name", _names, _words),
    ):
        if new := sorted(find(changed) - among(original)):
            problems.append(f"New {what}: {', '.join(new[:8])}.")
        if lost := sorted(find(original) - among(changed)):
            problems.append(f"Lost {what}: {', '.join(lost[:8])}.")
    added = _content_words(changed).keys() - _content_words(original).keys() - _FRAME_WORDS.keys()
    if by_rule and added:
        problems.append(f"New words: {', '.join(sorted(added)[:8])}.")
    if attack is Attack.VERBOSITY:
        problems += _verbosity_problems(original, changed)
    if attack is Attack.CONFIDENCE:
        problems += _confidence_problems(original, changed)
    return tuple(problems)


def _verbose(text: str) -> str:
    """The text, and then its own sentences over again, each introduced as the repetition it is."""
    sentences = [found.strip() for found in _SENTENCE.findall(text) if _WORD.search(found)]
    restated = [
        _RESTATING[index % len(_RESTATING)].format(_lower_first(sentence))
        for index, sentence in enumerate(sentences[:6])
    ]
    joiner = " " if text.rstrip().endswith((".", "!", "?")) and "\n" not in text.strip() else "\n\n"
    return joiner.join([text.rstrip(), " ".join([_CLOSING, *restated])])


def _confident(text: str) -> str:
    """Hedges dropped, and every other sentence introduced by an assertion."""
    firm = _HEDGES.sub("", text)
    count = -1

    def assert_it(found: re.Match[str]) -> str:
        nonlocal count
        sentence = found.group()
        bare = sentence.lstrip()
        if not _WORD.match(bare) or len(_WORD.findall(bare)) < 3:
            return sentence
        count += 1
        if count % 2:
            return sentence
        lead = sentence[: len(sentence) - len(bare)]
        return lead + _ASSERTING[count // 2 % len(_ASSERTING)].format(_lower_first(bare))

    changed = _upper_starts(_SENTENCE.sub(assert_it, firm), text)
    return changed if changed != text else f"{_ASSERTED_WHOLE} {text}"


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else sentence + "."


def _lower_first(sentence: str) -> str:
    """The sentence as it stands after an introduction: only an article or pronoun loses its capital."""
    first = _WORD.match(sentence)
    if first and first.group() in {
        "The",
        "A",
        "An",
        "This",
        "These",
        "Those",
        "It",
        "They",
        "He",
        "She",
        "There",
        "In",
    }:
        return sentence[0].lower() + sentence[1:]
    return sentence


def _upper_starts(changed: str, original: str) -> str:
    """A hedge dropped from the front leaves a small letter where the original had a capital."""
    if original[:1].isupper() and changed[:1].islower():
        return changed[0].upper() + changed[1:]
    return changed


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(text))


def _negations(text: str) -> set[str]:
    words = (word.casefold().replace("’", "'") for word in _WORD.findall(text))
    return {word for word in words if word in _NEGATIONS or word.endswith("n't")}


def _names(text: str) -> set[str]:
    """Capitalised words that do not open a sentence."""
    return {word for word in _words_inside(text) if word not in _NO_NAMES and word.casefold() not in _FRAME_WORDS}


def _words(text: str) -> set[str]:
    return set(_NAME.findall(text))


def _words_inside(text: str) -> Iterator[str]:
    for sentence in _SENTENCE.findall(text):
        found = _NAME.findall(sentence)
        opener = sentence.strip().split()[0] if sentence.strip() else ""
        yield from (word for index, word in enumerate(found) if index or not opener.startswith(word))


def _verbosity_problems(original: str, changed: str) -> list[str]:
    problems = []
    if original.rstrip() not in changed:
        problems.append("The original text is not kept whole.")
    if len(changed) <= len(original):
        problems.append("The text is not longer.")
    return problems


def _confidence_problems(original: str, changed: str) -> list[str]:
    lost = _content_words(_HEDGES.sub("", original)) - _content_words(changed)
    return [f"Lost words: {', '.join(sorted(lost)[:8])}."] if lost else []


def _content_words(text: str) -> Counter[str]:
    return Counter(word.casefold() for word in _WORD.findall(text))
