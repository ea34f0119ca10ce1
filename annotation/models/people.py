"""Who works here: accounts, studies and who may do what in each."""

from __future__ import annotations

import secrets

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone

from annotation.enums import MemberRole


def opaque_id() -> str:
    """A random public name for a row; says nothing of its order or its neighbours."""
    return secrets.token_urlsafe(12)


class User(AbstractUser):
    """An account. What it may do is decided per study, by its Membership."""

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    display_name = models.CharField(max_length=150, blank=True, default="")

    class Meta:
        db_table = "annotation_user"

    def __str__(self) -> str:
        return self.display_name or self.username


class Study(models.Model):
    """One piece of research; everything else belongs to exactly one."""

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=200)
    notice = models.TextField(blank=True, default="", help_text="Shown on every table and export, as for sample data")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "studies"
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """One person's one role in one study. Changed only by steps.members."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=24, choices=MemberRole.choices())
    # Set once somebody has held a role that sees roles, targets or labels: from then on they never label here.
    has_seen_behind = models.BooleanField(default=False)
    # Kept when somebody leaves, so that an invitation does not make them blind again.
    removed_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "user"], name="one_role_per_person_and_study"),
            models.CheckConstraint(condition=models.Q(role__in=MemberRole.values()), name="membership_role_is_known"),
            models.CheckConstraint(
                condition=~models.Q(role=MemberRole.ANNOTATOR, has_seen_behind=True),
                name="an_annotator_has_never_seen_behind",
            ),
            models.CheckConstraint(
                condition=models.Q(role=MemberRole.ANNOTATOR) | models.Q(has_seen_behind=True),
                name="every_other_role_has_seen_behind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.study}: {self.role}"


class Invitation(models.Model):
    """A link that lets one person join a study once, until it expires. Only the token's hash is kept."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=24, choices=MemberRole.choices())
    token_sha256 = models.CharField(max_length=64, unique=True)
    note = models.CharField(max_length=200, blank=True, default="", help_text="Whom it is for, in your own words")
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-created_at",)
        constraints = [
            models.CheckConstraint(condition=models.Q(role__in=MemberRole.values()), name="invited_role_is_known"),
            models.CheckConstraint(
                condition=models.Q(used_by__isnull=True, used_at__isnull=True)
                | models.Q(used_by__isnull=False, used_at__isnull=False),
                name="a_used_invitation_says_by_whom_and_when",
            ),
        ]

    def __str__(self) -> str:
        return f"invitation to {self.study} as {self.role}"


class AuditEntry(models.Model):
    """What somebody did, when and to what. Rows are only ever added; the database refuses changes."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, null=True, related_name="audit_entries")
    actor = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    action = models.CharField(max_length=60)
    subject = models.CharField(max_length=200, blank=True, default="")
    detail = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "audit entries"
        ordering = ("-created_at", "-pk")
        indexes = [models.Index(fields=["study", "-created_at"], name="audit_of_a_study")]

    def __str__(self) -> str:
        return f"{self.action} {self.subject}"


class Amendment(models.Model):
    """A change of the study's plan after work began: what, why, before and after, and how many rows it touched."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="amendments")
    actor = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    what = models.TextField()
    why = models.TextField()
    before = models.TextField(blank=True, default="")
    after = models.TextField(blank=True, default="")
    rows_affected = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("created_at", "pk")

    def __str__(self) -> str:
        return self.what[:60]
