"""Does a cited span stand in the source? Compared without regard to case, spacing and kinds of quotation mark."""

from __future__ import annotations

import re
import unicodedata

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-"})
_SHORTEST = 8
_ELLIPSIS = re.compile(r"\s*(?:\[?\.{3}\]?|\[?…\]?)\s*")


def occurs_in(span: str, source: str) -> bool:
    """Whether the span, or each of its parts around an ellipsis, occurs in ``source``.

    Spans of fewer than eight characters prove nothing and do not count.
    """
    # The ellipsis is looked for first: NFKC would turn … into three dots that might be the source's own.
    parts = [flat for part in _ELLIPSIS.split(span) if (flat := _flat(part).strip("\"' .,;:"))]
    text = _flat(source)
    return bool(parts) and all(len(part) >= _SHORTEST and part in text for part in parts)


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).translate(_QUOTES)).casefold().strip()
