"""What an endpoint has refused before, per address and model, remembered for as long as the process lives."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Quirk:
    """``applies`` to a body that holds what is refused; ``adapt`` changes a shallow copy; ``pattern`` is how the
    refusal is recognised where the endpoint does not name the parameter; ``parameters`` the names it may give."""

    name: str
    parameters: tuple[str, ...]
    pattern: re.Pattern[str]
    applies: Callable[[Mapping[str, Any]], bool]
    adapt: Callable[[Body], None]


class QuirkMemory:
    """Quirks by (address, model), in the order they were learned."""

    def __init__(self, quirks: tuple[Quirk, ...]) -> None:
        self._known = quirks
        self._learned: dict[tuple[str, str], list[Quirk]] = {}

    def adapted(self, place: tuple[str, str], body: Body) -> Body:
        """``body`` itself where nothing is known against it, else a changed copy."""
        copy = body
        for quirk in self._learned.get(place, ()):
            if quirk.applies(copy):
                copy = dict(copy)
                quirk.adapt(copy)
        return copy

    def learn(self, place: tuple[str, str], reply: bytes, sent: Mapping[str, Any]) -> str:
        """The quirk that explains why ``sent`` was refused, now remembered; '' where none does."""
        parameter, message = _complaint(reply)
        candidates = [quirk for quirk in self._known if quirk.applies(sent)]
        named = [quirk for quirk in candidates if parameter and parameter in quirk.parameters]
        told = [quirk for quirk in candidates if quirk.pattern.search(message)]
        for quirk in named or told:
            learned = self._learned.setdefault(place, [])
            if quirk not in learned:
                learned.append(quirk)
            return quirk.name
        return ""

    def forget(self) -> None:
        self._learned.clear()


def _complaint(reply: bytes) -> tuple[str, str]:
    """The parameter an error names, or '', and its words."""
    text = reply[:4_000].decode("utf-8", "replace")
    try:
        body = json.loads(reply)
    except (ValueError, RecursionError):
        return "", text
    error = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(error, str):
        return "", error
    if not isinstance(error, dict):
        return "", text
    parameter = error.get("param")
    message = error.get("message") or error.get("detail") or text
    return str(parameter or "").partition(".")[0].partition("[")[0], str(message)[:4_000]
