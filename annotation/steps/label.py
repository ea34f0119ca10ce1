"""Labelling: the next pair, a draft, a submission, and taking the last one back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import CharField, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from annotation import schemes
from annotation.blinding import BlindPair, blind_pair
from annotation.enums import AnnotatorState, AssignmentState, LabelKind, MemberRole, RoundState
from annotation.errors import NotAllowed, Refused
from annotation.models import Assignment, Draft, Guideline, Label, Membership, RoundAnnotator, User
from annotation.prepared import Prepared
from annotation.steps.pool import MOST_CLAIMS, claim, extend_lease
from annotation.steps.training import may_start

#: What one assignment needs to be shown and stored, in one query.
_WITH_ALL = ("annotator", "round", "item__pair", "draft")
#: The columns of it that submitting reads: building a query costs more than running it, column by column.
_TO_SUBMIT = (
    "public_id", "state", "kind", "revision", "shown_as_a", "leased_until", "item__pair__role_1", "item__pair__role_2",
    "annotator__state", "annotator__user", "annotator__round", "annotator__name", "annotator__guideline_read",
    "annotator__n_submitted", "annotator__n_assigned", "round__state", "round__kind", "round__scheme", "round__study",
    "round__training", "round__shared_pool",
)  # fmt: skip
#: The columns that showing a pair to the holder of a known place reads.
_TO_SHOW = (
    "public_id", "state", "kind", "revision", "shown_as_a", "leased_until", "item__pair__role_1", "item__pair__role_2",
    "item__pair__task", "item__pair__context", "item__pair__candidate_1", "item__pair__candidate_2",
    "draft__answers", "draft__comment", "draft__flagged", "draft__sequence",
)  # fmt: skip


def next_assignment(*, place: RoundAnnotator, besides: Sequence[str] = ()) -> Assignment | None:
    """The annotator's first pair still to do, in their own order; None when all are done.

    ``besides`` names pairs that the browser already holds or is sending (public ids). In a shared pool the next free
    slot is claimed where nothing of their own is left. ``guideline_latest`` on what is found is the version in force.
    """
    if besides:
        found = _to_show(_pending(place.pk).exclude(public_id__in=besides)).first()
    else:
        found = _NEXT.first(place=place.pk)
    if found is None and place.round.shared_pool and len(besides) < MOST_CLAIMS:
        claimed = claim(place=place)
        if claimed is not None:
            found = _to_show(Assignment.objects.filter(pk=claimed)).get()
    if found is not None:
        found.annotator, found.round = place, place.round
    return found


def _pending(place: int) -> QuerySet[Assignment]:
    return Assignment.objects.filter(annotator=place, state=AssignmentState.PENDING).order_by("position")


def _to_show(assignments: QuerySet[Assignment]) -> QuerySet[Assignment]:
    latest = Guideline.objects.filter(round=OuterRef("round")).order_by("-version").values("version")[:1]
    with_pair = assignments.select_related("item__pair", "draft").only(*_TO_SHOW)
    return with_pair.annotate(guideline_latest=Subquery(latest))


_NEXT = Prepared(lambda place: _to_show(_pending(place)), place=int)


def assignment_of(*, user: User, public_id: str) -> Assignment:
    """``user``'s own assignment; NotAllowed for another's and for one that does not exist, alike."""
    assignment = _assignments_of(user.pk).filter(public_id=public_id).select_related(*_WITH_ALL).first()
    if assignment is None:
        raise NotAllowed("There is no such pair among yours.", code="no_such_assignment")
    return assignment


def as_blind_pair(assignment: Assignment) -> BlindPair:
    """What the annotator is shown. Expects ``assignment`` with its round, pair and draft loaded.

    A pair to do carries its draft, a submitted one the answers in force, both in screen terms.
    """
    pair = assignment.item.pair
    if pair.candidate_1 is None or pair.candidate_2 is None:
        raise Refused("This pair has no text to show.", code="pair_without_text")
    given = given_so_far(assignment)
    return blind_pair(
        assignment=assignment.public_id,
        scheme=schemes.from_canonical(assignment.round.scheme),
        task=pair.task,
        context=pair.context,
        roles=pair.roles,
        texts=(pair.candidate_1, pair.candidate_2),
        shown_as_a=assignment.shown_as_a,
        answers=given.answers,
        comment=given.comment,
    )


def given_so_far(assignment: Assignment) -> Draft:
    """The draft of a pair to do, or the label in force as an unsaved draft; an empty one where there is neither."""
    if assignment.state == AssignmentState.SUBMITTED:
        return _as_draft(assignment)
    return getattr(assignment, "draft", None) or Draft(assignment=assignment)


@transaction.atomic
def save_draft(
    *,
    user: User,
    public_id: str,
    answers: Mapping[str, Any],
    sequence: int,
    revision: int,
    comment: str = "",
    flagged: bool = False,
) -> bool:
    """Keep unfinished answers (in screen terms); False where something newer is already kept.

    ``sequence`` is the browser's own count and ``revision`` the label revision it started from: a save that was
    overtaken by another, or by a submission, never wins, however late it arrives.
    """
    assignment = _locked(user, public_id)
    _check_open(assignment)
    _check_known(assignment, answers)
    if assignment.state != AssignmentState.PENDING or assignment.revision != revision:
        return False
    draft, made = Draft.objects.get_or_create(assignment=assignment, defaults={"sequence": sequence})
    if not made and draft.sequence >= sequence:
        return False
    draft.answers, draft.comment, draft.flagged, draft.sequence = dict(answers), comment, flagged, sequence
    draft.save()
    extend_lease(assignment)
    return True


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
    seen_revision: int | None = None,
) -> Label:
    """Store one revision of an annotator's answers (given in A / B) and mark the pair done.

    The same ``client_key`` stores once, however often it arrives. Raises Refused for answers that the scheme does
    not allow, a closed round, or a pair that went past ``seen_revision`` in another tab; NotAllowed for another's
    assignment.
    """
    assignment = _locked(user, public_id)
    # Without a revision there is no label that could have this key already.
    known = _label_of(assignment, client_key) if assignment.revision else None
    if known is not None:
        return known
    _check_open(assignment)
    if seen_revision is not None and seen_revision != assignment.revision:
        raise Refused("This pair was answered in another tab; that answer is kept.", code="answered_elsewhere")
    scheme = schemes.from_canonical(assignment.round.scheme)
    stored = scheme.to_roles(scheme.clean(answers), roles=assignment.item.pair.roles, shown_as_a=assignment.shown_as_a)
    label = Label.objects.create(
        assignment=assignment,
        revision=assignment.revision + 1,
        kind=assignment.kind,
        client_key=client_key,
        answers=stored,
        category=stored.get(scheme.primary, "") if scheme.primary else "",
        comment=comment,
        flagged=flagged,
        seconds=seconds,
        idle_seconds=idle_seconds,
        guideline_version=place_of(assignment).guideline_read,
    )
    if assignment.state == AssignmentState.PENDING:
        _count(assignment, 1)
    Assignment.objects.filter(pk=assignment.pk).update(
        state=AssignmentState.SUBMITTED, revision=label.revision, submitted_at=timezone.now()
    )
    Draft.objects.filter(pk=assignment.pk).delete()
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
    given = _as_draft(assignment)
    draft, _ = Draft.objects.update_or_create(
        assignment=assignment,
        defaults={"answers": given.answers, "comment": given.comment, "flagged": given.flagged, "sequence": 0},
    )
    assignment.draft = draft
    assignment.state = AssignmentState.PENDING
    assignment.save(update_fields=["state"])
    _count(assignment, -1)
    return assignment


def read_guideline(*, place: RoundAnnotator, version: int) -> None:
    """Remember that the annotator confirmed this version; an older confirmation arriving late changes nothing."""
    if not place.round.guidelines.filter(version=version).exists():
        raise Refused("This guideline has no such version.", code="unknown_guideline")
    RoundAnnotator.objects.filter(pk=place.pk, guideline_read__lt=version).update(guideline_read=version)


def _as_draft(assignment: Assignment) -> Draft:
    """The label in force as this annotator gave it, in screen terms. Not saved."""
    label = Label.objects.get(assignment=assignment, revision=assignment.revision)
    scheme = schemes.from_canonical(assignment.round.scheme)
    shown = scheme.to_sides(label.answers, roles=assignment.item.pair.roles, shown_as_a=assignment.shown_as_a)
    return Draft(assignment=assignment, answers=shown, comment=label.comment, flagged=label.flagged)


def _assignments_of(user: int) -> QuerySet[Assignment]:
    """The pairs of ``user`` (an id) where they are an annotator now, and an adjudicator's own blind answers."""
    present = Membership.objects.filter(user=user, study=OuterRef("round__study"), removed_at__isnull=True)
    blind = Q(role=MemberRole.ANNOTATOR)
    adjudicating = ~blind & Q(kind=LabelKind.ADJUDICATION)
    kind = ExpressionWrapper(OuterRef("kind"), output_field=CharField())
    may = present.annotate(kind=kind).filter(blind | adjudicating)
    return Assignment.objects.filter(Exists(may), annotator__user=user)


