"""What stands around a reply and is no part of it: thinking, chat markup, invisible characters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_INVISIBLE = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufe00-\ufe0f]")
_THINK_NAMES = r"(?:think|thinking|thought|thoughts|reasoning|scratchpad)"
_THINK_TAG = re.compile(
    rf"<\s*(?P<close>/)?\s*{_THINK_NAMES}\s*>|\[(?P<close2>/)?THINK\]|◁(?P<close3>/)?think▷", re.IGNORECASE
)
_ROLE_MARKUP = re.compile(
    r"<\|im_start\|>\s*(?:assistant|user|system)\b\n?"
    r"|<\|start_header_id\|>\s*\w+\s*<\|end_header_id\|>"
    r"|<start_of_turn>\s*(?:model|user)\b\n?"
    r"|<\|(?:assistant|user|system)\|>"
)
_SPECIAL = re.compile(
    r"<\|[A-Za-z0-9_\-. ]{1,40}\|>|<｜[^<>｜]{1,40}｜>|</?s>|<(?:bos|eos|pad|unk|end_of_turn|start_of_turn|EOT)>"
    r"|\[/?INST\]|<</?SYS>>|\[(?:BOS|EOS|PAD)\]",
)
_FINAL_CHANNEL = re.compile(r"<\|channel\|>\s*final[^<]{0,40}<\|message\|>")
_OTHER_CHANNEL = re.compile(r"<\|channel\|>\s*(?:analysis|commentary)")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The reply proper; ``unfinished_thinking`` when the thinking never ended, so that no reply was given."""

    text: str
    unfinished_thinking: bool = False


def clean(raw: str, *, quoted: Sequence[tuple[int, int]] = ()) -> Cleaned:
    """Strip what is no part of the answer.

    ``quoted`` are spans of ``raw`` (as ``visible`` returns it) in which a thinking tag is data, because it stands
    inside a JSON object that reads well.
    """
    text, unfinished = _without_thinking(raw, quoted)
    channel = list(_FINAL_CHANNEL.finditer(text))
    if channel:
        text = text[channel[-1].end() :]
    elif _OTHER_CHANNEL.search(text):
        return Cleaned("", unfinished_thinking=True)
    text = _SPECIAL.sub("", _ROLE_MARKUP.sub("", text))
    return Cleaned(text.strip(), unfinished)


def visible(raw: str) -> str:
    """``raw`` without byte-order marks, zero-width and direction characters; offsets of ``quoted`` count in it."""
    return _INVISIBLE.sub("", raw)


def has_thinking(text: str) -> bool:
    return _THINK_TAG.search(text) is not None


def _without_thinking(text: str, quoted: Sequence[tuple[int, int]]) -> tuple[str, bool]:
    """Blocks do not nest: a model that writes the opening tag twice closes its thinking once."""
    kept: list[str] = []
    inside = False
    position = 0
    for tag in _THINK_TAG.finditer(text):
        if any(start <= tag.start() < end for start, end in quoted):
            continue
        closes = bool(tag["close"] or tag["close2"] or tag["close3"])
        if closes and not inside:
            # The template opened the thinking in the prompt: all that precedes a lone closing tag is thinking.
            kept.clear()
        elif not closes and not inside:
            kept.append(text[position : tag.start()])
        inside = not closes
        position = tag.end()
    if not inside:
        kept.append(text[position:])
    return "".join(kept), inside
