"""Which non-evidential labels are displayed with the candidates under each probe (CUE, section IV-B). Pure.

Blind shows none, Truth each candidate's own label, Flip the two exchanged, Placebo a badge that says nothing about
quality on one side and none of its kind on the other, Reveal-after Flip first and then Truth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from annotation.errors import Refused
from judging.enums import Probe

#: Raise with every change of a displayed word or descriptor; verdicts keep the labels they were given under.
CUES_VERSION: Final = "1"

#: What a role is labelled as where the study declares nothing else.
DEFAULT_LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "llm": "written by a large language model",
        "extractive": "assembled by a traditional extractive summariser",
        "plain": "answer without references",
        "cited": "answer with references",
        "first": "first draft",
        "second": "second draft",
    }
)
#: The placebo: a badge of procedure that any text could carry, and its absence.
PLACEBO_BADGE: Final = "batch 7, format check passed"
PLACEBO_OTHER: Final = "batch 7, format check not run"


@dataclass(frozen=True, slots=True)
class CuePlan:
    """The labels by role: shown ``first``, and ``revealed`` afterwards; ``favours`` is the role the first ones favour.

    Under Truth the favoured role is the one whose label ``favours`` named when planning; under Flip and in the first
    phase of Reveal-after it is the other role, which now carries that label (CUE, fav_T = [1,2], fav_F = [2,1]).
    """

    first: Mapping[str, str] | None
    revealed: Mapping[str, str] | None
    favours: str
    version: str = CUES_VERSION


def plan_cues(
    probe: Probe | str,
    *,
    roles: tuple[str, str],
    labels: Mapping[str, str] | None = None,
    favours: str = "",
    badge: str = PLACEBO_BADGE,
    no_badge: str = PLACEBO_OTHER,
) -> CuePlan:
    """The labels to display for a pair with ``roles``.

    ``labels`` are the true labels by role (default: ``DEFAULT_LABELS``, and a role's own name where it has none).
    ``favours`` is the role whose true label is taken to be the favourable one, and the role that gets the placebo
    badge; default: the first role. Raises Refused where the two labels are equal, for then nothing can be flipped.
    """
    probe = Probe(probe)
    favoured = favours or roles[0]
    if favoured not in roles:
        raise Refused(f"The cue cannot favour {favoured!r}: the pair's roles are {roles[0]} and {roles[1]}.")
    other = roles[1] if favoured == roles[0] else roles[0]
    if probe is Probe.BLIND:
        return CuePlan(None, None, "")
    if probe is Probe.PLACEBO:
        return CuePlan({favoured: badge, other: no_badge}, None, favoured)
    truth = {role: (labels or {}).get(role) or DEFAULT_LABELS.get(role, role.replace("_", " ")) for role in roles}
    if truth[roles[0]] == truth[roles[1]]:
        raise Refused(f"Both roles would be labelled {truth[roles[0]]!r}; give each its own label, or plan Blind.")
    if probe is Probe.TRUTH:
        return CuePlan(truth, None, favoured)
    flipped = {roles[0]: truth[roles[1]], roles[1]: truth[roles[0]]}
    return CuePlan(flipped, truth if probe is Probe.REVEAL_AFTER else None, other)


def displayed_cues(
    labels: Mapping[str, str] | None, *, roles: tuple[str, str], shown_as_a: str
) -> tuple[str, str] | None:
    """The labels in display order (beside A, beside B); None where none are displayed."""
    if labels is None:
        return None
    second = roles[1] if shown_as_a == roles[0] else roles[0]
    return labels[shown_as_a], labels[second]
