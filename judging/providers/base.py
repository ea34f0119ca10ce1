"""What a provider is to the runner: in-process answerers, and endpoints spoken to over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from judging.enums import VerdictSource
from judging.protocols.comparison import StageRequest, StageView


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One reply as the provider gave it.

    ``text`` is the judge's words (None where the endpoint sent null); ``refused`` that the endpoint marked a refusal
    in a field of its own. Token counts are the provider's own, None where it told none.
    """

    text: str | None
    finish_reason: str = ""
    refused: bool = False
    model_returned: str = ""
    snapshot: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What the simulator, and no other provider, may look at besides the stage: the comparison behind it.

    ``roles`` are the pair's two roles in the pair's order, ``shown_as_a`` the one displayed as A.
    """

    pair_id: str
    tier: str
    roles: tuple[str, str]
    shown_as_a: str
    protocol: str
    level: str
    paraphrase: str
    probe: str
    attack: str
    attacked_role: str
    cue_favours: str
    repeat: int
    wave: str


class InProcessProvider(Protocol):
    """Answers without leaving the process, deterministically."""

    @property
    def source(self) -> VerdictSource: ...

    @property
    def may_tie(self) -> bool:
        """Whether it may say Tie whatever it is offered, and so cannot be asked a forced choice."""

    def answer(self, request: StageRequest, sight: Sight | None, /) -> Answer:
        """The reply to a request. Only a provider whose ``sees_behind`` is True is given a sight."""

    @property
    def sees_behind(self) -> bool: ...


class HttpProvider(Protocol):
    """An endpoint. Building a request and reading a reply are pure; the runner does the sending."""

    @property
    def source(self) -> VerdictSource: ...

    @property
    def may_tie(self) -> bool: ...

    @property
    def url(self) -> str:
        """Where requests go."""

    def body(self, request: StageRequest) -> dict[str, Any]:
        """The request as first built: what a call's key is made of. No key, no address."""

    def adapted(self, body: dict[str, Any]) -> dict[str, Any]:
        """``body`` as this endpoint wants it, by what it has refused before."""

    def headers(self, key: str) -> dict[str, str]: ...

    def learn(self, status: int, reply: bytes, sent: Mapping[str, Any]) -> str:
        """Remember what a refused request tells of the endpoint; the quirk's name, or '' where there is none."""

    def read(self, reply: bytes) -> Answer:
        """Raises ProviderError for a body that is no reply of this kind."""


def view_scores(view: StageView, winner: str) -> Mapping[str, Mapping[str, float]] | None:
    """Scores that say what ``winner`` says: the winner's one step above the scale's middle, the loser's one below."""
    if not view.criteria:
        return None
    low, high = view.scale
    middle = (low + high) // 2
    better, worse = min(high, middle + 1), max(low, middle - 1)
    given = {"A": (better, worse), "B": (worse, better)}.get(winner, (middle, middle))
    return {side: {one.name: score for one in view.criteria} for side, score in zip("AB", given, strict=True)}
