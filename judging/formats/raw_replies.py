"""Raw judge replies, one JSON object a line, as ``extract_verdicts`` takes them. Knows no Django."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.formats.encoding import why_unstorable
from annotation.formats.json_rows import json_lines
from annotation.formats.problems import ProblemLog
from annotation.formats.source import open_source
from judging.extractor import LABELS

#: Bytes that are not UTF-8 arrive as these.
_BROKEN_BYTES = range(0xDC80, 0xDD00)


@dataclass(frozen=True, slots=True, kw_only=True)
class RawReply:
    """One stored reply. ``text`` is None where the endpoint sent null; ``id`` stands as the file gives it."""

    id: str | int
    text: str | None
    finish_reason: str | None = None
    offered: tuple[str, ...] = LABELS


def read_raw_replies(path: str | Path) -> Iterator[RawReply]:
    """Yield the replies of a JSON Lines file: ``id, text, finish_reason?, offered?``; other fields are passed over.

    Raises InputFileError after the last row, with every problem by row and field; use no reply before that.
    """
    source = open_source(path)
    log = source.problems
    number = 0
    for number, value in json_lines(source):
        reply = _reply(number, value, log)
        if reply is not None:
            yield reply
    if not number and not log.total:
        log.add(None, "file", "holds no reply.", "Give a file with one JSON object a line.")
    log.raise_if_any()


def _reply(row: int, value: Any, log: ProblemLog) -> RawReply | None:
    if not isinstance(value, Mapping):
        log.add(row, "line", "is not a JSON object.", 'Write {"id": ..., "text": ...}.')
        return None
    before = log.total
    identifier, text = value.get("id"), value.get("text")
    if isinstance(identifier, bool) or not isinstance(identifier, str | int) or identifier == "":
        log.add(row, "id", "is missing or is no text.", "Give every reply an id.")
    elif isinstance(identifier, str) and (trouble := why_unstorable(identifier)):
        log.add(row, "id", *trouble)
    if "text" not in value:
        log.add(row, "text", "is missing.", "Give the raw reply, or null where the endpoint sent null.")
    elif text is not None and not isinstance(text, str):
        log.add(row, "text", f"is a {type(text).__name__}, not text.", "Give the raw reply as it came.")
    elif text is not None and any(ord(character) in _BROKEN_BYTES for character in text):
        log.add(row, "text", "holds bytes that are not UTF-8.", "Save the file as UTF-8.")
    finish_reason = value.get("finish_reason")
    if finish_reason is not None and not isinstance(finish_reason, str):
        log.add(row, "finish_reason", "is no text.", "Give what the endpoint reported, or leave it out.")
    offered = value.get("offered")
    if offered is not None and not _is_offer(offered):
        log.add(row, "offered", "is no list of labels.", f"List some of {', '.join(LABELS)}, each once.")
    if log.total > before or not isinstance(identifier, str | int):
        return None
    return RawReply(
        id=identifier, text=text, finish_reason=finish_reason or None, offered=tuple(offered) if offered else LABELS
    )


def _is_offer(offered: Any) -> bool:
    return (
        isinstance(offered, list)
        and bool(offered)
        and all(label in LABELS for label in offered)
        and len(set(offered)) == len(offered)
    )
