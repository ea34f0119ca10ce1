"""What a format is: a name, how it is recognised, and the readers it offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from annotation.construction.items import Item
from annotation.formats.source import Sample, Source
from annotation.records import Excluded, LabelRecord, Oddity, PairRecord

PairRows = Iterator[PairRecord | Excluded | Oddity]
LabelRows = Iterator[LabelRecord | Excluded | Oddity]
ItemRows = Iterator[Item | Excluded | Oddity]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One public format. A reader yields records and notes problems in ``source.problems``; it never
    raises them.

    ``words`` is one line for pages and messages; ``recognises`` looks at the first rows only.
    """

    name: str
    words: str
    recognises: Callable[[Sample], bool]
    pairs: Callable[[Source], PairRows] | None = None
    labels: Callable[[Source], LabelRows] | None = None
    items: Callable[[Source], ItemRows] | None = None
