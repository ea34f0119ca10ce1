"""What was sent and what came back: calls, who used them, their attempts, and the bodies once each."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.models import Study
from judging.enums import AttemptState, Phase
from judging.models.runs import Comparison, Run


class Payload(models.Model):
    """A request or reply body, kept once under its own hash. Bytes, so that no text can make storing it fail."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    body = models.BinaryField()

    def __str__(self) -> str:
        return self.sha256[:12]

    @property
    def text(self) -> str:
        return bytes(self.body).decode("utf-8", "replace")


class Call(models.Model):
    """One request. By its key a reply that was paid for is used again.

    The key hashes study, exact first request, provider, endpoint, protocol version, pair, order and repeat; pairs
    with equal text have ids of their own and so never share a sample.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="calls")
    key = models.CharField(max_length=64, unique=True)
    request = models.ForeignKey(Payload, on_delete=models.PROTECT, related_name="+", db_index=False)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.key[:12]


class CallUse(models.Model):
    """That a stage of a comparison used a call; cost per protocol counts every use, "paid" counts calls."""

    comparison = models.ForeignKey(Comparison, on_delete=models.PROTECT, related_name="uses", db_index=False)
    stage = models.CharField(max_length=60, help_text="Stage, and its part where a stage asks more than once")
    phase = models.CharField(max_length=24, choices=Phase.choices(), default=Phase.ONLY)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="uses")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["comparison", "stage", "phase"], name="a_stage_of_a_comparison_uses_one_call_a_phase"
            ),
            models.CheckConstraint(condition=Q(phase__in=Phase.values()), name="call_phase_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.stage} of {self.comparison_id}"


class Attempt(models.Model):
    """One sending of a call, written before it goes out. At most one attempt of a call is in flight or answered."""

    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="attempts", db_index=False)
    number = models.PositiveSmallIntegerField()
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="attempts", help_text="Who pays")
    state = models.CharField(max_length=24, choices=AttemptState.choices(), default=AttemptState.IN_FLIGHT)
    worker = models.CharField(max_length=64, blank=True, default="")
    request = models.ForeignKey(
        Payload,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
        help_text="What was sent, where a provider's quirk changed the call's own request",
    )
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    http_status = models.PositiveSmallIntegerField(null=True)
    error_code = models.CharField(max_length=60, blank=True, default="")
    error_detail = models.TextField(blank=True, default="")
    reply = models.ForeignKey(Payload, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    finish_reason = models.TextField(blank=True, default="")
    model_returned = models.TextField(blank=True, default="")
    snapshot = models.TextField(blank=True, default="")
    # Charged: what the provider's usage says, or the maximum where an answer never came.
    prompt_tokens = models.PositiveIntegerField(null=True)
    completion_tokens = models.PositiveIntegerField(null=True)
    usd_nano = models.PositiveBigIntegerField(null=True)
    usage_reported = models.BooleanField(default=False)
    latency_ms = models.PositiveIntegerField(null=True)
    response_metadata = models.JSONField(default=dict)

    class Meta:
        ordering = ("call_id", "number")
        constraints = [
            models.UniqueConstraint(fields=["call", "number"], name="attempts_of_a_call_are_numbered_once"),
            models.UniqueConstraint(
                fields=["call"],
                condition=Q(state__in=[AttemptState.IN_FLIGHT, AttemptState.OK]),
                name="a_call_is_in_flight_or_answered_once",
            ),
            models.CheckConstraint(condition=Q(state__in=AttemptState.values()), name="attempt_state_is_known"),
            models.CheckConstraint(
                condition=~Q(state=AttemptState.OK) | Q(reply__isnull=False), name="an_answered_attempt_keeps_its_reply"
            ),
        ]
        indexes = [
            models.Index(fields=["run"], condition=Q(state=AttemptState.IN_FLIGHT), name="attempts_in_flight_of_a_run")
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} of call {self.call_id}"
