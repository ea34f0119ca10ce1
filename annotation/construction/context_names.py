"""The names and phrases a HotpotQA item's context holds of one kind, with how near each is to the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from annotation.construction.gazetteer import gazetteer
from annotation.construction.items import HotpotItem
from annotation.construction.kinds import (
    defining_noun,
    definition,
    in_quotes,
    is_place,
    looks_like_person,
    paragraph_kind,
)
from annotation.construction.tidy import tidy_sentence, tidy_title

NAME_RUN = re.compile(
    r"(?:[A-Z]\.(?:[A-Z]\.)*|[A-Z\u00c0-\u00de][\w'\u2019&-]*|\d{1,3}(?:st|nd|rd|th))"
    r"(?:\s+(?:(?:of|the|de|la|van|von|for|in|&)\s+){0,2}(?:[A-Z]\.(?:[A-Z]\.)*|[A-Z\u00c0-\u00de][\w'\u2019&-]*))*"
)
_QUOTED = re.compile(r"\"([A-Z\u00c0-\u00de0-9][^\"]{3,60}?)[,.]?\"")
_QUOTED_YEAR = re.compile(r"\"[^\"]{2,60}\" \(\d{4}\)")
_PLACE = re.compile(r"\b([A-Z][\w.'-]+(?: [A-Z][\w.'-]+){0,2}, (?:[A-Z][\w.]+(?: [A-Z][\w.]+){0,2}))")
#: Words that open a sentence and belong to no name.
_OPENER = re.compile(
    r"The|He|She|It|They|His|Her|Its|Their|In|On|At|As|After|During|Before|Since|Although|While|When|An?|This|These"
    r"|Other|Some|Many|Most|Also|And|But|For|From|By|With|Both|There|One|Two|Three|Like|Until|Under|However|Following"
)
#: Paragraphs about a thing's lists and seasons are not things of its kind.
_SIDE_TITLE = re.compile(
    r"\b(?:discography|filmography|bibliography|videography|season|list of|history of|timeline of)\b", re.IGNORECASE
)
#: "First Team" and "Best Series" name no thing of the kind.
_GENERIC = re.compile(
    r"^(?:Drama|Comedy|Limited|Original|First|Second|Third|All(?:-\w+)?|Home|Main|New|Old)\b"
    r"|\b(?:Award|Best|Outstanding)\b(?!$)"
)
_WORKS = frozenset({"film", "television", "book", "song", "album", "game"})


def candidates(item: HotpotItem, kind: str) -> Iterator[tuple[str, int]]:
    """(name, rank) for whatever the context holds of the kind, the lower the rank the closer to the answer."""
    if _QUOTED_YEAR.fullmatch(item.answer):
        yield from ((match, 0) for text in _texts(item) for match in _QUOTED_YEAR.findall(text))
        return
    if kind.startswith("list:"):
        yield from _listed(item, kind.removeprefix("list:"))
        return
    if kind == "phrase":
        yield from _phrases(item)
        return
    yield from _alike(item, kind)
    yield from _titles(item, kind)
    yield from ((name, 2) for name in _introduced(item, kind))
    if kind == "person" or (kind == "character" and looks_like_person(item.answer)):
        yield from ((name, 2) for name in _persons(item))
    if kind == "given_name":
        given = (name.split()[0] for name in _persons(item))
        yield from ((name, 0) for name in given if name in gazetteer().given_names)
    if kind == "quoted" or (kind in _WORKS and in_quotes(item.answer, item)):
        yield from _quoted(item, kind)
    if kind == "place":
        yield from ((name, 1) for text in _texts(item) for name in _PLACE.findall(text) if is_place(name))
        yield from ((name, rank + 3) for name, rank in _listed(item, "city"))
    if kind == "settlement":
        yield from (
            (name.split(", ")[0], 3) for text in _texts(item) for name in _PLACE.findall(text) if is_place(name)
        )


def _texts(item: HotpotItem) -> Iterator[str]:
    for paragraph in item.paragraphs:
        yield from (tidy_sentence(sentence) for sentence in paragraph.sentences)


def _listed(item: HotpotItem, name: str) -> Iterator[tuple[str, int]]:
    """Members of the answer's closed list that the context mentions; a list of occupations for such a list."""
    text = " ".join(_texts(item))
    members = gazetteer().closed["occupation" if name == "occupations" else name]
    capital = item.answer[:1].isupper()
    present = [member for member in members if re.search(rf"\b{re.escape(member)}\b", text)]
    if name == "occupations":
        mine = re.split(r",\s*(?:and\s+)?|\s+and\s+", item.answer)
        others = [member for member in present if member not in mine]
        yield from ((", ".join(pair), 0) for pair in pairwise(others))
        return
    yield from ((member[:1].upper() + member[1:] if capital else member, 0) for member in present)


