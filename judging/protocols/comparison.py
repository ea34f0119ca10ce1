"""What goes into the engine and what comes out: frozen, plain, free of roles, tiers and targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from judging.enums import Outcome, Phase, Probe, ReplyStyle
from judging.extractor import EXTRACTOR_VERSION
from judging.protocols.stages import Criterion, Field, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPair:
    """One comparison as the judge is to see it.

    ``texts`` are the two displayed texts in display order (A, B), an attack already applied. ``cues`` are the labels
    displayed beside them (None under Blind); under reveal-after ``cues`` come first and ``revealed`` afterwards.
    ``audited`` is an earlier verdict's reasoning, for protocols that check one. Role names never enter here.
    """

    task: str
    texts: tuple[str, str]
    context: str | None = None
    level: str = ""
    paraphrase: str = ""
    probe: Probe = Probe.BLIND
    cues: tuple[str, str] | None = None
    revealed: tuple[str, str] | None = None
    audited: str = ""


class ReplyKey(NamedTuple):
    """Which request a reply answers: ``stage`` is the stage's name, with "/A" or "/B" where asked per candidate."""

    phase: str
    stage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A stored reply: the text as it came, how it ended, and whether the endpoint marked a refusal itself."""

    text: str | None
    finish_reason: str | None = None
    refused: bool = False


class Message(NamedTuple):
    role: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StageView:
    """What a provider that is no language model may look at: this stage's displayed texts and the form of its reply.

    ``texts`` has one entry where the stage asks about one candidate (``side`` names it), else two: A, then B.
    """

    stage: str
    side: str
    texts: tuple[str, ...]
    shape: Shape
    style: ReplyStyle
    offers: tuple[str, ...]
    fields: tuple[Field, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    scale: tuple[int, int] = (1, 5)
    cite: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRequest:
    """One request to send. ``schema`` is the JSON schema of the reply, for endpoints that honour one."""

    key: ReplyKey
    messages: tuple[Message, ...]
    view: StageView
    schema: Mapping[str, Any]
    schema_name: str
    max_tokens: int
    temperature: float = 0.0

    @property
    def phase(self) -> str:
        return self.key.phase

    @property
    def stage(self) -> str:
        return self.key.stage


@dataclass(frozen=True, slots=True)
class Leak:
    """A trace of source display in a record: its kind, where it stands, and the words."""

    kind: str
    side: str
    field: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseReading:
    """What one phase of a comparison yielded.

    ``shown`` is A, B or Tie as displayed, and set exactly when decided. ``reason`` and ``stage`` say why and where it
    is not. ``scores`` is {"A": {criterion: n}, "B": {...}}; ``stated`` the winner the judge named, ``computed`` the
    one its weighted scores give, ``mismatch`` whether the two differ (None where only one exists). ``record`` holds
    what every stage wrote, by stage name; ``leaks`` what a scan of masked records found.
    """

    phase: Phase
    outcome: Outcome
    shown: str = ""
    reason: str = ""
    stage: str = ""
    rationale: str = ""
    scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    stated: str = ""
    computed: str = ""
    mismatch: bool | None = None
    offered: tuple[str, ...] = ()
    repaired: bool = False
    record: Mapping[str, Any] = field(default_factory=dict)
    leaks: tuple[Leak, ...] = ()
    scanned: bool = False
    extractor_version: str = EXTRACTOR_VERSION


@dataclass(frozen=True, slots=True)
class Requests:
    """What to send next; the requests of one list do not depend on each other."""

    requests: tuple[StageRequest, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """The comparison is answered: one reading per phase, in order."""

    readings: tuple[PhaseReading, ...]
