"""Which role is shown on side A, so that every annotator sees each role there equally often. Pure."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)

#: The far end of an edge that has only one person at it; its own balance does not matter.
_NOBODY = object()


def balanced_orders(*, people: Mapping[Key, Sequence[Hashable]], rng: random.Random) -> dict[Key, list[int]]:
    """For each item (key) and its people in sequence, 1 or 2: the role shown on side A to that person.

    Two promises hold at once. An item seen by an even number of people is seen equally often in both orders.
    Each person sees role 1 on side A as often as role 2, within one, over the items given here (one tier).

    Each item gives edges between two of its people: the tail sees role 1 on side A, the head role 2. Directing the
    edges along closed Euler tours leaves every person with as many tails as heads, within one.
    """
    result = {key: [0] * len(persons) for key, persons in people.items()}
    ends: list[tuple[Hashable, Hashable]] = []
    places: list[tuple[Key, int, int | None]] = []
    for key, persons in people.items():
        order = list(range(len(persons)))
        rng.shuffle(order)
        for first, second in zip(order[::2], order[1::2], strict=False):
            ends.append((persons[first], persons[second]))
            places.append((key, first, second))
        if len(order) % 2:
            ends.append((persons[order[-1]], _NOBODY))
            places.append((key, order[-1], None))
    for (key, tail, head), forward in zip(places, _orient(ends, rng), strict=True):
        result[key][tail] = 1 if forward else 2
        if head is not None:
            result[key][head] = 2 if forward else 1
    return result


def _orient(ends: Sequence[tuple[Hashable, Hashable]], rng: random.Random) -> list[bool]:
    """For each undirected edge, whether it is walked from its first end to its second along Euler tours."""
    degree: dict[Hashable, int] = defaultdict(int)
    for first, second in ends:
        degree[first] += 1
        degree[second] += 1
    # Every odd vertex gets one more edge to nobody, so that all degrees are even and closed tours exist.
    closed = [*ends, *((vertex, _NOBODY) for vertex in degree if degree[vertex] % 2 and vertex is not _NOBODY)]
    at: dict[Hashable, list[int]] = defaultdict(list)
    for index, (first, second) in enumerate(closed):
        at[first].append(index)
        at[second].append(index)
    for edges in at.values():
        rng.shuffle(edges)
    forward: list[bool | None] = [None] * len(closed)
    for start in list(at):
        vertex = start
        while at[vertex]:
            index = at[vertex].pop()
            if forward[index] is None:
                forward[index] = closed[index][0] == vertex
                vertex = closed[index][1] if forward[index] else closed[index][0]
    return [bool(each) for each in forward[: len(ends)]]
