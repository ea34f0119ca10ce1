"""Prompt files: found, filled in one pass, and hardened against what a candidate may contain."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from judging.errors import PromptError

PROMPTS = Path(__file__).resolve().parent.parent / "prompts"

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
#: The blocks a prompt may open. A candidate that writes one of these tags gets it disarmed.
BLOCK_NAMES = (
    "task_text",
    "source_text",
    "candidate_a",
    "candidate_b",
    "candidate_text",
    "record_a",
    "record_b",
    "judge_reasoning",
)
_INVISIBLE = "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]*"


def _spelled_loosely(name: str) -> str:
    letters = (r"[_\-\s]?" if letter == "_" else re.escape(letter) for letter in name)
    return _INVISIBLE.join(letters)


_TAG = re.compile(
    rf"[<＜](?i:(?={_INVISIBLE}\s*{_INVISIBLE}[/／]?{_INVISIBLE}\s*{_INVISIBLE}"
    rf"(?:{'|'.join(_spelled_loosely(name) for name in BLOCK_NAMES)})))"
)
#: Without any of these in it a text holds nothing to disarm.
_MARKS = ("<", "＜", "INST]")
_CHAT_MARKUP = re.compile(
    r"<(?=\|[A-Za-z0-9_\-. ]{1,40}\|>|｜[^<>｜]{1,40}｜>|/?s>|(?:bos|eos|start_of_turn|end_of_turn)>|</?SYS>>)"
    r"|\[(?=/?INST\])"
)


@cache
def read_prompt(name: str) -> str:
    """The text of a prompt file below judging/prompts, line ends as \\n. Raises PromptError where it is absent."""
    path = PROMPTS / name
    try:
        return path.read_text(encoding="utf-8").replace("\r\n", "\n").strip("\n")
    except FileNotFoundError:
        raise PromptError(f"the prompt file {name} does not exist") from None


@cache
def placeholders(template: str) -> tuple[str, ...]:
    """The names a template asks for, in order of first mention."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(template)))


def fill(template: str, values: Mapping[str, str]) -> str:
    """``template`` with every {{name}} replaced once; what is filled in is never searched for names again.

    A line that holds nothing but a name whose value is empty disappears. Raises PromptError where a name has no
    value.
    """
    missing = [name for name in placeholders(template) if name not in values]
    if missing:
        raise PromptError(f"no value for {', '.join(missing)}")
    lines = []
    for line in template.split("\n"):
        alone = _PLACEHOLDER.fullmatch(line.strip())
        if alone and not values[alone.group(1)]:
            continue
        lines.append(_PLACEHOLDER.sub(lambda found: values[found.group(1)], line))
    return "\n".join(lines)


def disarm(text: str) -> str:
    """``text`` with block tags and chat markup made harmless (their first bracket becomes ‹ or ⟦), else verbatim."""
    if not any(mark in text for mark in _MARKS):
        return text
    text = _TAG.sub("‹", text)
    return _CHAT_MARKUP.sub(lambda found: "‹" if found.group() == "<" else "⟦", text)


def block(name: str, text: str) -> str:
    """``text`` between the tags of ``name``, unable to close them."""
    return f"<{name}>\n{disarm(text)}\n</{name}>"
