"""Runs to test on: a study with pairs, judges declared by their specs, and stage views to answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from judging.enums import ReplyStyle
from judging.models import Run
from judging.protocols.comparison import StageView
from judging.protocols.stages import PAIR_LABELS, Shape
from judging.steps.judges import declare_judge
from judging.steps.plan import plan_run
from tests.material import Material, pair_row


def planned(
    material: Material,
    *,
    judges: Sequence[str] = ("baseline:longer",),
    protocols: Sequence[Any] = ("ladder:L0",),
    pairs: int = 3,
    **more: Any,
) -> Run:
    """A planned run over ``pairs`` new pairs, or over the split that is there where ``pairs`` is 0."""
    if pairs:
        material.pairs([pair_row(number) for number in range(pairs)])
    if "validated" not in more:
        more.setdefault("split", material.split())
    return plan_run(
        study=material.study,
        judges=[declare_judge(study=material.study, spec=spec) for spec in judges],
        protocols=protocols,
        name=more.pop("name", f"run-{uuid4().hex[:6]}"),
        **more,
    )


def verdict_view(a: str, b: str, *, offers: tuple[str, ...] = PAIR_LABELS) -> StageView:
    """The view of a stage that asks which of two texts is better."""
    return StageView(stage="judge", side="", texts=(a, b), shape=Shape.VERDICT, style=ReplyStyle.JSON, offers=offers)
