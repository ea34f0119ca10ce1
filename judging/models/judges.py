"""Who judges: provider, model and parameters."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.models import Study
from judging.enums import ProviderKind


class Judge(models.Model):
    """A provider, a model and its parameters. The key is named, never held."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="judges")
    name = models.CharField(max_length=240)
    provider = models.CharField(max_length=24, choices=ProviderKind.choices())
    model = models.CharField(max_length=200)
    base_url = models.CharField(max_length=300, blank=True, default="")
    key_name = models.CharField(
        max_length=80, blank=True, default="", help_text="Environment variable that holds the key"
    )
    parameters = models.JSONField(default=dict)
    config_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name",)
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="judge_name_is_unique_in_its_study"),
            models.UniqueConstraint(fields=["study", "config_hash"], name="the_same_judge_is_declared_once_in_a_study"),
            models.CheckConstraint(condition=Q(provider__in=ProviderKind.values()), name="provider_is_known"),
        ]

    def __str__(self) -> str:
        return self.name
