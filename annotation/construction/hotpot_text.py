"""Puts a HotpotQA item into words: its hops as readable evidence, its chain as reasoning."""

from __future__ import annotations

import html
import random
import re
from dataclasses import dataclass, replace

from annotation.construction.answers import normalise
from annotation.construction.body import Body, Statement
from annotation.construction.items import HotpotItem, Paragraph
from annotation.construction.seeding import rng_for
from annotation.construction.tidy import sentence_case, tidy_question, tidy_sentence, tidy_title

_PRONOUN = re.compile(r"(He|She|It|They) (?=[a-z])")
_POSSESSIVE = re.compile(r"(His|Her|Its|Their) (?=[a-z])")
#: "It was said that ..." speaks of nothing in particular.
_EMPTY_IT = re.compile(
    r"It (?:is|was|has been|had been|is also|was also) (?:[a-z]+ly )?"
    r"(?:said|believed|thought|estimated|reported|rumou?red|possible|likely|unclear|clear|unknown|not known|assumed)\b"
)
_NAME_WORD = re.compile(r"[^\W_]{4,}")


@dataclass(frozen=True, slots=True)
class Hop:
    """One supporting paragraph: its name in prose ("the East Coast Main Line"), and what is taken from it."""

    title: str
    name: str
    statements: tuple[Statement, ...]

    def text(self) -> str:
        return " ".join(statement.text for statement in self.statements)


def hops_of(item: HotpotItem) -> tuple[Hop, ...]:
    """The item's supporting paragraphs as evidence, in the order its facts name them."""
    return tuple(_hop(item, number, title) for number, title in enumerate(item.titles))


def full_body(item: HotpotItem, *, seed: int) -> Body:
    """Every hop, and a reasoning that names how they connect."""
    hops = hops_of(item)
    return Body(_statements(hops), chain_reasoning(item, hops, item.answer, seed=seed), item.answer)


def generic_body(item: HotpotItem, *, seed: int) -> Body:
    """The same evidence and answer under a reasoning that names nothing."""
    rng = rng_for(seed, "generic", item.item_id)
    return replace(full_body(item, seed=seed), reasoning=rng.choice(_GENERIC))


def partial_body(item: HotpotItem, *, dropped: int, weakened: bool, seed: int) -> Body:
    """The body without the hop numbered ``dropped``; ``weakened`` leaves a vague sentence where the hop was."""
    hops = hops_of(item)
    kept = tuple(hop for number, hop in enumerate(hops) if number != dropped)
    rng = rng_for(seed, "partial", item.item_id)
    names = [hop.name for hop in kept]
    reasoning = _worded(rng, _PARTIAL, _PARTIAL_NAMED, names=names, answer=item.answer)
    if weakened:
        reasoning = f"{reasoning} {rng.choice(_VAGUE)}"
    return Body(_statements(kept), reasoning, item.answer)


def answering_hops(item: HotpotItem, hops: tuple[Hop, ...]) -> tuple[int, ...]:
    """The numbers of the hops whose statements contain the answer."""
    wanted = f" {normalise(item.answer)} "
    return tuple(number for number, hop in enumerate(hops) if wanted in f" {normalise(hop.text())} ")


def is_polar(answer: str) -> bool:
    return normalise(answer) in {"yes", "no"}


def chain_reasoning(item: HotpotItem, hops: tuple[Hop, ...], answer: str, *, seed: int) -> str:
    """One sentence that leads from the hops to ``answer``, worded by the item's kind and where the answer stands."""
    rng = rng_for(seed, "reasoning", item.item_id)
    names = [hop.name for hop in hops]
    if item.kind == "comparison" or is_polar(item.answer):
        templates = _POLAR if is_polar(item.answer) else _COMPARISON
        return _worded(rng, templates, templates, names=names, answer=answer)
    answering = answering_hops(item, hops)
    if len(hops) == 2 and len(answering) == 1:
        last = answering[0]
        ordered = [names[1 - last], names[last]]
        return _worded(rng, _BRIDGE, _BRIDGE_NAMED, names=ordered, answer=answer)
    return _worded(rng, _TOGETHER, _TOGETHER, names=names, answer=answer)


_BRIDGE = (
    "The facts about {first} identify what the question is after, "
    "and the facts about {last} then give the answer, {answer}.",
    "The question is pinned down by what is known about {first}; what is known about {last} then gives {answer}.",
    "From {first} the trail leads to {last}, and the facts about {last} give the answer, {answer}.",
)
#: For answers that are themselves the name of the last paragraph.
_BRIDGE_NAMED = (
    "The facts about {first} identify what the question is after, and they fit {last}.",
    "The question is pinned down by what is known about {first}, and this leads to {last}.",
    "From {first} the trail leads to {last}, and what is known about {last} fits the question.",
)
_TOGETHER = (
    "Combining the facts about {names} gives the answer, {answer}.",
    "The facts about {names} have to be read together, and together they give the answer, {answer}.",
)
_COMPARISON = (
    "Comparing the facts about {names} gives the answer, {answer}.",
    "Set side by side, the facts about {names} point to {answer}.",
)
_POLAR = (
    "Comparing the facts about {names}, the answer to the question is {answer}.",
    "Set side by side, the facts about {names} show that the answer is {answer}.",
)
_PARTIAL = (
    "The facts about {names} give the answer, {answer}.",
    "What is known about {names} gives the answer, {answer}.",
)
_PARTIAL_NAMED = (
    "The facts about {names} fit the question.",
    "What is known about {names} matches what is asked.",
)
_VAGUE = (
    "Other background information is consistent with this.",
    "The remaining context fits this as well.",
    "Further background on the subject agrees with it.",
)
_GENERIC = (
    "Taken together, these facts support the answer.",
    "The answer follows from the information above.",
    "These points together are enough to answer the question.",
)


