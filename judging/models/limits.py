"""Rate limits that all workers share."""

from __future__ import annotations

from django.db import models


class RateBucket(models.Model):
    """How far one key's allowance is used. Fills with what is sent and drains with time; changed by runner.limits.

    ``name`` is a hash of the endpoint and the name of the key's variable; the key itself is nowhere.
    """

    name = models.CharField(max_length=32, primary_key=True)
    requests = models.FloatField(default=0)
    tokens = models.FloatField(default=0)
    updated_at = models.DateTimeField()
    paused_until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name[:8]
