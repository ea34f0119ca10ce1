"""Tells of what kind an answer is (a person, a band, a US state, a date): by its form, its context and the question."""

from __future__ import annotations

import re

from annotation.construction.gazetteer import gazetteer
from annotation.construction.hotpot_text import is_polar
from annotation.construction.items import HotpotItem, Paragraph
from annotation.construction.quantities import is_date, is_number
from annotation.construction.tidy import tidy_sentence, tidy_title

_DEFINES = re.compile(
    r"\b(?:is|was|are|were)\s+(?:also\s+|either\s+)?(?:an?|the|one of the|two|part of the)\s+"
    r"(?P<predicate>[^.;(]{2,160})"
)
#: What follows the defining noun and says no more of the kind.
_CUT = re.compile(
    r",|\s(?:of|in|on|at|by|for|from|with|that|which|who|whose|where|located|owned|founded|based|released|published"
    r"|formed|written|directed|produced|known|used|found|featuring|starring|established|between|during|about|to|as)\b"
)
#: "A series of battles" is about battles, "a type of dance" about a dance.
_SERIES = re.compile(
    r"^(?:[\w-]+ ){0,2}(?:series|group|set|type|kind|form|style|collection|sort) of (?:an? )?", re.IGNORECASE
)
_ASKED_END = (
    "is|was|are|were|did|does|do|has|have|had|that|who|of|in|from|by|to|for|the|an?|his|her|its|their|with|on|at|and"
    "|released|born|based|where"
)
_ASKED = re.compile(
    rf"\b(?:what|which)\s+((?:(?!(?:{_ASKED_END})\b)[\w-]+\s+){{0,6}}?[\w-]+)(?=\s+(?:{_ASKED_END})\b|\W*$|[,?])"
)
_LISTED = re.compile(r",\s*(?:and\s+)?|\s+and\s+")


def kind_of(answer: str, item: HotpotItem) -> str:
    """The answer's kind, "" where nothing tells. Kinds: polar, date, number, list:<closed list>, title kinds, phrase.

    The answer's own form comes first, then the paragraph it is the title of, then its last word, then the question.
    """
    if is_polar(answer):
        return "polar"
    if is_date(answer):
        return "date"
    if is_number(answer):
        return "number"
    known = gazetteer()
    asked = asked_kind(item.question)
    bare = bare_name(answer)
    listed = known.list_of(bare)
    if listed is not None and not (listed == "nationality" and asked in {"band", "film", "song"}):
        return _settle(listed, asked)
    parts = _LISTED.split(answer)
    if len(parts) > 1 and all(known.list_of(part) == "occupation" for part in parts):
        return "list:occupations"
    own = title_kind(answer, item)
    if own:
        return own
    if is_place(answer):
        return "place"
    if " " not in answer and answer[:1].isupper() and re.search(r"\b(?:first|given) name\b", item.question.lower()):
        return "given_name"
    if asked and asked != "person":
        return asked
    if looks_like_person(answer):
        return "person"
    last = re.sub(r"\W", "", bare.rsplit(" ", 1)[-1]).lower()
    if bare[:1].isupper() and " " in bare and last in known.kind_of_noun:
        return known.kind_of_noun[last]
    if in_quotes(answer, item):
        return "quoted"
    if bare[:1].islower():
        return "phrase" if " " in bare else ""
    named = all(word[:1].isupper() for word in bare.split()) and not re.search(r"[\d&]", bare)
    return asked if named else ""


def bare_name(answer: str) -> str:
    """The answer without a small article before it and a bracket after it."""
    return re.sub(r"\s*\([^()]*\)$", "", answer).removeprefix("the ")


def _settle(listed: str, asked: str) -> str:
    """ "New York" and "Georgia" are on two lists; the question says which is meant."""
    if listed in {"us_state", "country", "city"}:
        wanted = {"settlement": "city", "state": "us_state", "country": "country"}.get(asked)
        return f"list:{wanted or listed}"
    return f"list:{listed}"


