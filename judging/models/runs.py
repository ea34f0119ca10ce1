"""What is asked: runs, the conditions they ask under, and one row per comparison."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.models import Pair, Split, Study, User, opaque_id
from judging.enums import Attack, ComparisonState, Probe, RunState
from judging.models.judges import Judge


class Run(models.Model):
    """Comparisons planned together under one budget. Only steps.plan and the runner change its state."""

    public_id = models.CharField(max_length=24, unique=True, default=opaque_id)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="runs", db_index=False)
    split = models.ForeignKey(
        Split, on_delete=models.PROTECT, null=True, related_name="runs", help_text="Null: an import over several"
    )
    name = models.CharField(max_length=120)
    state = models.CharField(max_length=24, choices=RunState.choices(), default=RunState.PLANNED)
    plan = models.JSONField(default=dict, help_text="What was asked for, and the estimate shown before sending")
    budget_calls = models.PositiveBigIntegerField(null=True)
    budget_tokens = models.PositiveBigIntegerField(null=True)
    # Money is counted in billionths of a dollar, whole, so that both databases add up to the same sum.
    budget_usd_nano = models.PositiveBigIntegerField(null=True)
    spent_calls = models.PositiveBigIntegerField(default=0)
    spent_tokens = models.PositiveBigIntegerField(default=0)
    spent_usd_nano = models.PositiveBigIntegerField(default=0)
    concurrency = models.PositiveSmallIntegerField(default=16)
    stop_reason = models.TextField(blank=True, default="")
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-created_at", "-pk")
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="run_name_is_unique_in_its_study"),
            models.CheckConstraint(condition=Q(state__in=RunState.values()), name="run_state_is_known"),
            models.CheckConstraint(condition=Q(concurrency__gte=1), name="a_run_sends_at_least_one_at_a_time"),
        ]

    def __str__(self) -> str:
        return self.name


class Condition(models.Model):
    """A judge under one variant of one protocol version: what a comparison has besides its pair and order.

    Empty text, never null, stands for "not used", so that the unique constraint holds.
    """

    judge = models.ForeignKey(Judge, on_delete=models.PROTECT, related_name="conditions", db_index=False)
    protocol = models.CharField(max_length=60)
    protocol_version = models.CharField(max_length=24)
    level = models.CharField(max_length=40, blank=True, default="")
    paraphrase = models.CharField(max_length=40, blank=True, default="")
    probe = models.CharField(max_length=24, blank=True, default="", choices=Probe.choices())
    attack = models.CharField(max_length=24, blank=True, default="", choices=Attack.choices())
    attacked_role = models.CharField(max_length=60, blank=True, default="")
    seed = models.CharField(max_length=24, blank=True, default="", help_text="The sampling seed, where one is sent")
    options = models.CharField(
        max_length=300, blank=True, default="", help_text="Other variants of the protocol, as canonical JSON"
    )
    wave = models.CharField(
        max_length=40, blank=True, default="", help_text="Asking the same judge again, to measure drift"
    )
    protocol_hash = models.CharField(max_length=64, blank=True, default="")
    # Raised in every transaction that changes a verdict of this condition: cached sums are kept per version.
    verdict_version = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=[
                    "judge",
                    "protocol",
                    "protocol_version",
                    "level",
                    "paraphrase",
                    "probe",
                    "attack",
                    "attacked_role",
                    "seed",
                    "options",
                    "wave",
                ],
                name="a_condition_is_declared_once",
            ),
            models.CheckConstraint(
                condition=~Q(attack="") | Q(attacked_role=""), name="only_an_attack_has_an_attacked_role"
            ),
        ]

    def __str__(self) -> str:
        parts = [self.protocol, self.level, self.paraphrase, self.probe, self.attack, self.attacked_role]
        return f"{self.judge}: " + " ".join(part for part in parts if part)


class Comparison(models.Model):
    """One pair in one order under one condition, asked once (repeat 0) or again. Any number of runs may want it.

    ``order`` is the number of the role shown as A (1 or 2); 0 stands for both orders combined by whoever made an
    imported verdict, and is kept out of order metrics.
    """

    condition = models.ForeignKey(Condition, on_delete=models.PROTECT, related_name="comparisons", db_index=False)
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="comparisons")
    order = models.PositiveSmallIntegerField()
    repeat = models.PositiveSmallIntegerField(default=0)
    cue_favours = models.CharField(max_length=60, blank=True, default="", help_text="The role a placebo badge favours")
    state = models.CharField(max_length=24, choices=ComparisonState.choices(), default=ComparisonState.PENDING)
    claimed_by = models.CharField(max_length=64, blank=True, default="")
    claimed_until = models.DateTimeField(null=True)
    error_code = models.CharField(max_length=60, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["condition", "pair", "order", "repeat", "cue_favours"], name="a_comparison_is_planned_once"
            ),
            models.CheckConstraint(condition=Q(order__in=[0, 1, 2]), name="the_order_is_a_role_number_or_both"),
            models.CheckConstraint(condition=Q(state__in=ComparisonState.values()), name="comparison_state_is_known"),
            models.CheckConstraint(
                condition=~Q(state=ComparisonState.CLAIMED) | ~Q(claimed_by=""),
                name="a_claimed_comparison_names_its_worker",
            ),
        ]
        indexes = [
            models.Index(
                fields=["claimed_by"], condition=Q(state=ComparisonState.CLAIMED), name="comparisons_a_worker_holds"
            )
        ]

    def __str__(self) -> str:
        return f"{self.pair_id} under {self.condition_id}"


class RunComparison(models.Model):
    """That a run wants a comparison. Whoever asks it first serves all."""

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="wanted", db_index=False)
    comparison = models.ForeignKey(Comparison, on_delete=models.PROTECT, related_name="wanted_by")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "comparison"], name="a_run_wants_a_comparison_once")]

    def __str__(self) -> str:
        return f"{self.run_id} wants {self.comparison_id}"
