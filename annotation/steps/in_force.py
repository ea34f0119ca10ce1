"""The labels that count: each annotator's present answers, one query a round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q

from annotation.enums import AGREEMENT_KINDS, AnnotatorState, AssignmentState
from annotation.models import Label, Round


@dataclass(frozen=True, slots=True)
class LabelInForce:
    """One annotator's present answers to one item, in roles."""

    item_id: int
    pair_id: str
    tier: str | None
    roles: tuple[str, str]
    annotator: str
    kind: str
    category: str
    answers: dict[str, Any]
    comment: str
    shown_as_a: str
    seconds: float | None


def labels_in_force(
    round: Round, *, kinds: Sequence[str] = AGREEMENT_KINDS, with_excluded: bool = False
) -> list[LabelInForce]:
    """The submitted labels of a round in item order, one query. Only label and third unless ``kinds`` says more.

    ``with_excluded`` also gives what excluded annotators had submitted, for figures with and without them.
    """
    counts = Q(assignment__state=AssignmentState.SUBMITTED)
    if with_excluded:
        counts |= Q(assignment__state=AssignmentState.RELEASED, assignment__annotator__state=AnnotatorState.EXCLUDED)
    rows = (
        Label.objects.filter(
            counts,
            assignment__round=round,
            kind__in=list(kinds),
            revision=F("assignment__revision"),
        )
        .order_by("assignment__item__position", "assignment__slot")
        .values_list(
            "assignment__item_id",
            "assignment__item__pair__pair_id",
            "assignment__item__pair__tier",
            "assignment__item__pair__role_1",
            "assignment__item__pair__role_2",
            "assignment__annotator__name",
            "kind",
            "category",
            "answers",
            "comment",
            "assignment__shown_as_a",
            "seconds",
        )
    )
    return [LabelInForce(item, pair, tier, (role_1, role_2), *rest) for item, pair, tier, role_1, role_2, *rest in rows]
