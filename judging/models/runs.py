"""What is asked: runs, the conditions they ask under, and one row per comparison."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models import Pair, Split, Study, User, opaque_id
from judging.enums import Attack, ComparisonState, Probe, RunState
from judging.models.judges import Judge


class Run(models.Model):
    """Comparisons planned together under one budget. Only steps.plan and the runner change its state."""

    public_id = models.CharField(max_length=24, unique=True, default=opaque_id)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="runs")
    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="runs")
    name = models.CharField(max_length=120)
    state = models.CharField(max_length=9, choices=RunState.choices(), default=RunState.PLANNED)
    plan = models.JSONField(
        default=dict, help_text="What was asked for, and the estimate shown before sending"
    )
    budget_calls = models.PositiveBigIntegerField(null=True)
    budget_tokens = models.PositiveBigIntegerField(null=True)
    budget_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True)
    concurrency = models.PositiveSmallIntegerField(default=16)
    stop_reason = models.TextField(blank=True, default="")
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-created_at", "-pk")
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="run_name_is_unique_in_its_study"),
            models.CheckConstraint(condition=Q(state__in=RunState.values()), name="run_state_is_known"),
            models.CheckConstraint(
                condition=Q(concurrency__gte=1), name="a_run_sends_at_least_one_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Condition(models.Model):
    """A judge under one variant of one protocol version: what a comparison has besides its pair and order.

    Empty text, never null, stands for "not used", so that the unique constraint holds.
    """

    judge = models.ForeignKey(Judge, on_delete=models.PROTECT, related_name="conditions")
    protocol = models.CharField(max_length=60)
    protocol_version = models.CharField(max_length=20)
    level = models.CharField(max_length=30, blank=True, default="")
    paraphrase = models.CharField(max_length=30, blank=True, default="")
    probe = models.CharField(max_length=20, blank=True, default="", choices=Probe.choices())
    attack = models.CharField(max_length=20, blank=True, default="", choices=Attack.choices())
    attacked_role = models.CharField(max_length=60, blank=True, default="")

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
                ],
                name="a_condition_is_declared_once",
            ),
            models.CheckConstraint(
                condition=Q(attack="", attacked_role="") | (~Q(attack="") & ~Q(attacked_role="")),
                name="an_attack_names_its_role_and_only_an_attack_does",
            ),
        ]

    def __str__(self) -> str:
        parts = [self.protocol, self.level, self.paraphrase, self.probe, self.attack, self.attacked_role]
        return f"{self.judge}: " + " ".join(part for part in parts if part)


class Comparison(models.Model):
    """One pair in one order under one condition, asked once (repeat 0) or again.

    A comparison belongs to the run that first planned it; a later run that wants the same one finds it here.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="comparisons")
    condition = models.ForeignKey(Condition, on_delete=models.PROTECT, related_name="comparisons")
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="comparisons")
    # Empty: both orders combined by whoever made an imported verdict; kept out of order metrics.
    shown_as_a = models.CharField(max_length=60, blank=True, default="")
    repeat = models.PositiveSmallIntegerField(default=0)
    # The cue labels displayed: {role: text}, and the side a placebo badge favours.
    cue = models.JSONField(default=dict)
    cue_favours = models.CharField(max_length=60, blank=True, default="")
    state = models.CharField(max_length=9, choices=ComparisonState.choices(), default=ComparisonState.PENDING)
    claimed_by = models.CharField(max_length=64, blank=True, default="")
    claimed_until = models.DateTimeField(null=True)
    error_code = models.CharField(max_length=60, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["condition", "pair", "shown_as_a", "repeat"], name="a_comparison_is_planned_once"
            ),
            models.CheckConstraint(
                condition=Q(state__in=ComparisonState.values()), name="comparison_state_is_known"
            ),
            models.CheckConstraint(
                condition=~Q(state=ComparisonState.CLAIMED) | ~Q(claimed_by=""),
                name="a_claimed_comparison_names_its_worker",
            ),
        ]
        indexes = [models.Index(fields=["run", "state", "id"], name="next_comparisons_of_a_run")]

    def __str__(self) -> str:
        return f"{self.pair_id} under {self.condition_id}"
