"""Which conditions of a judge are compared with which, where no analysis plan says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from analysis.counting.encoded import Condition, Encoded, Family
from analysis.frontier.options import Contrast

#: Probes under which no cue is displayed.
CLEAN_PROBES = ("", "blind")


def is_clean(condition: Condition) -> bool:
    """Asked plainly: no cue displayed, no candidate attacked, one verdict."""
    return condition.probe in CLEAN_PROBES and condition.attack == "" and condition.phase == "only"


def clean_families(encoded: Encoded) -> Iterator[list[Family]]:
    """The plainly asked families of one judge on one split and tier, together."""
    clean = [family for family in encoded.families if is_clean(family.condition)]
    for _, group in groupby(clean, key=lambda family: (family.split, family.tier, family.condition.judge)):
        yield list(group)


def contrasts_of(families: Sequence[Family], planned: Sequence[Contrast] | None) -> Iterator[tuple[Family, Family]]:
    """(a, b) of one judge: as planned, else the lowest level against every other condition and then each protocol
    without levels against the remaining levels. Without levels the first condition by name is the baseline."""
    if planned is not None:
        yield from _planned(families, planned)
        return
    levels = sorted((f for f in families if f.condition.level), key=lambda f: (f.condition.level, f.condition))
    others = [family for family in families if not family.condition.level]
    ranked = [*levels, *others]
    for other in ranked[1:]:
        yield ranked[0], other
    for level in levels[1:]:
        for other in others:
            yield level, other


def _planned(families: Sequence[Family], planned: Sequence[Contrast]) -> Iterator[tuple[Family, Family]]:
    for contrast in planned:
        for a in families:
            for b in families:
                if _name(a) == contrast.a and _name(b) == contrast.b:
                    yield a, b


def _name(family: Family) -> tuple[str, str]:
    return family.condition.protocol, family.condition.level
