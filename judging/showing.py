"""From a stored comparison to what a judge is shown, and back: the one place where roles and screen sides meet."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.models import Pair
from judging.attacks import apply_attack
from judging.cues import CuePlan, displayed_cues, plan_cues
from judging.enums import Probe
from judging.models import Condition
from judging.protocols.comparison import ShownPair
from judging.providers.base import Sight
from judging.sides import winner_number


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """``shown`` is for the engine, ``sight`` for the simulator; ``cue`` the labels displayed first, by role."""

    shown: ShownPair
    sight: Sight
    roles: tuple[str, str]
    shown_as_a: str
    cue: dict[str, str]
    revealed: dict[str, str]

    def role_number(self, side: str) -> int:
        """0 for Tie, else 1 or 2: the number of the role displayed on ``side`` (A, B or Tie)."""
        number = winner_number(side, order=self.roles.index(self.shown_as_a) + 1)
        if number is None:
            raise ValueError("no side was named")
        return number


def show(
    *, pair: Pair, condition: Condition, order: int, repeat: int = 0, cue_favours: str = "", audited: str = ""
) -> Showing:
    """What the judge sees of ``pair`` in ``order`` (the number of the role shown as A) under ``condition``.

    ``audited`` is an earlier verdict's reasoning, where the protocol checks one.

    Raises ValueError for a pair without two texts, AttackError where the attack cannot be made, Refused where the
    probe's labels cannot be.
    """
    roles = pair.roles
    shown_as_a = roles[order - 1]
    texts = {role: pair.text_of(role) for role in roles}
    if condition.attack:
        attacked = texts[condition.attacked_role]
        texts[condition.attacked_role] = apply_attack(condition.attack, attacked or "").text
    a, b = texts[shown_as_a], texts[roles[2 - order]]
    if a is None or b is None:
        raise ValueError(f"pair {pair.pair_id} has no two texts")
    cues = cues_of(pair=pair, condition=condition, cue_favours=cue_favours)
    shown = ShownPair(
        task=pair.task,
        texts=(a, b),
        context=pair.context,
        level=condition.level,
        paraphrase=condition.paraphrase,
        probe=Probe(condition.probe or Probe.BLIND),
        cues=displayed_cues(cues.first, roles=roles, shown_as_a=shown_as_a),
        revealed=displayed_cues(cues.revealed, roles=roles, shown_as_a=shown_as_a),
        audited=audited,
    )
    sight = Sight(
        pair_id=pair.pair_id,
        tier=pair.tier or "",
        roles=roles,
        shown_as_a=shown_as_a,
        protocol=condition.protocol,
        level=condition.level,
        paraphrase=condition.paraphrase,
        probe=condition.probe,
        attack=condition.attack,
        attacked_role=condition.attacked_role,
        cue_favours=cues.favours,
        repeat=repeat,
        wave=condition.wave,
    )
    return Showing(
        shown=shown,
        sight=sight,
        roles=roles,
        shown_as_a=shown_as_a,
        cue=dict(cues.first or {}),
        revealed=dict(cues.revealed or {}),
    )


def cues_of(*, pair: Pair, condition: Condition, cue_favours: str = "") -> CuePlan:
    """The labels of a comparison. ``cue_favours`` matters to the placebo, whose badge has no natural side."""
    return plan_cues(condition.probe or Probe.BLIND, roles=pair.roles, labels=pair_labels(pair), favours=cue_favours)


def pair_labels(pair: Pair) -> dict[str, str] | None:
    """The true cue labels that a pair brings along in ``meta.cue_labels``, by role."""
    labels = pair.meta.get("cue_labels") if isinstance(pair.meta, dict) else None
    if not isinstance(labels, dict):
        return None
    return {str(role): str(text) for role, text in labels.items()}


def has_two_texts(pair: Pair) -> bool:
    return pair.candidate_1 is not None and pair.candidate_2 is not None


def placebo_side(pair: Pair, probe: str) -> str:
    """The role a placebo badge favours, alternating along the split; '' under every other probe."""
    return pair.roles[pair.position % 2] if probe == Probe.PLACEBO else ""