def asked_kind(question: str) -> str:
    """What the question asks for, by the noun after "what" or "which", or by "who" and its like."""
    known = gazetteer().asked
    text = question.lower().replace("'s", "")
    for match in re.finditer(
        rf"\b(?:what|which)\s+((?:[\w-]+\s+){{0,6}}?[\w-]+)(?=\s+(?:{_ASKED_END})\b|\W*$|[,?])", text
    ):
        # the last noun says it: "which film festival" asks for a festival
        kinds = [known[word] for word in match.group(1).split() if word in known]
        if kinds:
            return kinds[-1]
    who = re.search(r"\b(?:who|whom|whose)\b", text)
    return "person" if who and not re.search(r"\b(?:what|which|when|where)\b", text) else ""


def is_place(answer: str) -> bool:
    """A place with the state or country it lies in: "Bath, Maine"."""
    parts = answer.split(", ")
    return 2 <= len(parts) <= 3 and answer[:1].isupper() and gazetteer().list_of(parts[1]) in {"us_state", "country"}


def in_quotes(answer: str, item: HotpotItem) -> bool:
    """Whether the context quotes the answer, as it quotes the titles of works."""
    wanted = '"' + answer.strip('"')
    return any(wanted in sentence for paragraph in item.paragraphs for sentence in paragraph.sentences)


def title_kind(name: str, item: HotpotItem) -> str:
    """The kind of the paragraph whose title or full opening name this is; "" where none is."""
    wanted = name.lower()
    for paragraph in item.paragraphs:
        # encyclopaedias open with the full name ("Ricard Rubio i Vives (born ...")
        opening = " ".join(paragraph.sentences[:1]).lower()
        if tidy_title(paragraph.title).lower() == wanted or re.match(rf"{re.escape(wanted)},? \(", opening):
            return paragraph_kind(paragraph)
    return ""


def paragraph_kind(paragraph: Paragraph) -> str:
    """What a paragraph is about: by its bracketed word, else by what its first sentence calls it; "" if unknown."""
    known = gazetteer().kind_of_noun
    bracket = re.search(r"\(([^()]*)\)$", paragraph.title)
    if bracket is not None:
        for word in reversed(bracket.group(1).lower().split()):
            # "(series)" may be one of books or of episodes
            if word in known and word != "series":
                return known[word]
    first = tidy_sentence(paragraph.sentences[0]) if paragraph.sentences else ""
    if re.search(r"\(.{0,80}\bborn\b|\(.{0,60}\d{4} \u2013 .{0,30}\d{4}\)", first[:200]):
        return "person"
    noun = defining_noun(first)
    return known.get(noun, "")


def defining_noun(sentence: str) -> str:
    """The noun by which a sentence defines its subject: "X is an American *singer* and ..."; "" where it does not."""
    known = gazetteer().kind_of_noun
    match = _DEFINES.search(sentence)
    if match is None:
        return ""
    predicate = match.group("predicate")
    head = _CUT.split(_SERIES.sub("", predicate))[0]
    for word in reversed(re.findall(r"[\w-]+", head.lower())):
        word = word if word in known else word.removesuffix("s")
        if word in known:
            return word
    return ""


def definition(paragraph: Paragraph) -> str:
    """The whole defining phrase of a paragraph ("monthly women's magazine"); "" where there is none."""
    first = tidy_sentence(paragraph.sentences[0]) if paragraph.sentences else ""
    match = _DEFINES.search(first)
    if match is None:
        return ""
    phrase = _CUT.split(match.group("predicate"))[0].split(" and ")[0].strip()
    return phrase if 1 <= len(phrase.split()) <= 7 else ""


def looks_like_person(name: str) -> bool:
    """Two to five capitalised words that begin with a given name or an initial and end with no thing's word."""
    words = re.sub(r"\"[^\"]*\"", "", name).split()
    known = gazetteer()
    if not 2 <= len(words) <= 5 or not all(
        word[:1].isupper() or word in {"de", "van", "von", "i", "y"} for word in words
    ):
        return False
    if len(words[-1]) == 1:
        return False
    if words[-1].lower() in known.kind_of_noun and words[-1].lower() not in {"king", "bishop", "baron", "prince"}:
        return False
    return words[0] in known.given_names or re.fullmatch(r"(?:[A-Z]\.)+", words[0]) is not None
