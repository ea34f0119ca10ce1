"""What was sent and what came back: calls, their attempts, and the bodies once each."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from judging.enums import AttemptState, Phase
from judging.models.runs import Comparison


class Payload(models.Model):
    """A request or reply body, kept once under its own hash."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    body = models.TextField()

    def __str__(self) -> str:
        return self.sha256[:12]


class Call(models.Model):
    """One request that a stage needs. By its key a reply that was paid for is used again."""

    comparison = models.ForeignKey(Comparison, on_delete=models.CASCADE, related_name="calls")
    stage = models.CharField(max_length=60, help_text="Stage, and its part where a stage asks more than once")
    phase = models.CharField(max_length=6, choices=Phase.choices(), default=Phase.ONLY)
    key = models.CharField(
        max_length=64,
        unique=True,
        help_text="Hash of the exact request, provider, endpoint, protocol version, pair, order and repeat",
    )
    request = models.ForeignKey(Payload, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["comparison", "stage", "phase"], name="a_stage_of_a_comparison_is_called_once_a_phase"
            )
        ]

    def __str__(self) -> str:
        return f"{self.stage} of {self.comparison_id}"


class Attempt(models.Model):
    """One sending of a call, written before it goes out. At most one attempt of a call is answered."""

    call = models.ForeignKey(Call, on_delete=models.CASCADE, related_name="attempts")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=9, choices=AttemptState.choices(), default=AttemptState.IN_FLIGHT)
    worker = models.CharField(max_length=64, blank=True, default="")
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    http_status = models.PositiveSmallIntegerField(null=True)
    error_code = models.CharField(max_length=60, blank=True, default="")
    error_detail = models.TextField(blank=True, default="")
    reply = models.ForeignKey(Payload, on_delete=models.PROTECT, null=True, related_name="+")
    finish_reason = models.CharField(max_length=40, blank=True, default="")
    model_returned = models.CharField(max_length=200, blank=True, default="")
    snapshot = models.CharField(max_length=200, blank=True, default="")
    # Charged: what the provider's usage says, or the maximum where an answer never came.
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    usage_reported = models.BooleanField(default=False)
    usd = models.DecimalField(max_digits=14, decimal_places=8, null=True)
    latency_ms = models.PositiveIntegerField(null=True)
    response_metadata = models.JSONField(default=dict)

    class Meta:
        ordering = ("call", "number")
        constraints = [
            models.UniqueConstraint(fields=["call", "number"], name="attempts_of_a_call_are_numbered_once"),
            models.UniqueConstraint(
                fields=["call"], condition=Q(state=AttemptState.OK), name="a_call_is_answered_at_most_once"
            ),
            models.CheckConstraint(
                condition=Q(state__in=AttemptState.values()), name="attempt_state_is_known"
            ),
            models.CheckConstraint(
                condition=~Q(state=AttemptState.OK) | Q(reply__isnull=False),
                name="an_answered_attempt_keeps_its_reply",
            ),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} of call {self.call_id}"
