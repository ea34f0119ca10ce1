"""What tokens cost: a dated table of list prices, and whole billionths of a dollar."""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from judging.providers.addresses import is_loopback

TABLE = Path(__file__).resolve().parent / "prices.toml"
NANO = 1_000_000_000
_FINE = 1_000_000

_SNAPSHOT = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$")


@dataclass(frozen=True, slots=True)
class Price:
    """Millionths of a billionth of a dollar per token, whole: a dollar per million tokens is 1,000,000,000 of them."""

    prompt: int
    completion: int
    since: dt.date | None = None

    def usd_nano(self, prompt_tokens: int, completion_tokens: int) -> int:
        """The cost of one call, rounded up to a whole billionth of a dollar."""
        return -(-(self.prompt * prompt_tokens + self.completion * completion_tokens) // _FINE)


FREE = Price(0, 0)


@cache
def _table() -> tuple[tuple[str, str, Price], ...]:
    """(host, model, price), newest first."""
    rows = []
    for entry in tomllib.loads(TABLE.read_text(encoding="utf-8"), parse_float=Decimal)["price"]:
        for model, (prompt, completion) in entry["models"].items():
            price = Price(_per_token(prompt), _per_token(completion), entry["from"])
            rows.append((entry["host"], model, price))
    return tuple(sorted(rows, key=lambda row: row[2].since or dt.date.min, reverse=True))


def _per_token(usd_per_million: Decimal | int) -> int:
    return int(usd_per_million * NANO)


def price_of(*, model: str, base_url: str, on: dt.date) -> Price | None:
    """The price of a model's tokens on a day; None where the table knows none. What runs on this machine is free."""
    if not base_url or is_loopback(base_url):
        return FREE
    host = urlsplit(base_url).hostname
    plain = _SNAPSHOT.sub("", model)
    for its_host, name, price in _table():
        if its_host == host and name in (model, plain) and (price.since is None or price.since <= on):
            return price
    return None


def as_usd(usd_nano: int | None) -> float | None:
    return None if usd_nano is None else usd_nano / NANO
