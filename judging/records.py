"""What a verdict reader yields: plain, immutable rows between a file and whoever counts or stores them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

#: What a comparison can end in. Only ``decided`` carries a winner.
OUTCOMES = ("decided", "scored", "refused", "unparsed", "error")
WINNERS = ("A", "B", "Tie")
PHASES = ("only", "before", "after")
SOURCES = ("live", "simulated", "baseline", "replay", "ruled")

ComparisonKey = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictRecord:
    """One verdict of the public verdicts format.

    ``winner`` is the screen position "A" or "B", or "Tie", and is empty unless ``outcome`` is "decided".
    ``shown_as_a`` is the role shown as A; empty means that both orders were combined before the file was
    written, and then "A" names the pair's first role. ``offered`` is empty where the file does not say which
    labels the judge was offered. Token counts, ``usd`` and ``latency_ms`` are None where not recorded.
    ``row`` is the row in the file, counted as a reader of the file counts.
    """

    pair_id: str
    judge: str
    protocol: str
    outcome: str
    protocol_version: str = ""
    level: str = ""
    paraphrase: str = ""
    probe: str = ""
    cue: Mapping[str, str] = field(default_factory=dict)
    cue_favours: str = ""
    attack: str = ""
    attacked_role: str = ""
    repeat: int = 0
    phase: str = "only"
    shown_as_a: str = ""
    offered: tuple[str, ...] = ()
    winner: str = ""
    reason: str = ""
    rationale: str = ""
    scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    n_calls: int | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    usd: float | None = None
    latency_ms: float | None = None
    model_returned: str = ""
    snapshot: str = ""
    called_at: str = ""
    source: str = ""
    row: int = 0

    def comparison_key(self) -> ComparisonKey:
        """What may occur once in a file: the comparison and the phase of it that this verdict ends."""
        return (
            self.pair_id,
            self.judge,
            self.protocol,
            self.protocol_version,
            self.level,
            self.paraphrase,
            self.probe,
            self.attack,
            self.attacked_role,
            self.repeat,
            self.phase,
            self.shown_as_a,
        )
