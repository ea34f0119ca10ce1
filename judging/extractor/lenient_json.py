"""Reading the JSON objects of a reply: as JSON, and where that fails with a few repairs that cannot alter a value.

Mended, and told: trailing commas, comments, single or typographic quotation marks, bare keys, escapes JSON does not
know, and closing brackets missing at the very end. Not mended: a string that never ends, a bare value, a quotation
mark inside a string. What follows such a place may be anything, so the object stays unreadable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_MAX_DEPTH = 60
#: After so many places that open like an object and are none, the reply is not worth reading further.
_MAX_FAILURES = 500

_BARE_KEY = re.compile(r"[A-Za-z_$][A-Za-z0-9_$\-]*")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|Infinity|NaN)(?![\w.])")
_WORDS = {"true": True, "false": False, "null": None}
_LOW_SURROGATE = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_WORD = re.compile(r"[A-Za-z]+")
_REST_IS_NOTHING = re.compile(r"\s*`{0,3}\s*\Z")
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
# What may close a string, by what opened it.
_CLOSERS = {'"': '"', "'": "'", "“": '”“"', "”": '”"', "„": '“”"', "‘": "’'", "’": "’'"}
_STOPS = {opener: re.compile(f"[{re.escape(closers)}\\\\]") for opener, closers in _CLOSERS.items()}


@dataclass(frozen=True, slots=True)
class FoundObject:
    """One outermost object of a text: its members in order (a key may occur twice) and where it stands."""

    members: tuple[tuple[str, Any], ...]
    start: int
    end: int
    repaired: bool


@dataclass(frozen=True, slots=True)
class BrokenObject:
    """Text that opens like an object (a key and a colon) and cannot be read to its end."""

    start: int
    end: int


class _Unreadable(Exception):
    def __init__(self, *, has_key: bool = False) -> None:
        super().__init__()
        self.has_key = has_key


def find_objects(text: str) -> Iterator[FoundObject | BrokenObject]:
    """Every outermost object in ``text``, in order, readable or broken; braces that open none are passed over."""
    position = text.find("{")
    failures = 0
    ends: dict[int, int] | None = None
    while position >= 0:
        reader = _Reader(text, position)
        try:
            members = reader.object_members(depth=0)
        except _Unreadable as problem:
            failures += 1
            if problem.has_key or failures > _MAX_FAILURES:
                ends = _naive_ends(text) if ends is None else ends
                yield BrokenObject(position, ends.get(position, len(text)))
            if failures > _MAX_FAILURES:
                return
            position = text.find("{", position + 1)
        else:
            yield FoundObject(tuple(members), position, reader.at, reader.repaired)
            position = text.find("{", reader.at)


def decode_whole_string(text: str) -> str | None:
    """The content of a reply that is one JSON string literal (an object encoded twice), or None."""
    stripped = text.strip()
    if len(stripped) < 2 or stripped[0] != '"' or stripped[-1] != '"':
        return None
    reader = _Reader(stripped, 0)
    try:
        value = reader.string()
    except _Unreadable:
        return None
    return value if reader.at == len(stripped) and not reader.repaired else None


def _naive_ends(text: str) -> dict[int, int]:
    """For each opening brace where its braces balance when strings are ignored; absent where they never do."""
    ends: dict[int, int] = {}
    open_braces: list[int] = []
    for brace in re.finditer(r"[{}]", text):
        if brace.group() == "{":
            open_braces.append(brace.start())
        elif open_braces:
            ends[open_braces.pop()] = brace.end()
    return ends


class _Reader:
    """A cursor over ``text``. Linear; every value is read once, at most ``_MAX_DEPTH`` deep."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.repaired = False

    def object_members(self, depth: int) -> list[tuple[str, Any]]:
        members: list[tuple[str, Any]] = []
        has_key = False
        try:
            self.at += 1
            self._skip()
            while not self._closes("}"):
                key = self._key()
                self._skip()
                self._expect(":")
                has_key = True
                members.append((key, self._value(depth + 1)))
                self._separator("}")
        except _Unreadable as problem:
            raise _Unreadable(has_key=has_key or problem.has_key) from None
        return members

    def string(self) -> str:
        opener = self.text[self.at]
        if opener not in _CLOSERS:
            raise _Unreadable
        self.repaired |= opener != '"'
        self.at += 1
        parts: list[str] = []
        while True:
            stop = _STOPS[opener].search(self.text, self.at)
            if stop is None:
                raise _Unreadable
            parts.append(self.text[self.at : stop.start()])
            self.at = stop.end()
            if stop.group() != "\\":
                return "".join(parts)
            parts.append(self._escape())

    def _value(self, depth: int) -> Any:
        self._skip()
        if depth > _MAX_DEPTH or self.at >= len(self.text):
            raise _Unreadable
        char = self.text[self.at]
        if char == "{":
            return dict(self.object_members(depth))
        if char == "[":
            return self._array(depth)
        if char in _CLOSERS:
            return self.string()
        return self._scalar()

    def _array(self, depth: int) -> list[Any]:
        items: list[Any] = []
        self.at += 1
        self._skip()
        while not self._closes("]"):
            items.append(self._value(depth + 1))
            self._separator("]")
        return items

    def _scalar(self) -> Any:
        if number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            spelled = number.group()
            return (
                int(spelled) if re.fullmatch(r"[+-]?\d{1,18}", spelled) else float(spelled.replace("Infinity", "inf"))
            )
        word = _WORD.match(self.text, self.at)
        if word is None or word.group() not in _WORDS:
            raise _Unreadable
        self.at = word.end()
        return _WORDS[word.group()]

    def _key(self) -> str:
        if self.at < len(self.text) and self.text[self.at] in _CLOSERS:
            return self.string()
        bare = _BARE_KEY.match(self.text, self.at)
        if bare is None:
            raise _Unreadable
        self.at = bare.end()
        self.repaired = True
        return bare.group()

    def _separator(self, closer: str) -> None:
        """After a member: a comma (one before the closer is a repair), the closer, or nothing more at all."""
        self._skip()
        if self._peek() == ",":
            self.at += 1
            self._skip()
            if self._peek() == closer:
                self.repaired = True
            elif self._at_end():
                raise _Unreadable  # a comma promises a member that never came: the reply was cut
            return
        if self._peek() != closer and not self._at_end():
            raise _Unreadable

    def _closes(self, closer: str) -> bool:
        if self._peek() == closer:
            self.at += 1
            return True
        if self._at_end():
            if self.text[self.at - 1] in "{[":
                raise _Unreadable  # nothing was written yet, so nothing can be completed
            self.at = len(self.text)
            self.repaired = True
            return True
        return False

    def _at_end(self) -> bool:
        return _REST_IS_NOTHING.match(self.text, self.at) is not None

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _expect(self, char: str) -> None:
        if self._peek() != char:
            raise _Unreadable
        self.at += 1

    def _skip(self) -> None:
        text = self.text
        while self.at < len(text):
            if text[self.at].isspace():
                self.at += 1
            elif text.startswith("//", self.at) or text[self.at] == "#":
                end = text.find("\n", self.at)
                self.at = len(text) if end < 0 else end + 1
                self.repaired = True
            elif text.startswith("/*", self.at):
                end = text.find("*/", self.at + 2)
                if end < 0:
                    raise _Unreadable
                self.at = end + 2
                self.repaired = True
            else:
                return

    def _escape(self) -> str:
        char = self._peek()
        self.at += 1
        if char == "u":
            return self._unicode_escape()
        if char in _ESCAPES:
            return _ESCAPES[char]
        # A backslash JSON does not know is kept: it is most often LaTeX or a Windows path inside a reason.
        self.repaired = True
        return char if char == "'" else "\\" + char

    def _unicode_escape(self) -> str:
        digits = self.text[self.at : self.at + 4]
        if re.fullmatch(r"[0-9a-fA-F]{4}", digits) is None:
            self.repaired = True
            return "\\u"
        self.at += 4
        code = int(digits, 16)
        if 0xD800 <= code < 0xDC00 and (low := _LOW_SURROGATE.match(self.text, self.at)):
            self.at += 6
            return chr(0x10000 + ((code - 0xD800) << 10) + (int(low.group(1), 16) - 0xDC00))
        return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)
