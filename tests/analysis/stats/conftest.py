"""How property tests run here: no deadline, because a busy machine is no wrong statistic."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("statistics", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("statistics")
