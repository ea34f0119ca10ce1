from __future__ import annotations

from annotation.construction.sentences import split_sentences, split_words


def test_sentences_end_at_stops_before_capitals() -> None:
    assert split_sentences('It closed. Why? "Nobody knows!" The end.') == [
        "It closed.",
        "Why?",
        '"Nobody knows!"',
        "The end.",
    ]


def test_sentences_do_not_end_at_abbreviations_and_initials() -> None:
    text = "Dr. Hale of St. Ives met J. R. R. Tolkien at approx. Five. He left the U.S. Army in Jan. Then he wrote."
    assert split_sentences(text)[0] == "Dr. Hale of St. Ives met J. R. R. Tolkien at approx. Five."
    assert split_sentences("It cost 3.5 million. It was sold.") == ["It cost 3.5 million.", "It was sold."]


def test_sentences_end_at_blank_lines_and_none_is_empty() -> None:
    assert split_sentences("A heading\n\nA line\nthat goes on.\n\n\n") == ["A heading", "A line that goes on."]
    assert split_sentences("  \n ") == []


def test_every_word_of_the_text_is_in_one_sentence() -> None:
    text = "One two. Three (four). Five? Six!"
    assert " ".join(split_sentences(text)) == text


def test_words_keep_apostrophes_and_numbers() -> None:
    assert split_words("The mill's 1,200 wheels.") == ["The", "mill's", "1,200", "wheels"]
