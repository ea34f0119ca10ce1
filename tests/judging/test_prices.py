"""Prices are dated, exact and whole."""

from __future__ import annotations

import datetime as dt

import pytest

from judging.prices import FREE, price_of

OPENAI = "https://api.openai.com/v1"
LATER = dt.date(2026, 1, 1)


def test_price_is_per_token_and_rounded_up() -> None:
    price = price_of(model="gpt-4o-mini", base_url=OPENAI, on=LATER)
    assert price is not None
    # 0.15 and 0.60 dollars a million tokens are 150 and 600 billionths a token.
    assert price.usd_nano(1_000_000, 0) == 150_000_000
    assert price.usd_nano(3, 2) == 3 * 150 + 2 * 600


def test_fraction_of_a_billionth_rounds_up() -> None:
    price = price_of(model="deepseek-chat", base_url="https://api.deepseek.com", on=LATER)
    assert price is not None
    assert (price.usd_nano(1, 0), price.usd_nano(0, 1)) == (280, 420)


@pytest.mark.parametrize("model", ["gpt-4o-mini-2024-07-18", "gpt-4o-mini-latest"])
def test_snapshot_costs_what_its_model_costs(model: str) -> None:
    assert price_of(model=model, base_url=OPENAI, on=LATER) == price_of(model="gpt-4o-mini", base_url=OPENAI, on=LATER)


def test_price_is_not_taken_before_its_day_nor_at_another_host() -> None:
    assert price_of(model="gpt-4o-mini", base_url=OPENAI, on=dt.date(2024, 1, 1)) is None
    assert price_of(model="gpt-4o-mini", base_url="https://models.example.org", on=LATER) is None
    assert price_of(model="gpt-4o-mini-audio", base_url=OPENAI, on=LATER) is None


def test_what_runs_here_is_free() -> None:
    assert price_of(model="anything", base_url="http://127.0.0.1:8080/v1", on=LATER) == FREE
    assert price_of(model="longer", base_url="", on=LATER) == FREE
