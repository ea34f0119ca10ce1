"""Writing the audit: who did what to which thing."""

from __future__ import annotations

from typing import Any

from annotation.models import AuditEntry, Study, User


def record(*, study: Study | None, actor: User | None, action: str, subject: object = "", **detail: Any) -> AuditEntry:
    """Add one audit entry. Call it inside the transaction of the change it speaks of."""
    return AuditEntry.objects.create(study=study, actor=actor, action=action, subject=str(subject)[:200], detail=detail)
