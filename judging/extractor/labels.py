"""From the words of a verdict's value to a label: strict, so that "A or B", "both" and "C" are no labels."""

from __future__ import annotations

import re
import unicodedata

#: Words a judge puts before the letter. The pair is shown as candidates; other harnesses say the rest.
_NOUNS = r"(?:candidate|response|answer|assistant|output|option|model|summary|text|system|choice)"
_LABEL = re.compile(rf"(?:(?:the )?{_NOUNS}[ _\-]?)?(\()?([ab])(?(1)\))|(tie)", re.IGNORECASE)
_WRAPPING = " \t\r\n*_`\"'“”‘’"


def tidy(value: str) -> str:
    """The value in NFKC, without surrounding space, emphasis, quotes and one final full stop."""
    text = unicodedata.normalize("NFKC", value).strip(_WRAPPING)
    return re.sub(r"\s+", " ", text.removesuffix(".").strip(_WRAPPING))


def to_label(value: str) -> str | None:
    """``A``, ``B`` or ``Tie`` where the whole value is one label, however cased or introduced; else None."""
    found = _LABEL.fullmatch(tidy(value))
    if found is None:
        return None
    return "Tie" if found.group(3) else found.group(2).upper()
