from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.construction.quantities import change_number, is_date, is_number, shift_date


@pytest.mark.parametrize(
    "answer", ["1932", "1960s", "2 March 1972", "July 5, 1984", "22 November", "2006\u20132010", "in 1804"]
)
def test_dates_are_dates_and_no_numbers_move_but_theirs(answer: str) -> None:
    assert is_date(answer)
    moved = shift_date(answer, random.Random(3), avoid="")
    assert moved is not None
    assert moved != answer
    assert is_date(moved)
    assert re.sub(r"\d+", "0", moved) == re.sub(r"\d+", "0", answer)


@pytest.mark.parametrize(
    "answer", ["17%", "393 mi", "722,664", "3.5", "16-year-old", "six", "nine weeks", "$185 million"]
)
def test_numbers_change_and_keep_their_form(answer: str) -> None:
    assert is_number(answer)
    changed = change_number(answer, random.Random(3), avoid="")
    assert changed is not None
    assert changed != answer
    assert is_number(changed)
    assert len(changed.split()) == len(answer.split())


@pytest.mark.parametrize("answer", ["69th Festival", "Super Bowl XLVIII", "Apollo 13", "the Twist", "Blink-182"])
def test_names_with_numbers_are_no_numbers(answer: str) -> None:
    assert not is_number(answer)
    assert not is_date(answer)


def test_numbers_of_the_evidence_are_avoided() -> None:
    years = " ".join(str(year) for year in range(1900, 2000) if year not in {1932, 1936})
    assert shift_date("1932", random.Random(1), avoid=years) == "1936"
    assert change_number("six", random.Random(1), avoid="two three four five seven 8 ten") == "nine"


def test_a_year_never_moves_into_the_future() -> None:
    assert all(int(shift_date("2024", random.Random(seed), avoid="") or 0) <= 2025 for seed in range(40))


@given(st.integers(min_value=0, max_value=10**9), st.integers(min_value=0, max_value=10**6))
def test_a_changed_number_is_never_the_same(number: int, seed: int) -> None:
    changed = change_number(f"{number:,}", random.Random(seed), avoid="")
    assert changed is None or int(changed.replace(",", "")) != number
