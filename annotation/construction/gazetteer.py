"""Reads gazetteer.toml once: the closed lists by which kinds of answers are told."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """``kind_of_noun`` and ``asked`` map a word to a kind; ``closed`` a list's name to its members."""

    kind_of_noun: dict[str, str]
    asked: dict[str, str]
    closed: dict[str, tuple[str, ...]]
    compatible: tuple[frozenset[str], ...]
    given_names: frozenset[str]

    def list_of(self, answer: str) -> str | None:
        """The first closed list that has the answer, letter case aside for lists in lower case."""
        for name, members in self.closed.items():
            if answer in members or (answer.lower() in members and answer[:1].isupper()):
                return name
        return None

    def may_both_hold(self, one: str, other: str) -> bool:
        """Whether two members of a list can be true of one thing ("English" and "British")."""
        return any(one in group and other in group for group in self.compatible)


@cache
def gazetteer() -> Gazetteer:
    """The lists, read from the file beside this module."""
    with Path(__file__).with_name("gazetteer.toml").open("rb") as file:
        data = tomllib.load(file)
    return Gazetteer(
        kind_of_noun={noun: kind for kind, nouns in data["kinds"].items() for noun in nouns.split()},
        asked={noun: kind for kind, nouns in data["asked"].items() for noun in nouns.split()},
        closed={name: tuple(members) for name, members in data["closed"].items()},
        compatible=tuple(frozenset(group) for group in data["compatible"]["groups"]),
        given_names=frozenset(data["names"]["given"].split()),
    )
