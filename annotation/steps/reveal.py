"""Who saw the labels of a pair before answering it: an independent adjudicator answers blind first, then sees them."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet

from annotation.enums import AssignmentState, LabelKind
from annotation.errors import Refused
from annotation.models import Assignment, AuditEntry, Item, User
from annotation.steps import audit
from annotation.steps.adjudicate import start_blind_answer

SHOWN = "item.labels_shown"


@transaction.atomic
def show_labels(*, item: Item, to: User) -> Assignment | None:
    """Remember that ``to`` was shown the labels of ``item``; returns their blind answer, if they gave one before."""
    answer = _answers(item, to).filter(state=AssignmentState.SUBMITTED).first()
    if not _was_shown(item, to):
        audit.record(study=item.round.study, actor=to, action=SHOWN, subject=_subject(item), blind=answer is not None)
    return answer


@transaction.atomic
def begin_blind(*, item: Item, adjudicator: User) -> Assignment:
    """The adjudicator's blind look at ``item``. Refused once they have been shown its labels."""
    if _was_shown(item, adjudicator):
        raise Refused("You have seen the labels of this pair, so your answer would not be blind.", code="labels_seen")
    return start_blind_answer(item=item, adjudicator=adjudicator)


def _was_shown(item: Item, to: User) -> bool:
    return AuditEntry.objects.filter(study=item.round.study_id, actor=to, action=SHOWN, subject=_subject(item)).exists()


def _subject(item: Item) -> str:
    return f"round {item.round_id}, item {item.pk}"


def _answers(item: Item, to: User) -> QuerySet[Assignment]:
    return Assignment.objects.filter(item=item, kind=LabelKind.ADJUDICATION, annotator__user=to)
