"""What a verdict format is: a name, how it is recognised, and its reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from annotation.formats.source import Sample, Source
from annotation.records import Oddity
from judging.records import VerdictRecord

VerdictRows = Iterator[VerdictRecord | Oddity]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictFormat:
    """One format of verdicts. A reader yields records and notes problems in ``source.problems``; it never raises them.

    ``words`` is one line for pages and messages; ``recognises`` looks at the first rows only. ``foreign`` formats have
    no column for repeats: a comparison that occurs again is numbered on, where the public format refuses it.
    """

    name: str
    words: str
    recognises: Callable[[Sample], bool]
    read: Callable[[Source], VerdictRows]
    foreign: bool = True
