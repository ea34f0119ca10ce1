"""A made-up judge: draws its verdicts from a table by tier and level. What it says is marked simulated, always."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from annotation.enums import Tier
from judging.enums import VerdictSource
from judging.protocols.comparison import StageRequest, StageView
from judging.protocols.composing import compose_reply
from judging.protocols.registry import get_protocol
from judging.protocols.stages import SIDES, Shape
from judging.providers.base import Answer, Sight, view_scores

TABLE = Path(__file__).resolve().parent / "simulator.toml"
DEFAULT_PROFILE = "swayed"
OTHER = "other"

REFUSAL_TEXT = "I'm sorry, but I can't help with that request."
UNREADABLE_TEXT = "Both responses have their merits, and much depends on what the reader is looking for."


@cache
def read_table() -> Mapping[str, Any]:
    """The profiles of simulator.toml, by name."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Simulator:
    """One profile of the table under one seed. The same comparison is answered the same way every time.

    The two orders of a pair share the draw of their winner and differ by the table's order effect, as a real judge's
    two orders hang together.
    """

    profile: str = DEFAULT_PROFILE
    seed: int = 0
    source: VerdictSource = field(default=VerdictSource.SIMULATED, init=False)
    may_tie: bool = field(default=False, init=False)

    @property
    def sees_behind(self) -> bool:
        return True

    def answer(self, request: StageRequest, sight: Sight | None, /) -> Answer:
        if sight is None:
            raise ValueError("the simulator answers only where it is told the comparison")
        text = self._text(request, sight)
        return Answer(
            text=text,
            finish_reason="stop",
            model_returned=f"simulator:{self.profile}",
            prompt_tokens=sum(len(message.content) for message in request.messages) // 4 + 1,
            completion_tokens=len(text) // 4 + 1,
            metadata={"simulated": True},
        )

    def _text(self, request: StageRequest, sight: Sight) -> str:
        view = request.view
        draw = _Draw(self.seed, sight, request.phase)
        if view.shape is Shape.VERDICT:
            table = read_table()[self.profile]
            lapse = draw.share("lapse", with_order=True)
            if lapse < table["refused"]:
                return REFUSAL_TEXT
            if lapse < table["refused"] + table["unparsed"]:
                return UNREADABLE_TEXT
        winner = self._winner(sight, draw, tie_offered=view.shape is not Shape.VERDICT or "Tie" in view.offers)
        if view.shape is Shape.VERDICT:
            return compose_reply(view, winner=winner, reason=_reason(winner, sight), scores=view_scores(view, winner))
        return compose_reply(view, scores=_scores(view, winner) if view.shape is Shape.SCORES else None)

    def _winner(self, sight: Sight, draw: _Draw, *, tie_offered: bool) -> str:
        """A, B or Tie. Pulls come first, in the table's order; what is left is drawn from the tier's rates."""
        table = read_table()[self.profile]
        ways = _ways(sight)
        pulls = (
            ("order", _look_up(table["order"], ways), "A"),
            ("cue", _look_up(table["cue"], ways), _side(sight, sight.cue_favours)),
            ("attack", _look_up(table["attack"], ways), _side(sight, sight.attacked_role)),
        )
        for name, share, side in pulls:
            if side and sight.tier != Tier.IDENTICAL and draw.share(name, with_order=True) < abs(share):
                return side if share > 0 else _other(side)
        rates = table["rates"].get(sight.tier or Tier.PREFERENCE, table["rates"][Tier.PREFERENCE])
        first, tie, _ = _look_up(rates, ways)
        drawn = draw.share("winner", with_order=False)
        if drawn < first:
            return _side(sight, sight.roles[0])
        if drawn >= first + tie:
            return _side(sight, sight.roles[1])
        return "Tie" if tie_offered else SIDES[draw.share("forced", with_order=True) >= 50]


class _Draw:
    """Reproducible numbers of one comparison: a hash of seed and comparison, never a generator with a state."""

    def __init__(self, seed: int, sight: Sight, phase: str) -> None:
        self._common = [str(seed), sight.pair_id, sight.protocol, sight.level, sight.paraphrase, sight.attack]
        self._common += [sight.attacked_role, str(sight.repeat), sight.wave, phase]
        self._order = sight.shown_as_a

    def share(self, purpose: str, *, with_order: bool) -> float:
        """Uniform in [0, 100)."""
        parts = [purpose, *self._common, self._order if with_order else ""]
        digest = hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:7]) / 2**56 * 100


def _ways(sight: Sight) -> tuple[str, ...]:
    return sight.level, sight.protocol, get_protocol(sight.protocol).family, OTHER


def _look_up(table: Mapping[str, Any], ways: tuple[str, ...]) -> Any:
    return next(table[way] for way in ways if way in table)


def _side(sight: Sight, role: str) -> str:
    return "" if not role else "A" if role == sight.shown_as_a else "B"


def _other(side: str) -> str:
    return "B" if side == "A" else "A"


def _scores(view: StageView, winner: str) -> Mapping[str, Mapping[str, float]] | None:
    scores = view_scores(view, winner)
    return {view.side: scores[view.side]} if scores and view.side else scores


def _reason(winner: str, sight: Sight) -> str:
    if winner == "Tie":
        return "Simulated: both reach the same answer on the same support."
    role = sight.shown_as_a if winner == "A" else next(role for role in sight.roles if role != sight.shown_as_a)
    if role == "cited":
        return f"Simulated: Candidate {winner} lists its sources and is easier to verify."
    return f"Simulated: Candidate {winner} gives the fuller support for its answer."
