"""Which encoding a text file is in, told by its first bytes; and whether a text can be stored at all."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import TextIO

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def encoding_of(head: bytes) -> str:
    """The encoding of a file that begins with ``head``: its byte order mark, else UTF-16 by its zero
    bytes, else UTF-8.

    Spreadsheets save "Unicode text" as UTF-16, sometimes without the mark; Latin letters then leave every
    second byte zero, which no UTF-8 text does.
    """
    for mark, name in _BOMS:
        if head.startswith(mark):
            return name
    even, odd = head[0:200:2], head[1:200:2]
    if len(odd) >= 2 and odd.count(0) > len(odd) * 0.6 and even.count(0) == 0:
        return "utf-16-le"
    if len(even) >= 2 and even.count(0) > len(even) * 0.6 and odd.count(0) == 0:
        return "utf-16-be"
    return "utf-8"


def open_text(path: Path, *, newline: str) -> TextIO:
    """The file as text, without its byte order mark.

    Bytes that are not UTF-8 arrive as lone surrogates, so that the reader can name the very row and field;
    a broken UTF-16 file raises ``UnicodeDecodeError`` while it is read.
    """
    with path.open("rb") as handle:
        encoding = encoding_of(handle.read(400))
    errors = "surrogateescape" if encoding.startswith("utf-8") else "strict"
    return path.open(encoding=encoding, errors=errors, newline=newline)


def why_unstorable(text: str) -> tuple[str, str] | None:
    """(message, remedy) where ``text`` holds what no database or UTF-8 file can keep; None where it is
    sound."""
    if "\x00" in text:
        return "holds the character U+0000.", "Remove it: databases cannot store it."
    if text.isascii():
        return None
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        if 0xDC80 <= code <= 0xDCFF:
            return (
                f"holds the byte 0x{code - 0xDC00:02X}, which is not UTF-8.",
                "Save the file as UTF-8 or UTF-16.",
            )
        return f"holds half a character (lone surrogate U+{code:04X}).", "Repair or remove the character."
    return None
