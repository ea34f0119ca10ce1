"""Chooses, from a HotpotQA item's own context, other things of the answer's kind that are not the answer."""

from __future__ import annotations

import random
import re
from dataclasses import replace

from annotation.construction.answers import normalise
from annotation.construction.context_names import NAME_RUN, candidates
from annotation.construction.gazetteer import gazetteer
from annotation.construction.hotpot_text import hops_of
from annotation.construction.items import HotpotItem
from annotation.construction.kinds import bare_name, kind_of, looks_like_person, paragraph_kind
from annotation.construction.tidy import tidy_title

#: Kinds of which the evidence may name several without any but one answering the question.
_NAMED_KINDS = frozenset({
    "person", "film", "television", "book", "song", "album", "band", "company", "station", "team", "character",
    "award", "conflict", "list:war", "quoted", "game", "magazine",
})  # fmt: skip


def other_title(item: HotpotItem) -> str | None:
    """For a question that chooses between its two supporting titles: the one that is not the answer."""
    names = [tidy_title(title) for title in item.titles]
    chooses = item.kind == "comparison" or re.search(r"\bor\b", item.question)
    if len(names) != 2 or not chooses:
        return None
    hit = [_same_thing(item.answer, name) for name in names]
    if hit.count(True) != 1:
        return None
    other = names[hit.index(False)]
    kinds = {paragraph_kind(item.paragraph(title)) for title in item.titles} - {""}
    if len(kinds) > 1:
        return None
    question = normalise(item.question)
    # only where the question offers both: "Which ..., X or Y?"
    return other if all(_mentioned(name, question) for name in names) else None


def distractors(item: HotpotItem, rng: random.Random, *, kind: str | None = None) -> list[str]:
    """Replacements for the answer from the item's context, best first, all of its kind; none where there is nothing.

    What the supporting evidence states itself is only taken for kinds of named things, and only for want of others.
    """
    kind = kind_of(item.answer, item) if kind is None else kind
    if not kind:
        return []
    evidence = normalise(" ".join(hop.text() for hop in hops_of(item)))
    question = normalise(item.question)
    found: dict[str, tuple[int, float]] = {}
    for name, rank in candidates(item, kind):
        shown = _dressed(name, item.answer)
        plain = normalise(shown)
        if not plain or shown in found or _overlaps(plain, normalise(bare_name(item.answer))):
            continue
        if gazetteer().may_both_hold(bare_name(shown), bare_name(item.answer)):
            continue
        stated = f" {plain} " in f" {evidence} "
        if stated and kind not in _NAMED_KINDS:
            continue
        # the namesake of someone in the evidence would confuse rather than mislead
        if kind == "person" and not stated and f" {plain.split()[-1]} " in f" {evidence} ":
            continue
        # what the evidence or the question itself names comes last
        penalty = 8 * stated + 5 * (f" {plain} " in f" {question} ")
        if looks_like_person(item.answer) and not looks_like_person(name):
            penalty += 3
        found[shown] = (rank + penalty, rng.random())
    return sorted(found, key=lambda name: found[name])


def embedded_swap(item: HotpotItem, rng: random.Random) -> str | None:
    """A longer answer with the first name in it exchanged: "in the village of Aldenham", "the port of Baltimore"."""
    runs = list(NAME_RUN.finditer(item.answer))
    if not runs or len(runs) > 2 or runs[0].group() == item.answer or not item.answer[:1].islower():
        return None
    name = runs[0].group()
    before = re.findall(r"[\w-]+(?= of $|,? $)", item.answer[: runs[0].start()].lower())
    kind = gazetteer().kind_of_noun.get(before[-1], "") if before else ""
    found = distractors(replace(item, answer=name), rng, kind=kind or None)
    return item.answer.replace(name, found[0]) if found else None


def _dressed(name: str, answer: str) -> str:
    """The replacement in the answer's dress: its article and its quotation marks."""
    if answer.startswith("the ") and not name.lower().startswith("the "):
        name = f"the {name}"
    if answer.startswith('"') and answer.endswith('"') and not name.startswith('"'):
        name = f'"{name}"'
    return name


def _overlaps(one: str, other: str) -> bool:
    """Whether one name contains the other, or the two share their telling words."""
    if f" {one} " in f" {other} " or f" {other} " in f" {one} ":
        return True
    first, second = set(one.split()), set(other.split())
    shared = {word for word in first & second if word not in gazetteer().kind_of_noun and len(word) > 2}
    if _telling(first) and _telling(first) == _telling(second):
        return True
    # sharing the first word and all but one of the shorter's words makes two names one ("J. Craig", "Jonny Craig")
    return (
        len(first) > 1 < len(second)
        and one.split()[0] == other.split()[0]
        and len(shared) >= min(len(first), len(second)) - 1
    )


def _telling(words: set[str]) -> set[str]:
    """The words of a name that tell it apart: "Hawaii County" and "County of Hawaii" share them."""
    return {word for word in words if word not in gazetteer().kind_of_noun and word not in {"of", "and", "in", "for"}}


def _same_thing(answer: str, name: str) -> bool:
    one, other = set(normalise(answer).split()), set(normalise(name).split())
    return bool(one and other) and (one <= other or other <= one)


def _mentioned(name: str, question: str) -> bool:
    words = [word for word in normalise(name).split() if len(word) > 2] or normalise(name).split()
    return any(word in question.split() for word in words)
