"""What a comparison yielded: a narrow verdict per phase, and every reading it was ever given."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models import User
from judging.enums import Outcome, Phase, Shown, VerdictSource
from judging.models.runs import Comparison


class Reading(models.Model):
    """One parse of a comparison's stored replies, or a person's ruling. Rows are only ever added."""

    comparison = models.ForeignKey(Comparison, on_delete=models.CASCADE, related_name="readings")
    phase = models.CharField(max_length=6, choices=Phase.choices(), default=Phase.ONLY)
    number = models.PositiveSmallIntegerField(default=1)
    extractor_version = models.CharField(max_length=20, blank=True, default="")
    outcome = models.CharField(max_length=8, choices=Outcome.choices())
    shown = models.CharField(max_length=3, blank=True, default="", choices=Shown.choices())
    reason = models.CharField(max_length=60, blank=True, default="", help_text="Why there is no judgement")
    repaired = models.BooleanField(default=False)
    rationale = models.TextField(blank=True, default="")
    scores = models.JSONField(default=dict)
    record = models.JSONField(default=dict, help_text="TRACE records, locked notes, evidence")
    ruled_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    ruling = models.TextField(blank=True, default="", help_text="The person's reason")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("comparison", "phase", "number")
        constraints = [
            models.UniqueConstraint(
                fields=["comparison", "phase", "number"], name="readings_are_numbered_once"
            ),
            models.CheckConstraint(
                condition=Q(outcome=Outcome.DECIDED, shown__in=Shown.values())
                | (~Q(outcome=Outcome.DECIDED) & Q(shown="")),
                name="a_reading_names_a_side_or_tie_exactly_when_decided",
            ),
            models.CheckConstraint(
                condition=Q(ruled_by__isnull=True) | ~Q(ruling=""), name="a_ruling_gives_its_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"reading {self.number} of {self.comparison_id}: {self.outcome}"


class Verdict(models.Model):
    """The reading in force, in roles, with what it cost. Narrow, because reports add up millions of these."""

    comparison = models.ForeignKey(Comparison, on_delete=models.CASCADE, related_name="verdicts")
    phase = models.CharField(max_length=6, choices=Phase.choices(), default=Phase.ONLY)
    reading = models.OneToOneField(Reading, on_delete=models.PROTECT, related_name="verdict")
    outcome = models.CharField(max_length=8, choices=Outcome.choices())
    winner = models.CharField(max_length=60, blank=True, default="", help_text="A role, Tie, or empty")
    tie_offered = models.BooleanField(default=True)
    source = models.CharField(max_length=9, choices=VerdictSource.choices())
    n_calls = models.PositiveSmallIntegerField(default=0)
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    usd = models.DecimalField(max_digits=14, decimal_places=8, null=True)
    latency_ms = models.PositiveIntegerField(null=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["comparison", "phase"], name="one_verdict_per_comparison_and_phase"
            ),
            models.CheckConstraint(
                condition=(Q(outcome=Outcome.DECIDED) & ~Q(winner=""))
                | (~Q(outcome=Outcome.DECIDED) & Q(winner="")),
                name="a_verdict_has_a_winner_exactly_when_decided",
            ),
            models.CheckConstraint(
                condition=Q(source__in=VerdictSource.values()), name="verdict_source_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.comparison_id} {self.phase}: {self.winner or self.outcome}"
