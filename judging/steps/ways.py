"""Ways of asking: a protocol with one level, paraphrase, probe and attack; and the short text that names several."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

from annotation.errors import Refused
from judging.enums import Attack, Probe
from judging.errors import UnknownProtocol
from judging.protocols.combining import check_combination
from judging.protocols.registry import get_protocol
from judging.protocols.stages import Protocol

ALL = "all"
_SETTINGS = ("probe", "attack", "seed", "wave", "audits")


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """What a condition has besides its judge. ``attacked_role`` '' with an attack stands for each role in turn.

    ``audits`` names the run whose verdicts' reasoning is checked; planning turns it into ``options``, one way for
    each condition of that run.
    """

    protocol: str
    level: str = ""
    paraphrase: str = ""
    probe: str = Probe.BLIND.value
    attack: str = ""
    attacked_role: str = ""
    seed: str = ""
    wave: str = ""
    audits: str = ""
    options: str = ""

    def check(self, *, judge_may_tie: bool) -> Protocol:
        """The way's protocol. Raises Refused where it is not defined for the rest of the way."""
        protocol = known_protocol(self.protocol)
        check_combination(
            protocol,
            level=self.level,
            paraphrase=self.paraphrase,
            probe=self.probe,
            attack=self.attack,
            attacked_role=self.attacked_role,
            judge_may_tie=judge_may_tie,
            has_audited=bool(self.options),
        )
        return protocol


def known_protocol(name: str) -> Protocol:
    try:
        return get_protocol(name)
    except UnknownProtocol as error:
        raise Refused(error.message) from error


def parse_ways(text: str) -> list[Way]:
    """``NAME[:LEVELS[:PARAPHRASES]][;probe=...][;attack=...][;seed=..][;wave=..][;audits=RUN]`` to its ways.

    Lists are separated by commas; ``L0-L4`` is a range in the protocol's own order and ``all`` everything there is.
    Without paraphrases each level's first is meant. An attack is ``KIND`` (each role in turn) or ``KIND@ROLE``.
    Hyphens in NAME stand for underscores. Raises Refused.
    """
    head, *given = [part.strip() for part in text.strip().split(";")]
    name, _, variants = head.partition(":")
    levels_text, _, paraphrases_text = variants.partition(":")
    protocol = known_protocol(name.strip().replace("-", "_"))
    options = _options(given)
    probes = _named(options.pop("probe", Probe.BLIND.value), sorted(protocol.probes))
    attacks = [_attack(each) for each in _words(options.pop("attack", "")) or [""]]
    ways = []
    for level in _levels(protocol, levels_text):
        for paraphrase in _paraphrases(protocol, level, paraphrases_text):
            for probe, (attack, role) in product(probes, attacks):
                ways.append(
                    Way(
                        protocol=protocol.name,
                        level=level,
                        paraphrase=paraphrase,
                        probe=probe,
                        attack=attack,
                        attacked_role=role,
                        seed=options.get("seed", ""),
                        wave=options.get("wave", ""),
                        audits=options.get("audits", ""),
                    )
                )
    return ways


def each_role(ways: Iterable[Way], roles: Sequence[str]) -> list[Way]:
    """``ways`` with attacks on no named role spread over ``roles``; what occurs twice is kept once."""
    spread: dict[Way, None] = {}
    for way in ways:
        targets = roles if way.attack and not way.attacked_role else [way.attacked_role]
        for role in targets:
            spread[replace(way, attacked_role=role)] = None
    return list(spread)


def _options(given: Sequence[str]) -> dict[str, str]:
    options = {}
    for each in given:
        name, found, value = each.partition("=")
        if name.strip() not in _SETTINGS or not found or not value.strip():
            raise Refused(f"{each!r} is no setting of a protocol. There are {', '.join(_SETTINGS)}.")
        options[name.strip()] = value.strip()
    if not re.fullmatch(r"\d{0,9}", options.get("seed", "")):
        raise Refused(f"seed={options['seed']!r} is no whole number.")
    if len(options.get("wave", "")) > 40:
        raise Refused("A wave's name has at most 40 characters.")
    return options


def _levels(protocol: Protocol, text: str) -> list[str]:
    known = list(protocol.variants)
    if text == ALL:
        return known
    levels: list[str] = []
    for word in _words(text) or [""]:
        first, dash, last = word.partition("-")
        if word in known or not dash:
            levels.append(word)
        elif first in known and last in known and known.index(first) <= known.index(last):
            levels += known[known.index(first) : known.index(last) + 1]
        else:
            raise Refused(f"{protocol.title} has no levels {word!r}; it has: {', '.join(filter(None, known))}.")
    return levels


def _paraphrases(protocol: Protocol, level: str, text: str) -> list[str]:
    known = list(protocol.variants.get(level, ()))
    if text == ALL:
        return known
    return _words(text) or known[:1] or [""]


def _attack(word: str) -> tuple[str, str]:
    kind, _, role = word.partition("@")
    if kind not in Attack.values():
        raise Refused(f"There is no attack {kind!r}; there are: {', '.join(filter(None, Attack.values()))}.")
    return kind, role


def _named(text: str, everything: Sequence[str]) -> list[str]:
    return [str(each) for each in everything] if text == ALL else _words(text)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]
