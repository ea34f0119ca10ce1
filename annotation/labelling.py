"""What an annotator is shown next: a blind pair with their own draft, or why there is none. Page and API alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.blinding import BlindPair
from annotation.enums import AssignmentState, LabelKind
from annotation.models import Assignment, Label, RoundAnnotator
from annotation.places import state_of
from annotation.queries import Progress, progress_of
from annotation.steps.label import as_blind_pair, given_so_far, next_assignment
from annotation.steps.training import Feedback, feedback, may_start


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """``state`` is pair, done, guideline, training (to pass first), closed or ended; only ``pair`` has a pair.

    ``revision`` counts the annotator's own submissions of this pair, ``sequence`` the saves of its draft;
    ``submitted`` says that the answers shown are those in force.
    """

    state: str
    progress: Progress
    pair: BlindPair | None = None
    revision: int = 0
    sequence: int = 0
    flagged: bool = False
    submitted: bool = False

    def as_json(self) -> dict[str, Any]:
        """The API's answer: an explicit list, so that a new field is a decision."""
        return {
            "state": self.state,
            "progress": {"done": self.progress.done, "total": self.progress.total},
            "pair": self.pair.as_json() if self.pair else None,
            "revision": self.revision,
            "sequence": self.sequence,
            "flagged": self.flagged,
            "submitted": self.submitted,
        }


def what_is_next(place: RoundAnnotator, *, besides: Sequence[str] = ()) -> Shown:
    """The next pair to do besides those the browser holds, or the state that stands in the way.

    One query where ``place`` comes with its round, and no training is asked for.
    """
    progress = progress_of(place)
    state = state_of(place)
    if state != "open":
        return Shown(state=state, progress=progress)
    if place.round.training_id is not None and not may_start(place):
        return Shown(state="training", progress=progress)
    assignment = next_assignment(place=place, besides=besides)
    if assignment is None:
        return Shown(state="done", progress=progress)
    if place.guideline_read < (getattr(assignment, "guideline_latest", None) or 0):
        return Shown(state="guideline", progress=progress)
    return shown(assignment, progress=progress)


def shown(assignment: Assignment, *, progress: Progress) -> Shown:
    """One pair, to do or submitted, with what the annotator last said of it."""
    given = given_so_far(assignment)
    return Shown(
        state="pair",
        progress=progress,
        pair=as_blind_pair(assignment),
        revision=assignment.revision,
        sequence=given.sequence,
        flagged=given.flagged,
        submitted=assignment.state == AssignmentState.SUBMITTED,
    )


def training_feedback(assignment: Assignment) -> Feedback | None:
    """What a trainee is told of a pair they answered; None for every pair that is not a training pair."""
    if assignment.kind != LabelKind.TRAINING or assignment.state != AssignmentState.SUBMITTED:
        return None
    return feedback(assignment)


def feedback_on(label: Label) -> dict[str, Any] | None:
    """The API's feedback on a label just stored: an explicit list, and only for a training pair."""
    if label.kind != LabelKind.TRAINING:
        return None
    assignment = Assignment.objects.select_related("round", "item__pair").get(pk=label.assignment_id)
    told = feedback(assignment)
    return {"right": told.right, "expected": told.expected, "why": told.why}
