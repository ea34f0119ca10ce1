"""A run's hard limits, as they are typed."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from annotation.errors import Refused
from judging.prices import NANO


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Hard limits; None is no limit. ``usd`` is in dollars, as typed."""

    calls: int | None = None
    tokens: int | None = None
    usd: str | Decimal | float | None = None

    def usd_nano(self) -> int | None:
        if self.usd is None:
            return None
        try:
            nano = Decimal(str(self.usd)) * NANO
        except InvalidOperation:
            raise Refused(f"A budget of {self.usd!r} dollars is no amount.") from None
        if not nano.is_finite() or nano < 0:
            raise Refused(f"A budget of {self.usd} dollars is no amount.")
        return int(nano)


NO_BUDGET = Budget()
