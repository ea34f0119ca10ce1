"""Frozen human-validated target relations."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.enums import ValidationStatus
from annotation.models.labels import Resolution
from annotation.models.pairs import Pair
from annotation.models.people import Study, User
from annotation.models.rounds import Round


class ValidatedSplit(models.Model):
    """A frozen, hashed set of resolutions over closed rounds. Written once by steps.freeze.

    ``canonical`` is the text that was hashed: JSON lines in code-point order, without database ids, users, times
    or floats; ``hash_format`` is the version of that text's format.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="validated_splits")
    name = models.CharField(max_length=240)
    version = models.PositiveIntegerField()
    rounds = models.ManyToManyField(Round, related_name="validated_splits")
    hash_format = models.PositiveSmallIntegerField()
    sha256 = models.CharField(max_length=64)
    canonical = models.TextField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name", "version")
        constraints = [
            models.UniqueConstraint(
                fields=["study", "name", "version"], name="validated_split_versions_are_numbered_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"


class ValidatedPair(models.Model):
    """One pair's human tier beside its constructed one."""

    validated_split = models.ForeignKey(ValidatedSplit, on_delete=models.PROTECT, related_name="pairs", db_index=False)
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="validations")
    resolution = models.ForeignKey(Resolution, on_delete=models.PROTECT, null=True, related_name="+")
    category = models.CharField(max_length=60, blank=True, default="", help_text="Settled category; empty: none")
    categories = models.JSONField(default=list, help_text="The annotators' categories, sorted")
    constructed_tier = models.CharField(max_length=24, null=True)  # noqa: DJ001 - null is "none declared"
    constructed_target = models.CharField(max_length=60, null=True)  # noqa: DJ001
    human_target = models.CharField(max_length=60, null=True)  # noqa: DJ001
    status = models.CharField(max_length=24, choices=ValidationStatus.choices())
    reason = models.TextField(blank=True, default="")
    any_tie = models.BooleanField()
    unanimous = models.BooleanField(help_text="Two or more annotators, all of one category")

    class Meta:
        ordering = ("validated_split_id", "pair_id")
        constraints = [
            models.UniqueConstraint(
                fields=["validated_split", "pair"], name="a_pair_is_validated_once_per_validated_split"
            ),
            models.CheckConstraint(
                condition=Q(status__in=ValidationStatus.values()), name="validation_status_is_known"
            ),
            models.CheckConstraint(
                condition=Q(status=ValidationStatus.EXCLUDED, human_target__isnull=True)
                | ~Q(status=ValidationStatus.EXCLUDED),
                name="an_excluded_pair_has_no_human_target",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pair}: {self.status}"
