"""Chance that is the same on every machine: everything is drawn from SHA-256 of the seed and the names involved."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterable
from typing import TypeVar

Thing = TypeVar("Thing")


def digest(*parts: str | int) -> str:
    """Hexadecimal SHA-256 of the parts; ("a", "bc") and ("ab", "c") differ."""
    text = json.dumps(list(parts), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def rng_for(*parts: str | int) -> random.Random:
    """A generator of its own for one decision, e.g. ``rng_for(seed, "conflict", item_id)``.

    One generator a decision, so that adding an item or a recipe never moves another item's draw.
    """
    return random.Random(int(digest(*parts), 16))


def in_seeded_order(things: Iterable[Thing], *, seed: int, key: Callable[[Thing], str]) -> list[Thing]:
    """The things sorted by the digest of the seed and their key: shuffled, whatever order they came in.

    Keys that repeat keep their own order of arrival.
    """
    return sorted(things, key=lambda thing: digest(seed, "order", key(thing)))
