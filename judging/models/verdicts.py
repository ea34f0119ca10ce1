"""What a comparison yielded: a narrow verdict per phase, and every reading it was ever given."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.models import Pair, User
from judging.enums import Outcome, Phase, Shown, VerdictSource
from judging.models.runs import Comparison, Condition


class Reading(models.Model):
    """One parse of a comparison's stored replies, or a person's ruling. Rows are only ever added.

    ``shown`` is in screen terms; in an imported verdict of both orders combined, A stands for role 1.
    """

    comparison = models.ForeignKey(Comparison, on_delete=models.PROTECT, related_name="readings", db_index=False)
    phase = models.CharField(max_length=24, choices=Phase.choices(), default=Phase.ONLY)
    number = models.PositiveSmallIntegerField(default=1)
    extractor_version = models.CharField(max_length=24, blank=True, default="")
    outcome = models.CharField(max_length=24, choices=Outcome.choices())
    shown = models.CharField(max_length=3, blank=True, default="", choices=Shown.choices())
    reason = models.CharField(max_length=60, blank=True, default="", help_text="Why there is no judgement")
    repaired = models.BooleanField(default=False)
    ruled_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    ruling = models.TextField(blank=True, default="", help_text="The person's reason")
    cue = models.JSONField(default=dict, help_text="The cue labels displayed, {role: text}")
    model_returned = models.TextField(blank=True, default="")
    snapshot = models.TextField(blank=True, default="")
    called_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    rationale = models.TextField(blank=True, default="")
    scores = models.JSONField(default=dict)
    record = models.JSONField(default=dict, help_text="TRACE records, locked notes, evidence")

    class Meta:
        ordering = ("comparison_id", "phase", "number")
        constraints = [
            models.UniqueConstraint(fields=["comparison", "phase", "number"], name="readings_are_numbered_once"),
            models.CheckConstraint(
                condition=Q(outcome=Outcome.DECIDED, shown__in=Shown.values())
                | (~Q(outcome=Outcome.DECIDED) & Q(shown="")),
                name="a_reading_names_a_side_or_tie_exactly_when_decided",
            ),
            models.CheckConstraint(
                condition=Q(ruled_by__isnull=True) | ~Q(ruling=""), name="a_ruling_gives_its_reason"
            ),
            models.CheckConstraint(condition=Q(phase__in=Phase.values()), name="reading_phase_is_known"),
        ]

    def __str__(self) -> str:
        return f"reading {self.number} of {self.comparison_id}: {self.outcome}"


class Verdict(models.Model):
    """The reading in force, in roles, with what it cost. Narrow and self-sufficient: reports add up millions.

    ``condition``, ``pair``, ``order`` and ``repeat`` are the comparison's own. ``winner`` is the number of the
    winning role (1 or 2), 0 for a tie, null where nothing was decided. Unknown costs are null, never 0.
    """

    comparison = models.ForeignKey(Comparison, on_delete=models.PROTECT, related_name="verdicts", db_index=False)
    phase = models.CharField(max_length=24, choices=Phase.choices(), default=Phase.ONLY)
    condition = models.ForeignKey(Condition, on_delete=models.PROTECT, related_name="verdicts", db_index=False)
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="verdicts")
    order = models.PositiveSmallIntegerField()
    repeat = models.PositiveSmallIntegerField()
    reading = models.OneToOneField(Reading, on_delete=models.PROTECT, related_name="verdict")
    outcome = models.CharField(max_length=24, choices=Outcome.choices())
    winner = models.SmallIntegerField(null=True)
    tie_offered = models.BooleanField(null=True)
    source = models.CharField(max_length=24, choices=VerdictSource.choices())
    ruled = models.BooleanField(default=False, help_text="A person read the reply where the extractor could not")
    n_calls = models.PositiveSmallIntegerField(null=True)
    prompt_tokens = models.PositiveIntegerField(null=True)
    completion_tokens = models.PositiveIntegerField(null=True)
    usd_nano = models.PositiveBigIntegerField(null=True)
    latency_ms = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["comparison", "phase"], name="one_verdict_per_comparison_and_phase"),
            models.CheckConstraint(
                condition=Q(outcome=Outcome.DECIDED, winner__in=[0, 1, 2])
                | (~Q(outcome=Outcome.DECIDED) & Q(winner__isnull=True)),
                name="a_verdict_has_a_winner_exactly_when_decided",
            ),
            models.CheckConstraint(condition=Q(source__in=VerdictSource.values()), name="verdict_source_is_known"),
            models.CheckConstraint(condition=Q(phase__in=Phase.values()), name="verdict_phase_is_known"),
        ]
        indexes = [
            models.Index(
                fields=["condition", "pair", "order", "repeat", "phase", "outcome", "winner"],
                name="verdicts_of_a_condition",
            ),
            models.Index(fields=["condition"], condition=~Q(outcome=Outcome.DECIDED), name="undecided_of_a_condition"),
        ]

    def __str__(self) -> str:
        return f"{self.comparison_id} {self.phase}: {self.outcome}"
