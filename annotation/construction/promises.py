"""The promises several recipes share, as checks that read the finished texts and the item, not the builder's notes."""

from __future__ import annotations

from annotation.construction.answers import answers_match, final_answer, normalise
from annotation.construction.bodies import QuestionItem
from annotation.construction.content import names, numbers, words
from annotation.construction.display import strip_display
from annotation.construction.finqa_answer import answer_text
from annotation.construction.items import FinqaItem, HotpotItem
from annotation.construction.recipe import sides
from annotation.records import PairRecord


def right_answer(item: QuestionItem) -> str:
    """The answer a right candidate shows."""
    match item:
        case HotpotItem():
            return item.answer
        case FinqaItem():
            return answer_text(item)
        case _:
            return item.output


def answer_promises(pair: PairRecord, item: QuestionItem, *, wrong: str | None) -> list[str]:
    """Every side but the role ``wrong`` (None: every side) declares the item's answer, word for word."""
    broken: list[str] = []
    expected = right_answer(item)
    for role, text in zip(pair.roles, sides(pair), strict=True):
        shown = final_answer(strip_display(text))
        if shown is None:
            broken.append(f"the {role} side declares no final answer")
        elif role == wrong:
            if normalise(shown) == normalise(expected) or answers_match(shown, expected):
                broken.append(f"the {role} side should be wrong but answers {shown!r}")
        elif normalise(shown) != normalise(expected) or numbers(shown) != numbers(expected.rstrip(".")):
            broken.append(f"the {role} side answers {shown!r}, the item {expected!r}")
    return broken


def added_content(plain: str, cited: str) -> list[str]:
    """Numbers and names of the cited side's content that the plain side lacks, or the other way round."""
    content = strip_display(cited)
    broken: list[str] = []
    if numbers(content) != numbers(plain):
        broken.append("the two sides' numbers differ")
    if names(content) != names(plain):
        broken.append("the two sides' names differ")
    # a number inside a snippet must come from the plain text; the markers' and sentence ids' own numbers are small
    extra = [number for number in numbers(cited) if number not in numbers(plain) and not _is_identifier(number)]
    if extra:
        broken.append(f"the display brings in the number {extra[0]}")
    return broken


def _is_identifier(number: str) -> bool:
    """Markers and sentence ids count from 1."""
    return number.isdigit() and int(number) < 1000


def contains_text(text: str, part: str) -> bool:
    """Whether ``part`` stands in ``text`` word for word, punctuation and spacing aside."""
    return f" {' '.join(words(part))} " in f" {' '.join(words(text))} "