def _worded(
    rng: random.Random, templates: tuple[str, ...], named: tuple[str, ...], *, names: list[str], answer: str
) -> str:
    """A template filled in; ``named`` ones where the answer is the last name itself and would only be said twice."""
    number = rng.randrange(len(templates))
    said = re.sub(r"(?<![A-Z])\.$", "", answer)
    same = normalise(answer) == normalise(names[-1])
    template = named[number] if same else templates[number]
    return sentence_case(template.format(first=names[0], last=names[-1], names=_list(names), answer=said))


def _statements(hops: tuple[Hop, ...]) -> tuple[Statement, ...]:
    return tuple(statement for hop in hops for statement in hop.statements)


def _hop(item: HotpotItem, number: int, title: str) -> Hop:
    paragraph = item.paragraph(title)
    name = _prose_name(item, title)
    wanted = sorted({fact.sentence for fact in item.facts if fact.title == title})
    statements: list[Statement] = []
    covered = -1
    for sentence in wanted:
        if sentence <= covered:
            continue
        start, covered = _whole_sentence(paragraph, sentence)
        text = tidy_sentence(" ".join(part.strip() for part in paragraph.sentences[start : covered + 1]))
        statements.append(Statement(text, _source_name(item, title), f"sentence {sentence + 1}", number))
    opening = statements[0].text
    vague = _PRONOUN.match(opening) or _POSSESSIVE.match(opening)
    if vague or not _names_subject(tidy_title(title), " ".join(statement.text for statement in statements)):
        statements[0] = replace(statements[0], text=_with_subject(name, statements[0].text))
    return Hop(title, name, tuple(replace(one, text=_closed(one.text)) for one in statements))


def _whole_sentence(paragraph: Paragraph, number: int) -> tuple[int, int]:
    """The range of file sentences that make up one real sentence: splitting at "M.S." leaves fragments."""
    start = end = number
    while start > 0 and _continues(paragraph.sentences[start]):
        start -= 1
    while end + 1 < len(paragraph.sentences) and _continues(paragraph.sentences[end + 1]):
        end += 1
    return start, end


def _continues(sentence: str) -> bool:
    text = sentence.strip()
    return (
        bool(text)
        and (text[0].islower() or text[0] in ",;)")
        and not text.startswith(("http", "e", "i") if text[1:2].isupper() else ())
    )


def _closed(text: str) -> str:
    return text if re.search(r"[.!?\u2026][\"'\u201d)\]]*$", text) else text + "."


def _names_subject(name: str, text: str) -> bool:
    """Whether the text says of what it speaks: it holds a longer word of the name."""
    folded = set(normalise(text).split())
    found = [normalise(word) for word in _NAME_WORD.findall(name)] or normalise(name).split()
    return any(word in folded for word in found)


def _with_subject(name: str, text: str) -> str:
    capital = name[:1].upper() + name[1:]
    if not _EMPTY_IT.match(text):
        if _PRONOUN.match(text):
            return _PRONOUN.sub(lambda _: f"{capital} ", text, count=1)
        if _POSSESSIVE.match(text):
            ending = "'" if name.endswith("s") else "'s"
            return _POSSESSIVE.sub(lambda _: f"{capital}{ending} ", text, count=1)
    return f"About {name}: {text}"


def _source_name(item: HotpotItem, title: str) -> str:
    """The title without its bracketed words, unless another supporting title would then read the same."""
    name = tidy_title(title)
    namesakes = sum(tidy_title(other) == name for other in item.titles)
    return name if namesakes == 1 else tidy_question(html.unescape(title))


def _prose_name(item: HotpotItem, title: str) -> str:
    """The title as a sentence would use it: with "the" where the item's own paragraphs say so."""
    name = _source_name(item, title)
    if name.lower().startswith(("the ", "a ", "an ")):
        return name
    pattern = re.compile(rf"\b[Tt]he {re.escape(name)}\b(?! [A-Z])")
    bare = re.compile(rf"(?<!the )(?<!The )\b{re.escape(name)}\b")
    texts = [sentence for paragraph in item.paragraphs for sentence in paragraph.sentences]
    with_article = sum(bool(pattern.search(text)) for text in texts)
    without = sum(bool(bare.search(text)) for text in texts)
    return f"the {name}" if with_article and with_article >= without else name


def _list(names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + " and " + names[-1]