def _label_of(assignment: Assignment, client_key: str) -> Label | None:
    known = Label.objects.filter(assignment=assignment, client_key=client_key).first()
    if known is not None:
        known.assignment = assignment
    return known


def _locked(user: User, public_id: str) -> Assignment:
    assignment = _LOCKED.first(user=user.pk, public_id=public_id)
    if assignment is None:
        raise NotAllowed("There is no such pair among yours.", code="no_such_assignment")
    return assignment


_LOCKED = Prepared(
    lambda user, public_id: (
        _assignments_of(user)
        .select_for_update(of=("self",))
        .filter(public_id=public_id)
        .select_related("annotator", "round", "item__pair")
        .only(*_TO_SUBMIT)
        .order_by()
    ),
    user=int,
    public_id=str,
)


def _check_known(assignment: Assignment, answers: Mapping[str, Any]) -> None:
    """A draft may be unfinished or wrong, but it speaks of this round's questions only."""
    asked = {question.name for question in schemes.from_canonical(assignment.round.scheme).questions}
    unknown = sorted(set(answers) - asked)
    if unknown:
        raise Refused(f"There is no question {unknown[0]!r} in this round.", code="unknown_question")


def _check_open(assignment: Assignment) -> None:
    # Adjudicators answer after the annotators have finished.
    closed = assignment.round.state != RoundState.OPEN and assignment.kind != LabelKind.ADJUDICATION
    if closed:
        raise Refused("This round is closed; what you labelled is kept.", code="round_closed")
    if place_of(assignment).state != AnnotatorState.ACTIVE:
        raise Refused("Your place in this round has ended; what you labelled is kept.", code="place_ended")
    if assignment.state == AssignmentState.RELEASED:
        raise Refused("This pair was given to somebody else.", code="assignment_released")
    if assignment.round.training_id is not None and not may_start(place_of(assignment)):
        raise Refused("First pass the training round.", code="training_not_passed")


def _count(assignment: Assignment, change: int) -> None:
    place = place_of(assignment)
    RoundAnnotator.objects.filter(pk=place.pk).update(n_submitted=F("n_submitted") + change)
    place.n_submitted += change


def place_of(assignment: Assignment) -> RoundAnnotator:
    """The place an assignment was given to, with its round where the assignment came with one."""
    if assignment.annotator is None:
        raise NotAllowed("Nobody has taken this pair yet.", code="no_such_assignment")
    if "round" in assignment._state.fields_cache:
        assignment.annotator.round = assignment.round
    return assignment.annotator
