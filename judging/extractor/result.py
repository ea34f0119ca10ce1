"""What the extractor returns: a verdict, a refusal, or the reason why the reply could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

#: Raise with every change that can alter a reading; stored replies are then re-read, without paying, by ``reparse``.
EXTRACTOR_VERSION: Final = "1"

#: The labels a pairwise reply may carry, and nothing else.
LABELS: Final = ("A", "B", "Tie")

REFUSED: Final = "refused"
UNPARSED: Final = "unparsed"

# Why a reply was refused or could not be read. Stable: they are stored and counted.
REFUSAL: Final = "refusal"
CONTENT_FILTER: Final = "content_filter"
EMPTY: Final = "empty"
TRUNCATED: Final = "truncated"
MALFORMED: Final = "malformed"
MISSING_KEY: Final = "missing_key"
INVALID_VALUE: Final = "invalid_value"
NO_VERDICT: Final = "no_verdict"
CONFLICTING: Final = "conflicting_verdicts"
ECHOED: Final = "echoed_verdict"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """One reading of one reply.

    ``outcome`` is A, B, Tie, refused or unparsed; ``reason`` is set exactly when it is one of the last two.
    ``repaired`` marks a verdict that stood in a channel which had to be mended (a trailing comma, a missing last
    brace); ``strong`` an arena verdict of the >> kind; ``whole_output`` a bare label that was the entire reply.
    ``fields`` holds the object that carried a JSON verdict, ``scores`` the pair of a score reply.
    """

    outcome: str
    style: str
    reason: str | None = None
    repaired: bool = False
    strong: bool = False
    whole_output: bool = False
    rationale: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    scores: tuple[float, float] | None = None
    extractor_version: str = EXTRACTOR_VERSION

    @property
    def decided(self) -> bool:
        return self.outcome in LABELS


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One verdict found in the declared channel: the label it states, or None where it states no valid one.

    ``said`` is the normalised value, by which two claims are the same or differ; ``quote`` the text it stood in.
    """

    label: str | None
    said: str
    quote: str
    repaired: bool = False
    strong: bool = False
    whole_output: bool = False
    fields: Mapping[str, Any] = field(default_factory=dict)
    scores: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelReading:
    """Every claim found in a channel, and why there is none where there is none."""

    claims: tuple[Claim, ...] = ()
    nothing: str = NO_VERDICT
    #: A part of the channel that could not be read and may hide a verdict: no claim beside it can be trusted.
    unreadable: bool = False
