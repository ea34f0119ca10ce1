"""What a protocol is: a frozen tuple of stages, each with a whitelist of what it may see. Declarations only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from judging.enums import Attack, Phase, Probe, ReplyStyle

ALL_ATTACKS = frozenset(Attack)
BLIND_ONLY = frozenset({Probe.BLIND})
EVERY_PROBE = frozenset(Probe)
PAIR_LABELS = ("A", "B", "Tie")
FORCED_CHOICE = ("A", "B")
SIDES = ("A", "B")


class Shape(StrEnum):
    """What a stage's reply holds."""

    VERDICT = "verdict"  # {"winner", "reason"} and what the stage demands beside them
    RECORD = "record"  # the declared fields, for each candidate
    NOTES = "notes"  # per candidate and criterion a note and the spans of the source it cites
    SCORES = "scores"  # per candidate and criterion a number
    CLAIMS = "claims"  # statements, each marked supported or not


class Source(StrEnum):
    """What a stage may be shown. A stage sees exactly what its ``inputs`` name; roles and targets are no source."""

    TASK = "task"
    CONTEXT = "context"
    CANDIDATES = "candidates"
    CANDIDATE = "candidate"
    AUDITED = "audited"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of a record. ``many`` is a list of short statements; ``quality`` fields are what ablations remove."""

    name: str
    about: str
    many: bool = True
    quality: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One dimension of a judgement. ``needs_span``: a note on it counts only with a span found in the source."""

    name: str
    about: str
    weight: float = 1.0
    needs_span: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One question to the judge.

    ``system`` and ``user`` name prompt files below judging/prompts; ``inputs`` whitelist what the user message may
    hold: members of ``Source``, and names of earlier stages for their records. ``per_candidate`` asks once for each
    candidate (two requests that may run side by side). ``blanked`` names fields of earlier records whose content is
    withheld. ``cites`` names the notes stage whose notes the reason must cite.
    """

    name: str
    system: str
    user: str
    shape: Shape
    inputs: tuple[str, ...]
    offers: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    scale: tuple[int, int] = (1, 5)
    per_candidate: bool = False
    blanked: tuple[str, ...] = ()
    cites: str = ""
    max_tokens: int = 600

    @property
    def style(self) -> ReplyStyle:
        return ReplyStyle.JSON if self.shape is Shape.VERDICT else ReplyStyle.RECORD

    @property
    def earlier(self) -> tuple[str, ...]:
        """The earlier stages whose records this stage sees."""
        sources = {str(source) for source in Source}
        return tuple(name for name in self.inputs if name not in sources)

    @property
    def sees_candidates(self) -> bool:
        return Source.CANDIDATES in self.inputs or Source.CANDIDATE in self.inputs


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """A way of asking. ``name`` and ``version`` identify it; the lock file holds the hash of its content.

    ``variants`` maps each level to its paraphrases ("" where there is none); their prompt files are
    ``{prompts}/{level}.{paraphrase}.txt`` and fill {{instruction}}. ``reveal`` is asked after the last stage, in the
    same conversation, under reveal-after. ``verdict_from`` says whether the stated winner or the weighted scores
    decide (the other is kept beside it and a mismatch counted); scores within ``tie_band`` of each other tie.
    ``declared_in`` lists the files below judging/protocols that declare it, its own first.
    """

    name: str
    version: str
    title: str
    family: str
    prompts: str
    declared_in: tuple[str, ...]
    stages: tuple[Stage, ...]
    variants: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({"": ("",)}))
    probes: frozenset[Probe] = BLIND_ONLY
    attacks: frozenset[Attack] = ALL_ATTACKS
    reveal: Stage | None = None
    verdict_from: str = "stated"
    tie_band: float = 0.0
    scans_records: bool = False
    needs_audited: bool = False
    ablation_of: str = ""

    @property
    def key(self) -> str:
        return f"{self.name}@{self.version}"

    @property
    def last(self) -> Stage:
        return self.stages[-1]

    @property
    def pairwise(self) -> bool:
        """Whether the protocol yields a winner; otherwise it yields scores."""
        return self.last.shape is Shape.VERDICT

    @property
    def offers(self) -> tuple[str, ...]:
        return self.last.offers

    @property
    def offers_tie(self) -> bool:
        return "Tie" in self.last.offers

    def stage(self, name: str) -> Stage:
        return next(stage for stage in self.stages if stage.name == name)

    def phases(self, probe: Probe | str) -> tuple[Phase, ...]:
        return (Phase.BEFORE, Phase.AFTER) if probe == Probe.REVEAL_AFTER else (Phase.ONLY,)

    def calls(self, probe: Probe | str = Probe.BLIND) -> int:
        """Requests of one comparison when every stage can be read (fewer when an early one cannot)."""
        return sum(2 if stage.per_candidate else 1 for stage in self.stages) + (probe == Probe.REVEAL_AFTER)
