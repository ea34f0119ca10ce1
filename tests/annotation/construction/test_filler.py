from __future__ import annotations

import random

import pytest

from annotation.construction.content import names, numbers, tokens
from annotation.construction.display import find_display
from annotation.construction.filler import SENTENCES, TOLERANCE, distance, lengthen, within

PLAIN = "The mill closed in 1932. It is a museum.\n\nFinal answer: 1932"


@pytest.mark.parametrize("added", [30, 60, 120, 300])
def test_filler_reaches_the_length_of_its_model(added: int) -> None:
    model = PLAIN + " and, so (it seems) on" * (added // 8)
    longer = lengthen(PLAIN, model, random.Random(1))
    assert longer is not None
    assert longer.startswith(PLAIN + "\n\n")
    assert abs(len(tokens(longer)) - len(tokens(model))) <= TOLERANCE * len(tokens(model))
    assert within(longer, model)


def test_what_no_filler_can_reach_is_none() -> None:
    assert lengthen(PLAIN, PLAIN + " word" * 5000, random.Random(1)) is None


def test_no_sentence_repeats() -> None:
    model = PLAIN + " and, so (it seems) on" * 40
    added = (lengthen(PLAIN, model, random.Random(1)) or "").removeprefix(PLAIN).strip()
    used = [sentence for sentence in SENTENCES if sentence in added]
    assert sum(len(sentence) + 1 for sentence in used) == len(added) + 1


def test_filler_holds_no_number_no_name_and_no_display() -> None:
    for sentence in SENTENCES:
        assert not numbers(sentence), sentence
        assert not find_display(sentence), sentence
        assert all(len(name.split()) == 1 for name in names(sentence)), sentence
        banned = ("source", "verif", "correct", "evidence", "cite", "support", "true", "wrong", "candidate")
        assert not any(word in sentence.lower() for word in banned), sentence


def test_distance_is_a_share_of_the_model() -> None:
    assert distance("a b c", "a b c d") == pytest.approx(0.25)
