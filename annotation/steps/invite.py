"""Inviting people by a link that works once and expires. Only its hash is stored."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from annotation.enums import MemberRole
from annotation.errors import NotAllowed, Refused
from annotation.models import Invitation, Membership, Study, User
from annotation.steps import audit
from annotation.steps.members import set_member

DEFAULT_DAYS = 7


def invite(
    *, study: Study, role: MemberRole, by: User, note: str = "", days: int = DEFAULT_DAYS
) -> tuple[Invitation, str]:
    """A new invitation and its token, which is shown this once."""
    if days < 1:
        raise Refused("An invitation lasts at least one day.", code="invalid_days")
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        made = Invitation.objects.create(
            study=study,
            role=role,
            token_sha256=_digest(token),
            note=note,
            by=by,
            expires_at=timezone.now() + timedelta(days=days),
        )
        audit.record(study=study, actor=by, action="invitation.made", subject=note or role, role=role)
    return made, token


def open_invitation(token: str) -> Invitation:
    """The invitation behind a token; NotAllowed, in the same words, for one unknown, used or expired."""
    found = Invitation.objects.filter(token_sha256=_digest(token)).select_related("study").first()
    if found is None or found.used_at is not None or found.expires_at <= timezone.now():
        raise NotAllowed("This invitation is not valid any more. Ask for a new one.", code="invalid_invitation")
    return found


@transaction.atomic
def accept(*, token: str, user: User) -> Membership:
    """Join the study as invited; the link is used up. Whoever has a role there keeps it and is refused."""
    invitation = Invitation.objects.select_for_update(of=("self",)).get(pk=open_invitation(token).pk)
    open_invitation(token)
    if Membership.objects.filter(study=invitation.study, user=user, removed_at__isnull=True).exists():
        raise Refused("You are already a member of this study; the invitation is still good.", code="already_member")
    membership = set_member(study=invitation.study, user=user, role=MemberRole(invitation.role), actor=invitation.by)
    invitation.used_by, invitation.used_at = user, timezone.now()
    invitation.save(update_fields=["used_by", "used_at"])
    audit.record(study=invitation.study, actor=user, action="invitation.accepted", subject=user)
    return membership


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
