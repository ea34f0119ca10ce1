"""The one shape in which a statistic leaves this package."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number with its interval, or the reason why there is none.

    ``value``, ``low``, ``high`` share one unit-free scale (a proportion is 0..1, never percent).
    ``level`` is the interval's nominal coverage, ``n`` counts units of ``unit`` ("pair", "pair x order",
    "cluster", "item" ...), ``method`` names how the interval was made, ``seed`` is set when resampling was used.
    An undefined statistic has ``value is None`` and says why in ``undefined``; NaN and infinity never occur.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    level: float = 0.95
    n: int = 0
    unit: str = ""
    method: str = ""
    se: float | None = None
    p: float | None = None
    seed: int | None = None
    undefined: str | None = None
    warning: str | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.undefined is None):
            raise ValueError("an Estimate has either a value or a reason why it is undefined")
        for name in ("value", "low", "high", "se", "p"):
            number = getattr(self, name)
            if number is not None and not math.isfinite(number):
                raise ValueError(f"{name} is {number}, which is no number to print; say why it is undefined instead")

    @classmethod
    def undefined_because(cls, reason: str, *, n: int = 0, unit: str = "", method: str = "") -> Estimate:
        """An estimate without a value; ``reason`` is a sentence a researcher can act on."""
        return cls(value=None, undefined=reason, n=n, unit=unit, method=method)

    def as_json(self) -> dict[str, Any]:
        """The public contract: {"value","low","high","level","se","n","unit","method"} or value null + undefined."""
        if self.value is None:
            return {"value": None, "undefined": self.undefined, "n": self.n, "unit": self.unit, "method": self.method}
        body: dict[str, Any] = {
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "se": self.se,
            "n": self.n,
            "unit": self.unit,
            "method": self.method,
        }
        for name in ("p", "seed", "warning"):
            if getattr(self, name) is not None:
                body[name] = getattr(self, name)
        return body
