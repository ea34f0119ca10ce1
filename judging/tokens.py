"""How many tokens a request may cost before the provider has said so. Characters are all there is to go by."""

from __future__ import annotations

from collections.abc import Iterable

from judging.protocols.comparison import Message

#: Tokens that wrap a message, besides its words.
PER_MESSAGE = 6


def likely_tokens(messages: Iterable[Message]) -> int:
    """Four characters a token, the usual figure for English prose."""
    return sum(PER_MESSAGE + len(message.content) // 4 for message in messages)


def tokens_at_least(messages: Iterable[Message]) -> int:
    return sum(len(message.content) // 6 for message in messages)


def tokens_at_most(messages: Iterable[Message]) -> int:
    """Two bytes a token: dense text in a small vocabulary. What a call is charged while its true usage is unknown."""
    return sum(PER_MESSAGE + len(message.content.encode("utf-8", "replace")) // 2 for message in messages)
