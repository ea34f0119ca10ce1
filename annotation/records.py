"""What a reader yields: plain, immutable rows between a file and the database. Knows no Django."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRecord:
    """One pair of the public pairs format. Role order is the list's; a candidate is text, '' (legal) or None."""

    pair_id: str
    task: str
    roles: tuple[str, str]
    candidates: tuple[str | None, str | None]
    context: str | None = None
    split: str = ""
    tier: str | None = None
    target: str | None = None
    cluster: str = ""
    artifact_kind: str = ""
    artifact_role: str = ""
    domain: str = ""
    source_dataset: str = ""
    source_id: str = ""
    source_licence: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)

    def content_hash(self) -> str:
        """SHA-256 over everything the pair says, its id included; equal text under two ids is two pairs."""
        body = [getattr(self, name) for name in self.__slots__ if name not in {"split", "meta"}]
        body.append(self.meta)
        text = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def text_hash(self) -> str:
        """SHA-256 over task, context and the two candidates in order: equal for duplicates under other ids."""
        text = json.dumps([self.task, self.context, *self.candidates], ensure_ascii=False)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRecord:
    """One label of the public labels format: ``label`` is a declared category (or a list for multi-select)."""

    pair_id: str
    annotator: str
    label: str | tuple[str, ...]
    question: str = ""
    kind: str = "label"
    shown_as_a: str = ""
    seconds: float | None = None
    comment: str = ""
    round: str = ""
    revision: int | None = None
    row: int = 0


@dataclass(frozen=True, slots=True)
class Excluded:
    """A well-formed foreign item that cannot qualify, with its name and the reason. Not an error."""

    item_id: str
    reason: str
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something kept as it is but worth telling: booleans turned into text, duplicates, a side that names itself."""

    code: str
    message: str
    row: int | None = None
    item_id: str = ""
