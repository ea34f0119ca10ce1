"""What people said: label revisions, drafts, and what each pair was settled as."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.enums import LabelKind, ResolutionMethod
from annotation.models.people import User
from annotation.models.rounds import Assignment, Item


class Label(models.Model):
    """One revision of one annotator's answers. Rows are only ever added, by steps.label; the database refuses changes.

    ``answers`` and ``category`` are in roles, never in A / B; the assignment keeps which role was shown as A.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="labels", db_index=False)
    revision = models.PositiveIntegerField()
    kind = models.CharField(max_length=24, choices=LabelKind.choices())
    client_key = models.CharField(max_length=64, help_text="The browser's own key; the same key stores once")
    answers = models.JSONField()
    category = models.CharField(max_length=60, help_text="The primary question's category")
    comment = models.TextField(blank=True, default="")
    flagged = models.BooleanField(default=False)
    seconds = models.FloatField(null=True, help_text="Active time on task")
    idle_seconds = models.FloatField(null=True)
    guideline_version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("assignment_id", "revision")
        constraints = [
            models.UniqueConstraint(fields=["assignment", "revision"], name="label_revisions_are_numbered_once"),
            models.UniqueConstraint(fields=["assignment", "client_key"], name="a_label_sent_twice_is_stored_once"),
            models.CheckConstraint(condition=Q(kind__in=LabelKind.values()), name="label_kind_is_known"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="label_revisions_count_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.assignment} r{self.revision}: {self.category}"


class Draft(models.Model):
    """Answers not yet submitted, as the annotator sees them (A / B). Overwritten freely, dropped at submission."""

    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, related_name="draft", primary_key=True)
    answers = models.JSONField(default=dict)
    comment = models.TextField(blank=True, default="")
    flagged = models.BooleanField(default=False)
    sequence = models.PositiveBigIntegerField(default=0, help_text="The browser's own count: a late save never wins")
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"draft of {self.assignment}"


class Resolution(models.Model):
    """The settled category of an item. A change of mind is a new version; the labels are never edited."""

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="resolutions", db_index=False)
    version = models.PositiveIntegerField()
    category = models.CharField(max_length=60)
    method = models.CharField(max_length=24, choices=ResolutionMethod.choices())
    assignment = models.ForeignKey(
        Assignment, on_delete=models.PROTECT, null=True, related_name="+", help_text="The adjudicator's own answer"
    )
    independent = models.BooleanField(
        default=False, help_text="The adjudicator answered blind before seeing the labels"
    )
    reason = models.TextField(blank=True, default="")
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("item_id", "version")
        constraints = [
            models.UniqueConstraint(fields=["item", "version"], name="resolution_versions_are_numbered_once"),
            models.CheckConstraint(
                condition=~Q(method=ResolutionMethod.ADJUDICATED) | ~Q(reason=""),
                name="an_adjudication_gives_its_reason",
            ),
            models.CheckConstraint(
                condition=Q(method__in=ResolutionMethod.values()), name="resolution_method_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item}: {self.category}"
