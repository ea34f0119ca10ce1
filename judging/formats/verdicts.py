"""Verdict files in any known format to VerdictRecord rows. Knows neither Django nor the network.

The format is recognised by the first rows (``detect``), or given by name (``format=``, see ``FORMATS``). Raw replies in
foreign files go through the extractor, in the style their harness asked for; docs/formats.md says how each is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from annotation.formats.source import Source, open_source
from annotation.formats.tabular import sample
from annotation.records import Oddity
from judging.formats import (
    arena_hard,
    completions,
    fastchat,
    judge_labels,
    llmbar_results,
    mtbench_votes,
    public,
    vicuna_reviews,
)
from judging.formats.public import FIELDS
from judging.formats.registry import VerdictFormat, VerdictRows
from judging.formats.repeats import number_repeats, refuse_repeats
from judging.records import VerdictRecord

__all__ = ["FIELDS", "FORMATS", "detect", "read_verdicts"]

#: Every format, in the order in which they are asked whether a file is theirs. A new format is one line here.
FORMATS: dict[str, VerdictFormat] = {
    known.name: known
    for known in (
        fastchat.FORMAT,
        arena_hard.FORMAT,
        llmbar_results.FORMAT,
        vicuna_reviews.FORMAT,
        completions.FORMAT,
        judge_labels.FORMAT,
        mtbench_votes.FORMAT,
        public.FORMAT,
    )
}


def detect(path: str | Path) -> str:
    """The name of the file's format; raises ``InputFileError`` where no format recognises it."""
    return _detect(open_source(path)).name


def read_verdicts(path: str | Path, *, format: str | None = None) -> Iterator[VerdictRecord | Oddity]:
    """Yield the verdicts of a file, and at the end an Oddity for each kind of thing worth telling, with its number.

    The whole file is read before it is refused, so that every problem is told at once: InputFileError is
    raised after the last row, and whoever stores rows must store none until the iterator ends. In the public format
    two rows for one comparison and phase are a problem; in the foreign ones the second is a repeat. Whether the pair
    ids and roles exist is the caller's to check.
    """
    source = open_source(path)
    chosen = _named(source, format) if format is not None else _detect(source)
    return _checked(source, chosen)


def _named(source: Source, name: str) -> VerdictFormat:
    if name not in FORMATS:
        _refuse(source, f"{name!r} is not a known format of verdicts.", f"Known formats: {', '.join(FORMATS)}.")
    return FORMATS[name]


def _detect(source: Source) -> VerdictFormat:
    first = sample(source)
    for known in FORMATS.values():
        if known.recognises(first):
            return known
    if not first.names:
        # Too broken, or too empty, to show its first rows: the public reader tells what is wrong with each.
        return public.FORMAT
    remedy = f"State it with --format; known formats: {', '.join(FORMATS)}."
    found = ", ".join(sorted(first.names)[:12])
    return _refuse(source, f"is in no format of verdicts that is known here (its fields: {found}).", remedy)


def _refuse(source: Source, message: str, remedy: str) -> NoReturn:
    source.problems.add(None, "format", message, remedy)
    source.problems.raise_if_any()
    raise AssertionError("a problem was just noted")


def _checked(source: Source, chosen: VerdictFormat) -> VerdictRows:
    log = source.problems
    records = chosen.read(source)
    records = number_repeats(records) if chosen.foreign else refuse_repeats(records, log)
    told: dict[str, tuple[Oddity, int]] = {}
    empty = True
    for record in records:
        if isinstance(record, Oddity):
            first, number = told.get(record.code, (record, 0))
            told[record.code] = first, number + 1
        else:
            empty = False
            yield record
    for first, number in told.values():
        more = f" So in {number} rows, of which this is the first." if number > 1 else ""
        yield replace(first, message=f"{first.message}{more}")
    if empty and not log.total:
        log.add(None, "file", "holds no verdict.", "Give a file with rows.")
    log.raise_if_any()
