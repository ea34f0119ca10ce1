"""Chat messages as a task and its context: what public preference sets call a prompt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.formats.cells import Cells


def task_and_context(cells: Cells, field: str) -> tuple[str, str | None]:
    """(last message, the messages before it as one text) of a prompt that is a text or a list of role and content.

    Refuses a prompt of any other shape, or an empty list.
    """
    value = cells.row.cells.get(field)
    if isinstance(value, str):
        return cells.as_text(field, value, count_numbers=False), None
    messages = _messages(cells, field, value)
    if not messages:
        cells.refuse(field, *_SHAPE)
        return "", None
    return messages[-1][1], _as_text(messages[:-1])


def last_answer(cells: Cells, field: str) -> str | None:
    """The candidate in ``field``: a text, null, or the last message of a list of role and content."""
    value = cells.row.cells.get(field)
    if not isinstance(value, list):
        return cells.as_passage(field, value)
    messages = _messages(cells, field, value)
    if not messages:
        cells.refuse(field, *_SHAPE)
        return None
    return messages[-1][1]


def prompt_of(cells: Cells, field: str) -> tuple[str, str | None]:
    """Task and context from a candidate's own conversation, where the row has no prompt: all but its last message."""
    messages = _messages(cells, field, cells.row.cells.get(field))
    if len(messages) < 2:
        cells.refuse("prompt", "is missing.", "Every row needs a prompt, or conversations that begin with it.")
        return "", None
    return messages[-2][1], _as_text(messages[:-2])


_SHAPE = ("is neither a text nor a list of role and content.", "Take the set's own export.")


def _as_text(messages: list[tuple[str, str]]) -> str | None:
    return "\n\n".join(f"[{role}]\n{content}" for role, content in messages) or None


def _messages(cells: Cells, field: str, value: Any) -> list[tuple[str, str]]:
    """(role, content) of each message, in OpenAI's names or ShareGPT's; empty where the shape is another."""
    found: list[tuple[str, str]] = []
    for message in value if isinstance(value, list) else ():
        if not isinstance(message, Mapping):
            return []
        role, content = message.get("role", message.get("from")), message.get("content", message.get("value"))
        if not isinstance(role, str) or not isinstance(content, str):
            return []
        found.append((role, cells.as_text(field, content, count_numbers=False)))
    return found
