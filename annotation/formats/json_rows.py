"""Rows of JSON Lines and of JSON arrays, one at a time, so that memory does not grow with the file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NoReturn, TextIO

from annotation.formats.encoding import open_text
from annotation.formats.source import Source

_CHUNK = 1 << 16
_SPACE = " \t\r\n"


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def json_lines(source: Source) -> Iterator[tuple[int, Any]]:
    """(line number, value) of every line that is not blank; a broken line becomes a problem and reading
    goes on.

    Only the newline ends a line: U+2028 and the like are text inside JSON strings.
    """
    number = 0
    try:
        with open_text(source.path, newline="\n") as handle:
            for number, line in enumerate(handle, start=1):
                text = line.strip(_SPACE + "\ufeff")
                if text:
                    try:
                        yield number, _decode_all(text)
                    except (ValueError, RecursionError) as error:
                        source.problems.add(number, "line", f"is not JSON ({_brief(error)}).", "Repair the line.")
    except UnicodeDecodeError as error:
        source.problems.add(number + 1, "line", f"cannot be decoded ({error.reason}).", "Save the file as UTF-8.")


def json_array(source: Source) -> Iterator[tuple[int, Any]]:
    """(element number from 1, value) of a file that is one JSON array, without holding the array in
    memory."""
    number = 0
    try:
        with open_text(source.path, newline="\n") as handle:
            for number, value in enumerate(_elements(handle), start=1):
                yield number, value
    except (ValueError, RecursionError) as error:
        # UnicodeDecodeError is a ValueError; either way nothing after this element can be found
        message = f"is not JSON ({_brief(error)})."
        source.problems.add(number + 1, "element", message, "Repair the file: it must be one JSON array.")


def json_document(source: Source) -> Any:
    """The whole file as one JSON value (for formats that are one object); None after noting a problem."""
    try:
        with open_text(source.path, newline="\n") as handle:
            return _decode_all(handle.read().strip(_SPACE + "\ufeff"))
    except (ValueError, RecursionError) as error:
        source.problems.add(None, "file", f"is not JSON ({_brief(error)}).", "Repair or export it again.")
        return None


def _decode_all(text: str) -> Any:
    value, end = _DECODER.raw_decode(text)
    if text[end:].strip(_SPACE):
        raise ValueError("something follows the value")
    return value


def _elements(handle: TextIO) -> Iterator[Any]:
    buffer = _Buffer(handle)
    if buffer.next_character() != "[":
        raise ValueError("no opening bracket")
    buffer.skip(1)
    if buffer.next_character() == "]":
        buffer.skip(1)
    else:
        while True:
            yield buffer.next_value()
            mark = buffer.next_character()
            buffer.skip(1)
            if mark == "]":
                break
            if mark != ",":
                raise ValueError("a comma or closing bracket is missing")
    if buffer.next_character():
        raise ValueError("something follows the array")


class _Buffer:
    """A sliding window over the text that always holds the element being parsed and little more."""

    def __init__(self, handle: TextIO) -> None:
        self.handle = handle
        self.text = handle.read(_CHUNK).lstrip("\ufeff")
        self.at = 0

    def next_character(self) -> str:
        """The next character that is not white space, not consumed; '' at the end."""
        while True:
            while self.at < len(self.text) and self.text[self.at] in _SPACE:
                self.at += 1
            if self.at < len(self.text):
                return self.text[self.at]
            if not self._read(_CHUNK):
                return ""

    def skip(self, count: int) -> None:
        self.at += count

    def next_value(self) -> Any:
        self.next_character()
        size = _CHUNK
        while True:
            try:
                value, end = _DECODER.raw_decode(self.text, self.at)
            except json.JSONDecodeError:
                # perhaps cut off by the window's edge: widen it (doubling keeps the cost linear) until the
                # file ends
                if not self._read(size):
                    raise
                size *= 2
                continue
            # a number that touches the edge may go on
            if end == len(self.text) and self._read(_CHUNK):
                continue
            self.at = end
            return value

    def _read(self, size: int) -> bool:
        more = self.handle.read(size)
        self.text = self.text[self.at :] + more
        self.at = 0
        return bool(more)


def _brief(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return str(error).splitlines()[0]
