"""Training rounds: what was right, why, and whether somebody may start labelling."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F

from annotation import schemes
from annotation.enums import AssignmentState, LabelKind
from annotation.errors import Refused
from annotation.models import Assignment, Label, Round, RoundAnnotator, User


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a trainee is told after a training pair; ``expected`` is in screen terms (A / B ...), never a role."""

    right: bool
    expected: str
    why: str


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """``right`` of ``total`` pairs, ``done`` of them answered; passed when all are done and enough are right."""

    done: int
    right: int
    total: int
    pass_mark: float

    @property
    def finished(self) -> bool:
        return self.total > 0 and self.done == self.total

    @property
    def passed(self) -> bool:
        return self.finished and self.right >= self.pass_mark * self.total


def feedback(assignment: Assignment) -> Feedback:
    """Feedback on a submitted training pair. Refused for any other: nobody learns a gold answer while labelling."""
    if assignment.kind != LabelKind.TRAINING or assignment.state != AssignmentState.SUBMITTED:
        raise Refused("There is no feedback on this pair.", code="no_feedback")
    scheme = schemes.from_canonical(assignment.round.scheme)
    item = assignment.item
    label = Label.objects.get(assignment=assignment, revision=assignment.revision)
    shown = scheme.to_sides(
        {scheme.primary: item.gold_category}, roles=item.pair.roles, shown_as_a=assignment.shown_as_a
    )
    return Feedback(
        right=label.category == item.gold_category, expected=str(shown[scheme.primary]), why=item.gold_reason
    )


def training_result(*, training: Round, user: User) -> TrainingResult:
    """How far ``user`` is in a training round. Two queries."""
    total = training.items.count()
    answered = Label.objects.filter(
        assignment__round=training,
        assignment__annotator__user=user,
        assignment__state=AssignmentState.SUBMITTED,
        revision=F("assignment__revision"),
    )
    said = list(answered.values_list("category", "assignment__item__gold_category"))
    return TrainingResult(
        done=len(said),
        right=sum(category == gold for category, gold in said),
        total=total,
        pass_mark=training.pass_mark or 0.0,
    )


def may_start(place: RoundAnnotator) -> bool:
    """Whether this annotator has passed the round's training, where it has one."""
    training = place.round.training
    return training is None or (place.user is not None and training_result(training=training, user=place.user).passed)
