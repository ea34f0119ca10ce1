"""FinQA items in words: the answer shown, the evidence found, the arithmetic told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.construction.finqa_answer import answer_text, round_half_up
from annotation.construction.finqa_chain import omissible_steps, shown_number
from annotation.construction.finqa_text import evidence_of, full_body, task_of
from annotation.construction.program import parse_program
from annotation.construction.recipe import Unfit
from tests.annotation.construction.material import finqa_item


@pytest.mark.parametrize(
    ("item", "answer"),
    [
        ("-1", "25%"),
        ("-2", "25.0%"),
        ("-3", "yes"),
        ("-4", "102"),
        ("-5", "102.3%"),
        ("-6", "71.43%"),
        ("-7", "84000000"),
        ("-8", "40"),
    ],
)
def test_the_answer_follows_the_program_in_the_printed_form(item: str, answer: str) -> None:
    assert answer_text(finqa_item(item)) == answer


@pytest.mark.parametrize("item", ["-contradiction", "-sign"])
def test_a_printed_answer_that_contradicts_its_program_is_unfit(item: str) -> None:
    with pytest.raises(Unfit, match="contradicts its program"):
        answer_text(finqa_item(item))


def test_a_figure_that_stands_nowhere_is_unfit() -> None:
    with pytest.raises(Unfit, match="333 of its program stands nowhere"):
        evidence_of(finqa_item("-nowhere"))


def test_evidence_names_rows_columns_and_units() -> None:
    text = evidence_of(finqa_item("-1"))[0].text
    assert text == "Mill revenue (in millions): $120 (2019), $96 (2018), $90 (2017)."


def test_evidence_is_found_without_gold_rows() -> None:
    named = finqa_item("-6")
    unnamed = replace(named, gold_rows=(), gold_texts=())
    assert [one.text for one in evidence_of(unnamed)] == [one.text for one in evidence_of(named)]


def test_a_text_side_that_is_only_a_stop_is_no_evidence() -> None:
    item = replace(finqa_item("-2"), gold_texts=(1, 2))
    assert [one.text for one in evidence_of(item)] == [
        "The mill spent $12.5 million on wheels and $50 million on repairs in 2019."
    ]


def test_the_arithmetic_is_told_step_by_step() -> None:
    body = full_body(finqa_item("-1"))
    assert body.reasoning == "Subtracting 96 from 120 gives 24. Dividing 24 by 96 gives 0.25, or 25%."


def test_a_hidden_step_shows_neither_operands_nor_result() -> None:
    body = full_body(finqa_item("-7"), hidden=frozenset({1}))
    assert (
        body.reasoning == "Adding 120 and 48 gives 168. Multiplying an intermediate figure by 1000000 gives 84000000."
    )
    assert (
        full_body(finqa_item("-6"), hidden=frozenset({0})).reasoning
        == "Working from these figures, the result is 71.43%."
    )


def test_omissible_steps_are_divisions_divisors_and_conversions() -> None:
    program = parse_program("add(1, 2), divide(3, #0), subtract(#1, 5), multiply(#2, const_1000)")
    assert omissible_steps(program.steps) == (0, 1, 3)
    assert omissible_steps(parse_program("add(1, 2), multiply(#0, 3)").steps) == ()


def test_questions_end_in_a_question_mark() -> None:
    assert task_of(finqa_item("-2")) == "What share of repairs do wheels make up?"


@pytest.mark.parametrize(
    ("value", "decimals", "written"),
    [
        (0.125, 2, "0.13"),
        (2.675, 2, "2.68"),
        (-0.004, 2, "0.00"),
        (12.0, 0, "12"),
        (1e-7, 8, "0.00000010"),
        (-2.5, 0, "-3"),
    ],
)
def test_rounding_goes_away_from_zero_and_never_writes_minus_nought(value: float, decimals: int, written: str) -> None:
    assert round_half_up(value, decimals) == written


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (24.0, "24"),
        (0.07878787, "0.0788"),
        (81.66667, "81.6667"),
        (822.06667, "822.07"),
        (0.0000321, "0.000032"),
        ("yes", "yes"),
    ],
)
def test_results_are_shown_to_four_decimals(value: float | str, shown: str) -> None:
    assert shown_number(value) == shown
