"""Repairs the damage that public copies carry, so that candidates read well; both sides of a pair alike."""

from __future__ import annotations

import html
import re

# HotpotQA: what is left of pronunciations, lost dashes between years of life, markup
_QUOTE_DICT = re.compile(r"\s*\{(?:'\d+': \"?,? ?'?)+[^{}]*\}")
_HOLLOW = re.compile(r"\(\s*[\])]?\s*(?:[,;]\s*)+")
_EMPTY = re.compile(r"\s*\((?:\s|[\[\],;])*\)")
_STRAY = re.compile(r"(?<=[\s(,;\"])\](?=[\s,;.)])")
_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_YEARS = re.compile(rf"\b\d{{4}}(?=(?:\d{{1,2}} )?{_MONTH} (?:\d{{1,2}}, )?\d{{4}}\b)")
_CROWDED = re.compile(r"[,;]\s*(?=[;)])()")
_SPACE_BEFORE = re.compile(r"\s+([,.;:!?)](?!\w))")
_SPACES = re.compile(r"\s+")

# FinQA: tokenised text, and characters beyond ASCII whose code point lost its escape
_LOST_CHARACTERS = (
    (re.compile(r"(?<=\w) ?2019(?=(?:s|t|re|ve|ll|d|m)\b)"), "'"),
    (re.compile(r"(?<=s) 2019(?= )(?! (?:and|was|were|is|to|compared|as|,|\.))(?= [a-z])"), "'"),
    (re.compile(r"\b201c ?(?=\S)"), '"'),
    (re.compile(r" ?201d(?=\W|$)"), '"'),
    (re.compile(r"\b2018(?=[a-z])"), "'"),
    (re.compile(r"(?<= )(?:2013|2014)(?=[a-z])"), "- "),
    (re.compile(r"\ba0(?=\w)|(?<=\s)a0(?=\s)"), ""),
)
_RUNNING_HEAD = re.compile(
    r"^notes to (?:the )?consolidated financial statements(?: 201[34])?(?: \( ?continued ?\))? (?=\w)"
)
_TWICE = re.compile(r"(-?\$? ?[\d.,]+) ?(%)? \( ?(-?[\d.,]+) ?(%)? ?\)")
_NEGATIVE_SHARE = re.compile(r"\( ?([\d.]+) ?\) ?% ?\( *% *\)")
_SHARE = re.compile(r"% ?\( *% *\)")
_MONEY = re.compile(r"\$ +(?=[\d.-])")
_INSIDE = re.compile(r"\(\s+|\s+\)")
_ABBREVIATED = re.compile(r"\b([a-z])\.([a-z]) \.(?=\s|$)")
_RUN_ON = re.compile(rf"({_MONTH} \d{{1,2}}) ?(?=(?:19|20)\d\d\b)", re.IGNORECASE)
_MONTH_NAME = re.compile(rf"\b{_MONTH}(?= \d)|\b(?!may|march){_MONTH}\b", re.IGNORECASE)
_NEGATIVE_MONEY = re.compile(r"\$-(?=[\d.])")
_COUNTRY = re.compile(r"\bu\.s\.")


def tidy_sentence(text: str) -> str:
    """A HotpotQA sentence without markup residue. Words, numbers and names stay as they are."""
    text = html.unescape(text)
    text = _QUOTE_DICT.sub("", text)
    text = _STRAY.sub("", text)
    text = _EMPTY.sub("", text)
    text = _HOLLOW.sub("(", text)
    text = _YEARS.sub(lambda match: match.group() + " \u2013 ", text)
    text = _SPACE_BEFORE.sub(r"\1", text)
    text = _CROWDED.sub(r"\1", text)
    text = _SPACES.sub(" ", text.replace("( ", "(")).strip()
    return _close_quote(text)


def _close_quote(text: str) -> str:
    """Sentence splitting leaves quotation marks without their partner."""
    if text.count('"') % 2 == 0:
        return text
    if text.endswith(' "'):
        return text[:-2].rstrip()
    if text.startswith('" '):
        return text[2:].lstrip()
    first = text.index('"')
    # a mark glued to the word before it closes a quotation whose opening was cut off
    if first and text[first - 1] not in " (" and (first + 1 == len(text) or text[first + 1] in " ,.;)"):
        return '"' + text
    return text + '"'


def tidy_title(title: str) -> str:
    """A title as prose names it: without markup and without the bracketed words that tell namesakes apart."""
    plain = _SPACES.sub(" ", html.unescape(title)).strip()
    core = re.sub(r"\s*\([^()]*\)$", "", plain)
    return core or plain


def tidy_question(text: str) -> str:
    """A question with single spaces, its punctuation attached, and a capital to begin with."""
    text = _SPACE_BEFORE.sub(r"\1", _SPACES.sub(" ", html.unescape(text))).strip()
    return text[:1].upper() + text[1:]


def tidy_report(text: str) -> str:
    """A sentence or cell of a FinQA report with its lost apostrophes and its spacing restored."""
    text = _RUNNING_HEAD.sub("", text)
    for pattern, character in _LOST_CHARACTERS:
        text = pattern.sub(character, text)
    text = _NEGATIVE_SHARE.sub(r"-\1%", text)
    text = _SHARE.sub("%", _TWICE.sub(_once, text))
    text = _MONEY.sub("$", text)
    text = _NEGATIVE_MONEY.sub("-$", text)
    text = _RUN_ON.sub(r"\1, ", text)
    text = _MONTH_NAME.sub(lambda match: match.group().capitalize(), text)
    text = _INSIDE.sub(lambda match: match.group().strip(), text)
    text = _ABBREVIATED.sub(r"\1.\2.", text)
    text = _COUNTRY.sub("U.S.", text)
    text = re.sub(r"(\d) %", r"\1%", text)
    text = _SPACE_BEFORE.sub(r"\1", _SPACES.sub(" ", text)).strip()
    return re.sub(r"[:.]\s*\.$", ".", text)


def _once(match: re.Match[str]) -> str:
    """FinQA writes negatives and percentages twice: "-2 ( 2 )", "12% ( 12 % )"."""
    first, percent, second, percent_again = match.groups()
    if first.replace("$", "").replace(" ", "").lstrip("-") != second.lstrip("-") or bool(percent) != bool(
        percent_again
    ):
        return match.group()
    return first + (percent or "")


def sentence_case(text: str) -> str:
    """With a capital first letter and a full stop at the end."""
    text = text.strip()
    if not text:
        return text
    text = text[:1].upper() + text[1:]
    text = re.sub(r"(?<=[!?])\.$", "", text)
    return text if re.search(r"[.!?][\"')\]]*$", text) else text + "."
