from __future__ import annotations

import pytest

from annotation.construction.answers import answer_number, answers_match, final_answer, normalise


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("So it closed.\n\nFinal answer: 1932", "1932"),
        ("**Answer:** The Mill.", "The Mill"),
        ("The answer is 42%.", "42%"),
        ("Therefore, the final answer is: J. R. R. Tolkien", "J. R. R. Tolkien"),
        ("so \\boxed{7}", "7"),
        ("Answer: first\nFinal answer: second", "second"),
        ("Final answer: `[3, 5]`", "[3, 5]"),
        ("No such line.", None),
    ],
)
def test_final_answer_is_the_last_one_declared(text: str, answer: str | None) -> None:
    assert final_answer(text) == answer


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Danube", "danube"),
        ("7.88%", "0.07879"),
        ("7.87%", "0.07879"),
        ("34%", "0.34461"),
        ("$ 9,015,431", "9015431.44"),
        ("Rémi Lange", "Remi Lange"),
        ("yes", "Yes."),
        ("34%", "34"),
        ("382.7", "382.66667"),
    ],
)
def test_answers_that_say_the_same_match(one: str, other: str) -> None:
    assert answers_match(one, other)
    assert answers_match(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("yes", "no"), ("1932", "1931"), ("25%", "24%"), ("34%", "3.4"), ("Danube", "Rhine"), ("-6.1%", "6.1%"), ("", "")],
)
def test_answers_that_differ_do_not_match(one: str, other: str) -> None:
    assert not answers_match(one, other)


def test_normalise_drops_case_articles_punctuation_and_accents() -> None:
    assert normalise('  The "Mélodie", a song! ') == "melodie song"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("7.87%", (7.87, True, 2)),
        ("$ 1,200", (1200.0, False, 0)),
        ("-41", (-41.0, False, 0)),
        (".33%", (0.33, True, 2)),
        ("12 May", None),
        ("Boeing 747", None),
        ("", None),
    ],
)
def test_answer_number_reads_value_percent_and_decimals(text: str, read: tuple[float, bool, int] | None) -> None:
    assert answer_number(text) == read
