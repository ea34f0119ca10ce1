"""The ``json`` style: the verdict is the value of one key of an outermost object, wherever in the reply it stands.

A key of a nested object, a string that quotes an object, and words outside every object are other channels.
"""

from __future__ import annotations

import json
import re
from typing import Any

from judging.extractor.labels import tidy, to_label
from judging.extractor.lenient_json import BrokenObject, FoundObject, decode_whole_string, find_objects
from judging.extractor.result import MALFORMED, MISSING_KEY, NO_VERDICT, ChannelReading, Claim


def read_json(text: str, *, key: str = "winner") -> ChannelReading:
    """Every value that ``key`` (cased as it may be) takes in the reply's outermost objects."""
    encoded_twice = decode_whole_string(text)
    if encoded_twice is not None and "{" in encoded_twice:
        text = encoded_twice
    mention = re.compile(re.escape(key), re.IGNORECASE)
    claims: list[Claim] = []
    nothing = NO_VERDICT
    for found in find_objects(text):
        if isinstance(found, BrokenObject):
            if mention.search(text, found.start, found.end):
                return ChannelReading(nothing=MALFORMED, unreadable=True)
            nothing = MALFORMED
            continue
        if nothing == NO_VERDICT:
            nothing = MISSING_KEY
        claims += _claims(text, found, key=key, encoded_twice=encoded_twice is not None)
    return ChannelReading(claims=tuple(claims), nothing=nothing)


def _claims(text: str, found: FoundObject, *, key: str, encoded_twice: bool) -> list[Claim]:
    fields = dict(found.members)
    return [
        Claim(
            label=to_label(value) if isinstance(value, str) else None,
            said=_said(value),
            quote=text[found.start : found.end],
            repaired=found.repaired or encoded_twice,
            fields=fields,
        )
        for name, value in found.members
        if name.strip().casefold() == key
    ]


def _said(value: Any) -> str:
    if not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    return to_label(value) or tidy(value).casefold()
