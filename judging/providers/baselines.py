"""Judges that are rules. They look at nothing but a stage's displayed texts, and answer the same way every time."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from judging.enums import VerdictSource
from judging.protocols.comparison import StageRequest, StageView
from judging.protocols.composing import compose_reply
from judging.protocols.stages import Shape
from judging.providers.base import Answer, Sight, view_scores

#: Two texts whose words overlap at least this much (Jaccard) are the same to ``overlap``.
SAME_ENOUGH = 0.6

_WORD = re.compile(r"\w+", re.UNICODE)
_CITATION = re.compile(r"\[\s*\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\s*\]|\(\s*(?:source|ref)\b[^)]*\)", re.IGNORECASE)

Rule = Callable[[StageView, int], str]


def _always_tie(_view: StageView, _seed: int) -> str:
    return "Tie"


def _first(_view: StageView, _seed: int) -> str:
    return "A"


def _second(_view: StageView, _seed: int) -> str:
    return "B"


def _random(view: StageView, seed: int) -> str:
    """One of the labels offered, drawn by a hash of the seed and the displayed texts."""
    digest = hashlib.sha256("\x00".join((str(seed), view.stage, *view.texts)).encode("utf-8", "surrogatepass")).digest()
    return view.offers[int.from_bytes(digest[:8]) % len(view.offers)]


def _longer(view: StageView, _seed: int) -> str:
    return _greater(*(len(text) for text in view.texts))


def _shorter(view: StageView, _seed: int) -> str:
    return _greater(*(-len(text) for text in view.texts))


def _more_citations(view: StageView, _seed: int) -> str:
    return _greater(*(len(_CITATION.findall(text)) for text in view.texts))


def _overlap(view: StageView, _seed: int) -> str:
    """Tie where the two texts share most of their words, else the one with more words the other lacks."""
    a, b = (set(_WORD.findall(text.casefold())) for text in view.texts)
    if not a | b or len(a & b) / len(a | b) >= SAME_ENOUGH:
        return "Tie"
    return _greater(len(a - b), len(b - a))


def _greater(a: float, b: float) -> str:
    return "Tie" if a == b else "A" if a > b else "B"


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineRule:
    """``decide`` turns a view of two texts into a label; ``may_tie`` whether that can be Tie under forced choice."""

    name: str
    decide: Rule
    may_tie: bool
    about: str


RULES: dict[str, BaselineRule] = {
    rule.name: rule
    for rule in (
        BaselineRule(name="always_tie", decide=_always_tie, may_tie=True, about="says Tie"),
        BaselineRule(name="first", decide=_first, may_tie=False, about="prefers what is shown first"),
        BaselineRule(name="second", decide=_second, may_tie=False, about="prefers what is shown second"),
        BaselineRule(name="random", decide=_random, may_tie=False, about="draws one of the labels offered"),
        BaselineRule(name="longer", decide=_longer, may_tie=True, about="prefers the longer text"),
        BaselineRule(name="shorter", decide=_shorter, may_tie=True, about="prefers the shorter text"),
        BaselineRule(name="more_citations", decide=_more_citations, may_tie=True, about="counts citation markers"),
        BaselineRule(
            name="overlap", decide=_overlap, may_tie=True, about="Tie where most words are shared, else more own words"
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Baseline:
    """A rule at work. ``seed`` matters to ``random`` alone."""

    rule: BaselineRule
    seed: int = 0
    source: VerdictSource = field(default=VerdictSource.BASELINE, init=False)

    @property
    def may_tie(self) -> bool:
        return self.rule.may_tie

    @property
    def sees_behind(self) -> bool:
        return False

    def answer(self, request: StageRequest, _sight: Sight | None = None, /) -> Answer:
        view = request.view
        model = f"baseline:{self.rule.name}"
        if view.shape is not Shape.VERDICT:
            return _answered(compose_reply(view, scores=self._scores(view)), model)
        winner = self.rule.decide(view, self.seed)
        reason = f"The rule {self.rule.name} {self.rule.about}."
        return _answered(
            compose_reply(view, winner=winner, reason=reason, scores=view_scores(view, winner)),
            model,
        )

    def _scores(self, view: StageView) -> dict[str, dict[str, float]] | None:
        """Scores of a stage that shows both texts follow the rule; one text alone gets the scale's middle."""
        if view.shape is not Shape.SCORES or len(view.texts) != 2:
            return None
        labels = view if view.offers else _with_labels(view)
        scores = view_scores(view, self.rule.decide(labels, self.seed))
        return {side: dict(each) for side, each in scores.items()} if scores else None


def _with_labels(view: StageView) -> StageView:
    return replace(view, offers=("A", "B", "Tie"))


def _answered(text: str, model: str) -> Answer:
    # A rule reads and writes no tokens, and that is known, not unknown.
    return Answer(text=text, finish_reason="stop", model_returned=model, prompt_tokens=0, completion_tokens=0)
