"""Balanced orders hold both promises for any number of people, items and labels."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from annotation.balance import balanced_orders


@given(st.integers(0, 10_000), st.integers(1, 7), st.integers(1, 40), st.data())
def test_everyone_sees_each_role_first_equally_often_within_one(
    seed: int, people: int, items: int, data: st.DataObject
) -> None:
    labels = data.draw(st.integers(1, people))
    rng = random.Random(seed)
    who = {item: rng.sample(range(people), labels) for item in range(items)}
    orders = balanced_orders(people=who, rng=rng)
    lead: Counter[int] = Counter()
    for item, persons in who.items():
        assert set(orders[item]) <= {1, 2}
        if labels % 2 == 0:
            assert orders[item].count(1) == labels // 2
        for person, order in zip(persons, orders[item], strict=True):
            lead[person] += 1 if order == 1 else -1
    assert all(abs(each) <= 1 for each in lead.values())


def test_the_same_seed_gives_the_same_orders() -> None:
    who = {item: ["x", "y", "z"][item % 2 :] for item in range(20)}
    first, second = (balanced_orders(people=who, rng=random.Random(5)) for _ in range(2))
    assert first == second
    assert first != balanced_orders(people=who, rng=random.Random(6))
