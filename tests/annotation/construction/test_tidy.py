from __future__ import annotations

import pytest

from annotation.construction.tidy import sentence_case, tidy_question, tidy_report, tidy_sentence, tidy_title


@pytest.mark.parametrize(
    ("damaged", "repaired"),
    [
        ("The Hall (] , short BH ] ) is old .", "The Hall (short BH) is old."),
        ("Ada ( ; born 10 December 1815) wrote.", "Ada (born 10 December 1815) wrote."),
        ("Ribble ( ) is a town.", "Ribble is a town."),
        ("Pascal {'1': \", '2': \", '3': \", '4': \"} wrote.", "Pascal wrote."),
        ("He (9 February 176817 June 1852) sailed.", "He (9 February 1768 \u2013 17 June 1852) sailed."),
        ("She (February 9, 1768June 17, 1852) sailed.", "She (February 9, 1768 \u2013 June 17, 1852) sailed."),
        ("Barns &amp; Sons", "Barns & Sons"),
        ('He played in "The Mill!', 'He played in "The Mill!"'),
        ('The Mill", a film, was shown.', '"The Mill", a film, was shown.'),
        ('He was there until 2012. "', "He was there until 2012."),
    ],
)
def test_tidy_sentence_repairs_known_damage(damaged: str, repaired: str) -> None:
    assert tidy_sentence(damaged) == repaired


def test_tidy_sentence_leaves_sound_text_alone() -> None:
    sound = 'The "Mill" (built 1804\u20131806; later extended) cost US$185 million, i.e. a lot.'
    assert tidy_sentence(sound) == sound


@pytest.mark.parametrize(
    ("damaged", "repaired"),
    [
        ("management 2019s discussion", "management's discussion"),
        ("our subsidiaries 2019 taxable income", "our subsidiaries' taxable income"),
        ("see 201cnote 4 201d for more .", 'see "note 4" for more.'),
        ("it rose 12% ( 12 % ) in 2019 .", "it rose 12% in 2019."),
        ("$ -19.8 ( 19.8 )", "-$19.8"),
        ("-2 ( 2 )", "-2"),
        ("( 5 ) % (  % )", "-5%"),
        ("as of december 312014", "as of December 31, 2014"),
        ("$ 1.6 a0million", "$1.6 million"),
        ("in the u.s .", "in the U.S."),
    ],
)
def test_tidy_report_repairs_known_damage(damaged: str, repaired: str) -> None:
    assert tidy_report(damaged) == repaired


@pytest.mark.parametrize("sound", ["in 2019 and 2018", "the year 2014", "since 2013 we sold 2019 units", "2018"])
def test_tidy_report_keeps_years_that_are_years(sound: str) -> None:
    assert tidy_report(sound) == sound


def test_titles_lose_their_brackets_and_questions_their_spacing() -> None:
    assert tidy_title("The Mill (2015 film)") == "The Mill"
    assert tidy_title("(What) Mill?") == "(What) Mill?"
    assert tidy_question(" what  is Barns &amp; Sons ?") == "What is Barns & Sons?"


def test_sentence_case_adds_what_is_missing_only() -> None:
    assert sentence_case("it closed") == "It closed."
    assert sentence_case("It is Go!.") == "It is Go!"
    assert sentence_case("") == ""
