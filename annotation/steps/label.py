"""Labelling: the next pair, a draft, a submission, and taking the last one back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation import schemes
from annotation.blinding import BlindPair, blind_pair
from annotation.enums import AnnotatorState, AssignmentState, RoundState
from annotation.errors import NotAllowed, Refused
from annotation.models import Assignment, Draft, Label, RoundAnnotator, User

#: What one assignment needs to be shown and stored, in one query.
_WITH_ALL = ("annotator", "round", "item__pair", "draft")


def next_assignment(*, place: RoundAnnotator) -> Assignment | None:
    """The annotator's first pair still to do, in their own order; None when all are done."""
    return (
        Assignment.objects.filter(annotator=place, state=AssignmentState.PENDING)
        .order_by("position")
        .select_related(*_WITH_ALL)
        .first()
    )


def assignment_of(*, user: User, public_id: str) -> Assignment:
    """``user``'s own assignment; NotAllowed for another's and for one that does not exist, alike."""
    assignment = Assignment.objects.filter(public_id=public_id, annotator__user=user).select_related(*_WITH_ALL).first()
    if assignment is None:
        raise NotAllowed("There is no such pair among yours.", code="no_such_assignment")
    return assignment


def as_blind_pair(assignment: Assignment) -> BlindPair:
    """What the annotator is shown. Expects ``assignment`` with its round, pair and draft loaded."""
    pair = assignment.item.pair
    if pair.candidate_1 is None or pair.candidate_2 is None:
        raise Refused("This pair has no text to show.", code="pair_without_text")
    draft = getattr(assignment, "draft", None)
    return blind_pair(
        assignment=assignment.public_id,
        scheme=schemes.from_canonical(assignment.round.scheme),
        task=pair.task,
        context=pair.context,
        roles=pair.roles,
        texts=(pair.candidate_1, pair.candidate_2),
        shown_as_a=assignment.shown_as_a,
        answers=draft.answers if draft else {},
        comment=draft.comment if draft else "",
    )


def save_draft(*, assignment: Assignment, answers: Mapping[str, Any], comment: str = "") -> None:
    """Keep unfinished answers (in screen terms). A submitted pair keeps no draft."""
    _check_open(assignment)
    if assignment.state == AssignmentState.PENDING:
        Draft.objects.update_or_create(assignment=assignment, defaults={"answers": dict(answers), "comment": comment})


@transaction.atomic
def submit_label(
    *,
    user: User,
    public_id: str,
    answers: Mapping[str, Any],
    client_key: str,
    comment: str = "",
    flagged: bool = False,
    seconds: float | None = None,
    idle_seconds: float | None = None,
) -> Label:
    """Store one revision of an annotator's answers (given in A / B) and mark the pair done.

    The same ``client_key`` stores once, however often it arrives. Raises Refused for answers that the scheme does
    not allow or a closed round, NotAllowed for another's assignment.
    """
    assignment = _locked(user, public_id)
    known = Label.objects.filter(assignment=assignment, client_key=client_key).first()
    if known is not None:
        return known
    _check_open(assignment)
    scheme = schemes.from_canonical(assignment.round.scheme)
    stored = scheme.to_roles(scheme.clean(answers), roles=assignment.item.pair.roles, shown_as_a=assignment.shown_as_a)
    last = Label.objects.filter(assignment=assignment).order_by("-revision").values_list("revision", flat=True).first()
    label = Label.objects.create(
        assignment=assignment,
        revision=(last or 0) + 1,
        kind=assignment.kind,
        client_key=client_key,
        answers=stored,
        category=stored.get(scheme.primary, "") if scheme.primary else "",
        comment=comment,
        flagged=flagged,
        seconds=seconds,
        idle_seconds=idle_seconds,
        guideline_version=_place_of(assignment).guideline_read,
    )
    Assignment.objects.filter(pk=assignment.pk).update(
        state=AssignmentState.SUBMITTED, revision=label.revision, submitted_at=timezone.now()
    )
    Draft.objects.filter(assignment=assignment).delete()
    return label


@transaction.atomic
def undo_last(*, place: RoundAnnotator) -> Assignment:
    """Take back the annotator's last submission: what they said becomes the draft, its revision is kept."""
    assignment = (
        Assignment.objects.select_for_update(of=("self",))
        .filter(annotator=place, state=AssignmentState.SUBMITTED)
        .select_related("annotator", "round", "item__pair")
        .order_by("-submitted_at", "-pk")
        .first()
    )
    if assignment is None:
        raise Refused("There is nothing to undo.", code="nothing_to_undo")
    _check_open(assignment)
    label = Label.objects.get(assignment=assignment, revision=assignment.revision)
    scheme = schemes.from_canonical(assignment.round.scheme)
    shown = scheme.to_sides(label.answers, roles=assignment.item.pair.roles, shown_as_a=assignment.shown_as_a)
    Draft.objects.update_or_create(assignment=assignment, defaults={"answers": shown, "comment": label.comment})
    assignment.state = AssignmentState.PENDING
    assignment.save(update_fields=["state"])
    return assignment


def _locked(user: User, public_id: str) -> Assignment:
    assignment = (
        Assignment.objects.select_for_update(of=("self",))
        .filter(public_id=public_id, annotator__user=user)
        .select_related("annotator", "round", "item__pair")
        .first()
    )
    if assignment is None:
        raise NotAllowed("There is no such pair among yours.", code="no_such_assignment")
    return assignment


def _check_open(assignment: Assignment) -> None:
    if assignment.round.state != RoundState.OPEN:
        raise Refused("This round is closed; what you labelled is kept.", code="round_closed")
    if _place_of(assignment).state != AnnotatorState.ACTIVE:
        raise Refused("Your place in this round has ended; what you labelled is kept.", code="place_ended")
    if assignment.state == AssignmentState.RELEASED:
        raise Refused("This pair was given to somebody else.", code="assignment_released")


def _place_of(assignment: Assignment) -> RoundAnnotator:
    if assignment.annotator is None:
        raise NotAllowed("Nobody has taken this pair yet.", code="no_such_assignment")
    return assignment.annotator
