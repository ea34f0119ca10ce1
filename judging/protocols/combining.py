"""Which probe, attack, level and paraphrase a protocol is defined for. Asked while planning, before any call."""

from __future__ import annotations

from typing import TypeVar

from annotation.errors import Refused
from judging.enums import Attack, Probe
from judging.protocols.stages import Protocol

Kind = TypeVar("Kind", Probe, Attack)


def check_combination(
    protocol: Protocol,
    *,
    level: str = "",
    paraphrase: str = "",
    probe: Probe | str = Probe.BLIND,
    attack: Attack | str = Attack.NONE,
    attacked_role: str = "",
    judge_may_tie: bool = False,
    has_audited: bool = False,
) -> None:
    """Return where the protocol is defined for the combination; raise Refused, saying why and what to do, otherwise.

    ``judge_may_tie`` declares a judge that can say Tie whatever it is offered (some baselines): such a judge is
    refused under forced choice. ``has_audited`` says that an earlier verdict's reasoning will be given.
    """
    _check_variant(protocol, level, paraphrase)
    probe = _member(Probe, probe or Probe.BLIND, "probe")
    if probe not in protocol.probes:
        allowed = ", ".join(sorted(protocol.probes))
        raise Refused(f"{protocol.title} is not defined under the probe {probe.value}; it is under: {allowed}.")
    attack = _member(Attack, attack, "attack")
    if attack not in protocol.attacks:
        raise Refused(f"{protocol.title} is not defined under the attack {attack.value}.")
    if attack and probe != Probe.BLIND:
        raise Refused(f"An attack is compared with clean Blind text; plan {attack.value} with the probe blind.")
    if bool(attack) != bool(attacked_role):
        raise Refused("An attack names the role whose text it changes, and only an attack does.")
    if judge_may_tie and protocol.pairwise and not protocol.offers_tie:
        raise Refused(
            f"{protocol.title} is a forced choice, and this judge may say Tie. "
            "Choose a judge that always decides, or a protocol that offers Tie."
        )
    if protocol.needs_audited and not has_audited:
        raise Refused(
            f"{protocol.title} checks the reasoning of an earlier verdict; name the run whose verdicts to check."
        )


def _check_variant(protocol: Protocol, level: str, paraphrase: str) -> None:
    levels = [name for name in protocol.variants if name]
    if level not in protocol.variants:
        if not levels:
            raise Refused(f"{protocol.title} has no levels; leave the level empty.")
        given = f"no level {level!r}" if level else "no default level"
        raise Refused(f"{protocol.title} has {given}; choose one of: {', '.join(levels)}.")
    known = protocol.variants[level]
    if paraphrase not in known:
        named = ", ".join(name for name in known if name)
        what = f"{protocol.title} {level}".strip()
        if not named:
            raise Refused(f"{what} has no paraphrases; leave the paraphrase empty.")
        raise Refused(f"{what} has no paraphrase {paraphrase!r}; choose one of: {named}.")


def _member(kind: type[Kind], value: Kind | str, what: str) -> Kind:
    try:
        return kind(value)
    except ValueError:
        raise Refused(
            f"There is no {what} {str(value)!r}; there are: {', '.join(filter(None, kind.values()))}."
        ) from None
