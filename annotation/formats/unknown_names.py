"""Columns and keys that a public format does not know: left out, and told once with what was likely meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from annotation.records import Oddity


def unknown_names(found: Mapping[str, int], known: Iterable[str]) -> Iterable[Oddity]:
    """One oddity naming the columns that were left out, with the name each was likely meant to be."""
    if found:
        named = []
        for name in sorted(found):
            near = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.75)
            named.append(f"{name} (meant: {near[0]}?)" if near else name)
        message = f"Left out, because the format does not know them: {', '.join(named)}. Put extra facts into meta."
        yield Oddity("unknown_columns", message, min(found.values()))
