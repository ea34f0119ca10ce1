"""What is judged: splits of immutable pairs, and the report of each import."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from annotation.enums import TARGET_BOUNDARY, TARGET_TIE, SplitPart, Tier
from annotation.models.people import Study


class Split(models.Model):
    """A named set of pairs with an ordered list of two or more roles; each of its pairs has two of them.

    ``part`` is empty, or says that the split is one part of a set divided by cluster; no cluster of a study is ever in
    two parts (kept by steps.pair_writer).
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="splits")
    name = models.CharField(max_length=120)
    roles = models.JSONField(help_text="Ordered list of role names")
    part = models.CharField(max_length=20, blank=True, default="", choices=SplitPart.choices())
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name",)
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="split_name_is_unique_in_its_study"),
            models.CheckConstraint(condition=Q(part__in=["", *SplitPart.values()]), name="split_part_is_known"),
        ]

    def __str__(self) -> str:
        return self.name


class Pair(models.Model):
    """A task and two candidates, each under a role. Written once by steps.ingest; the database refuses changes.

    A candidate that is null has no text (scoreable, never labelled or judged); an empty one is a legal answer.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="pairs", db_index=False)
    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="pairs", db_index=False)
    pair_id = models.CharField(max_length=200)
    position = models.PositiveIntegerField(help_text="Place in the split, from 0, as imported")
    role_1 = models.CharField(max_length=60)
    role_2 = models.CharField(max_length=60)
    tier = models.CharField(max_length=24, null=True, choices=Tier.choices())  # noqa: DJ001
    target = models.CharField(max_length=60, null=True)  # noqa: DJ001
    cluster = models.CharField(max_length=200)
    artifact_kind = models.CharField(max_length=60, blank=True, default="")
    artifact_role = models.CharField(max_length=60, blank=True, default="")
    domain = models.CharField(max_length=60, blank=True, default="")
    source_dataset = models.CharField(max_length=120, blank=True, default="")
    source_id = models.CharField(max_length=200, blank=True, default="")
    source_licence = models.CharField(max_length=120, blank=True, default="")
    content_hash = models.CharField(max_length=64)
    meta = models.JSONField(default=dict)
    # The long texts come last, so that reading a tier or a cluster does not walk over them.
    task = models.TextField()
    context = models.TextField(null=True)  # noqa: DJ001 - null (none given) and empty are different facts
    candidate_1 = models.TextField(null=True)  # noqa: DJ001 - see the class docstring
    candidate_2 = models.TextField(null=True)  # noqa: DJ001

    class Meta:
        ordering = ("split_id", "position")
        constraints = [
            models.UniqueConstraint(fields=["study", "pair_id"], name="pair_id_is_unique_in_its_study"),
            models.UniqueConstraint(fields=["split", "position"], name="a_place_in_a_split_holds_one_pair"),
            models.CheckConstraint(condition=~Q(role_1=F("role_2")), name="the_two_roles_of_a_pair_differ"),
            models.CheckConstraint(
                condition=Q(tier__isnull=True) | Q(tier__in=Tier.values()), name="pair_tier_is_known"
            ),
            models.CheckConstraint(
                condition=Q(target__isnull=True)
                | Q(target__in=[TARGET_TIE, TARGET_BOUNDARY])
                | Q(target=F("role_1"))
                | Q(target=F("role_2")),
                name="target_is_a_role_of_the_pair_or_tie_or_boundary",
            ),
            models.CheckConstraint(condition=~Q(cluster=""), name="every_pair_has_a_cluster"),
        ]

    def __str__(self) -> str:
        return self.pair_id

    @property
    def roles(self) -> tuple[str, str]:
        return (self.role_1, self.role_2)

    def text_of(self, role: str) -> str | None:
        """The candidate shown under ``role``; KeyError for a role the pair does not have."""
        return {self.role_1: self.candidate_1, self.role_2: self.candidate_2}[role]


class ImportReport(models.Model):
    """One file taken in, or one split built: what was read, kept, excluded and odd. The same is never taken twice.

    ``excluded`` and ``oddities`` name the first thousand; ``n_excluded`` and ``oddity_counts`` ({code: number}) count
    all. ``detail`` says how a split was built: recipe, version, seed, source file, licence notices, partition.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="imports")
    kind = models.CharField(max_length=20)
    into = models.CharField(max_length=200)
    file_name = models.CharField(max_length=255)
    file_format = models.CharField(max_length=40)
    sha256 = models.CharField(max_length=64)
    rows_read = models.PositiveIntegerField(default=0)
    rows_kept = models.PositiveIntegerField(default=0)
    excluded = models.JSONField(default=list)
    oddities = models.JSONField(default=list)
    n_excluded = models.PositiveIntegerField(default=0)
    oddity_counts = models.JSONField(default=dict)
    detail = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-created_at",)
        constraints = [
            models.UniqueConstraint(
                fields=["study", "kind", "into", "sha256"],
                name="the_same_file_is_imported_once_into_one_place",
            )
        ]

    def __str__(self) -> str:
        return f"{self.file_name} into {self.into}"

    @property
    def n_oddities(self) -> int:
        return sum(self.oddity_counts.values())