def _phrases(item: HotpotItem) -> Iterator[tuple[str, int]]:
    """Defining phrases of other paragraphs whose noun is of the answer's noun's kind."""
    known = gazetteer().kind_of_noun
    noun = next((word for word in reversed(re.findall(r"\w+", item.answer.lower())) if word in known), "")
    if not noun:
        return
    for paragraph in item.paragraphs:
        phrase = definition(paragraph)
        other = defining_noun(f"it is a {phrase}") if phrase else ""
        if other and known[other] == known[noun]:
            yield phrase, 0 if other == noun else 1


def _alike(item: HotpotItem, kind: str) -> Iterator[tuple[str, int]]:
    """Names whose last word is the answer's own or of its kind ("... Stadium"), or that count on ("... IV")."""
    known = gazetteer().kind_of_noun
    words = item.answer.split()
    last = re.sub(r"\W", "", words[-1])
    series = re.fullmatch(r"[IVXLC]+|\d+", last) is not None
    for text in _texts(item):
        for run in _runs(text):
            *start, end = run.split()
            if not start:
                continue
            if series and start == words[:-1] and re.fullmatch(r"[IVXLC]+|\d+", end):
                yield run, 0
            elif known.get(end.lower()) == kind and kind != "person" and not _GENERIC.search(run):
                yield run, 0 if end == last else 2
            elif kind == "school" and known.get(start[0].lower()) == kind and start[1:2] == ["of"]:
                yield run, 0 if start[0] in words else 2


def _introduced(item: HotpotItem, kind: str) -> Iterator[str]:
    """Names that prose introduces by a word of the kind: "country duo Love and Theft", "the village of Aldenham"."""
    known = gazetteer().kind_of_noun
    for text in _texts(item):
        for match in NAME_RUN.finditer(text):
            before = re.findall(r"[\w'-]+ ?$|[\w'-]+(?= of $)", text[max(0, match.start() - 40) : match.start()])
            name = re.split(r" (?:in|for|of the) ", match.group().removesuffix("'s"))[0]
            if _OPENER.fullmatch(name.split()[0]):
                continue
            if before and known.get(before[-1].strip().lower()) == kind and not _GENERIC.search(name):
                yield name


def _titles(item: HotpotItem, kind: str) -> Iterator[tuple[str, int]]:
    text = " ".join(_texts(item))
    for paragraph in item.paragraphs:
        # a title that prose writes small ("microbrewery") is a word, not a name
        common = f" {paragraph.title.lower()}" in text and item.answer[:1].isupper()
        if paragraph_kind(paragraph) == kind and not common and not _SIDE_TITLE.search(paragraph.title):
            yield tidy_title(paragraph.title), 1


def _persons(item: HotpotItem) -> Iterator[str]:
    for text in _texts(item):
        yield from (name for run in _runs(text) for name in re.split(r" & ", run) if looks_like_person(name))


def _quoted(item: HotpotItem, kind: str) -> Iterator[tuple[str, int]]:
    """Quoted titles; closer those that are introduced as works of the kind ("the series ...")."""
    known = gazetteer().kind_of_noun
    for text in _texts(item):
        for match in _QUOTED.finditer(text):
            before = re.findall(r"\w+", text[max(0, match.start() - 50) : match.start()].lower())
            nouns = [known.get(word) or known.get(word.removesuffix("s")) for word in before]
            introduced = [noun for noun in nouns if noun]
            if kind == "quoted":
                yield match.group(1), 4
            elif introduced and introduced[-1] == kind:
                yield match.group(1), 3


def _runs(text: str) -> Iterator[str]:
    """Runs of capitalised words, without the word that merely opens a sentence."""
    for match in NAME_RUN.finditer(text):
        words = match.group().removesuffix("'s").split()
        while words and _OPENER.fullmatch(words[0]):
            words.pop(0)
        while words and words[0].islower():
            words.pop(0)
        if words:
            yield " ".join(words)
