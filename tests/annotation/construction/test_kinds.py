"""Of what kind an answer is, and what else of that kind its context holds."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from annotation.construction.distractors import distractors, other_title
from annotation.construction.items import HotpotItem, Paragraph
from annotation.construction.kinds import asked_kind, kind_of, looks_like_person, paragraph_kind
from tests.annotation.construction.material import hotpot_item


def about(answer: str, question: str = "What is it?", *paragraphs: tuple[str, str]) -> HotpotItem:
    more = tuple(Paragraph(title, (text,)) for title, text in paragraphs)
    base = hotpot_item("own-country")
    return replace(base, answer=answer, question=question, paragraphs=(*base.paragraphs[:2], *more))


@pytest.mark.parametrize(
    ("answer", "question", "kind"),
    [
        ("no", "Is it?", "polar"),
        ("1932", "When?", "date"),
        ("2 March 1972", "When?", "date"),
        ("February 9, 1768", "When?", "date"),
        ("from 1969 until 1974", "When?", "date"),
        ("1960s", "When?", "date"),
        ("393 mi", "How long?", "number"),
        ("17%", "How much?", "number"),
        ("six", "How many?", "number"),
        ("16-year-old", "How old?", "number"),
        ("Virginia", "From what state?", "list:us_state"),
        ("New York", "In which city?", "list:city"),
        ("novelist", "What profession do they share?", "list:occupation"),
        ("singer, songwriter", "What occupations do they share?", "list:occupations"),
        ("Bath, Maine", "Where?", "place"),
        ("Sam Boyd Stadium", "Where do they play?", "stadium"),
        ("Jane Austen", "Who wrote it?", "person"),
        ("J. R. R. Tolkien", "Who wrote it?", "person"),
        ("the Cold War (1947-91)", "Which war was it?", "list:war"),
        ("69th Cannes Film Festival", "At which film festival was it shown?", "event"),
    ],
)
def test_the_kind_follows_form_list_and_question(answer: str, question: str, kind: str) -> None:
    assert kind_of(answer, about(answer, question)) == kind


def test_the_kind_follows_the_paragraph_the_answer_is_the_title_of() -> None:
    item = about("Hole", "What is it?", ("Hole (band)", "Hole was an American rock band formed in 1989."))
    assert kind_of("Hole", item) == "band"


@pytest.mark.parametrize(
    ("first_sentence", "kind"),
    [
        ("Ada (born 1 May 1990) is unlike others.", "person"),
        ("X is an American singer and songwriter.", "person"),
        ("X was a series of battles for the city.", "conflict"),
        ("X is a series of novels by a writer.", "book"),
        ("X is a town in Ohio.", "settlement"),
        ("X is a monthly magazine about mills.", "magazine"),
        ("X lies somewhere.", ""),
    ],
)
def test_paragraphs_are_told_by_their_first_sentence(first_sentence: str, kind: str) -> None:
    assert paragraph_kind(Paragraph("X", (first_sentence,))) == kind


def test_the_question_asks_for_the_last_noun_before_its_verb() -> None:
    assert asked_kind("At which 2016 film festival was it screened?") == "event"
    assert asked_kind("In which film did he play?") == "film"
    assert asked_kind("Who directed it?") == "person"
    assert asked_kind("What is it?") == ""


def test_things_are_not_taken_for_persons() -> None:
    assert looks_like_person("George Stephenson")
    assert not looks_like_person("George Washington University")
    assert not looks_like_person("George")
    assert not looks_like_person("the George Hotel")


def test_distractors_are_of_the_kind_from_the_context_and_not_in_the_evidence() -> None:
    found = distractors(hotpot_item("own-person"), random.Random(1))
    assert set(found) == {"Robert Wiene", "Walter Ruttmann", "Frederick Wilhelm Murnau"}
    assert set(distractors(hotpot_item("own-state"), random.Random(1))) == {"Connecticut", "New Hampshire"}


def test_distractors_that_may_also_be_true_are_left_out() -> None:
    item = about("English", "Of what nationality is he?", ("X", "A British and French company."))
    assert distractors(item, random.Random(1)) == ["French"]


def test_no_distractor_is_made_up() -> None:
    assert distractors(hotpot_item("own-markup"), random.Random(1)) == []


def test_a_question_of_choice_offers_its_other_title() -> None:
    assert other_title(hotpot_item("own-choice")) == "Rhine"
    assert other_title(hotpot_item("own-polar")) is None
    assert other_title(hotpot_item("own-country")) is None
