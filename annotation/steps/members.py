"""Who may do what in a study. Whoever has seen roles, targets or others' labels never labels there."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from annotation.enums import MemberRole
from annotation.errors import Refused
from annotation.models import Membership, Study, User
from annotation.steps import audit


@transaction.atomic
def set_member(*, study: Study, user: User, role: MemberRole, actor: User | None) -> Membership:
    """Give ``user`` their one role in ``study``; Refused for a way back to annotator."""
    membership = Membership.objects.select_for_update().filter(study=study, user=user).first()
    sees_behind = role != MemberRole.ANNOTATOR
    if membership is None:
        membership = Membership(study=study, user=user)
    elif membership.has_seen_behind and not sees_behind:
        raise Refused(
            f"{user} has seen roles and labels of this study and cannot become an annotator in it.",
            code="has_seen_behind",
        )
    before = membership.role
    membership.role = role
    membership.removed_at = None
    membership.has_seen_behind = membership.has_seen_behind or sees_behind
    membership.save()
    audit.record(study=study, actor=actor, action="member.set", subject=user, before=before, after=role)
    return membership


@transaction.atomic
def remove_member(*, membership: Membership, actor: User | None) -> None:
    """End a membership; what the person did stays. The row is kept, so that nobody becomes blind again by leaving.

    Raises Refused for the study's last owner.
    """
    others = Membership.objects.filter(
        study=membership.study_id, role=MemberRole.OWNER, removed_at__isnull=True
    ).exclude(pk=membership.pk)
    if membership.role == MemberRole.OWNER and not others.exists():
        raise Refused("A study keeps at least one owner. Make somebody else owner first.", code="last_owner")
    membership.removed_at = timezone.now()
    membership.save(update_fields=["removed_at"])
    audit.record(
        study=membership.study, actor=actor, action="member.removed", subject=membership.user, role=membership.role
    )
