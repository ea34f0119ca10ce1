"""FinQA programs: parsing, running, and the errors that exclude an item."""

from __future__ import annotations

import pytest

from annotation.construction.program import ProgramError, cell_number, parse_program, run_program

TABLE = (("", "2019", "2018"), ("sales, net ( a )", "$ 120", "-8 ( 8 )"), ("share", "12% ( 12 % )", "-"))


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("subtract(120, 96), divide(#0, 96)", [24.0, 0.25]),
        ("add(1,200.5, -0.5)", None),
        ("multiply(932, 0.44)", [410.08]),
        ("divide(9, const_100), add(#0, const_m1)", [0.09, -0.91]),
        ("exp(2, 3)", [8.0]),
        ("greater(5, 6)", ["no"]),
        ("greater(6, 5)", ["yes"]),
        ("multiply(50%, 10)", [5.0]),
        ("table_sum(sales, net ( a ), none)", [112.0]),
        ("table_average(sales, net ( a ), none)", [56.0]),
        ("table_max(share, none), table_min(sales, net ( a ), none)", [0.12, -8.0]),
    ],
)
def test_programs_yield_their_results(text: str, results: list[float | str] | None) -> None:
    if results is None:
        # the last comma parts the arguments, so separators in the first survive
        assert run_program(parse_program(text), TABLE) == [1200.0]
    else:
        assert (
            run_program(parse_program(text), TABLE) == pytest.approx(results)
            if isinstance(results[0], float)
            else results
        )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("add(1, 2", "bracket"),
        ("power(1, 2)", "unknown operation"),
        ("add(1)", "one argument"),
        ("add(#1, 2), add(1, 2)", "later step"),
        ("add(one, 2)", "not a number"),
        ("divide(1, 0)", "no value"),
        ("table_sum(profit, none)", "no row"),
        ("greater(2, 1), add(#0, 1)", "not a number"),
    ],
)
def test_unusable_programs_say_why(text: str, why: str) -> None:
    with pytest.raises(ProgramError, match=why):
        run_program(parse_program(text), TABLE)


def test_literals_are_the_numbers_taken_from_the_report() -> None:
    program = parse_program("add(120, 96), divide(#0, const_2), subtract(#1, 96)")
    assert program.literals() == ("120", "96")


@pytest.mark.parametrize(
    ("cell", "number"),
    [("$ 35", 35.0), ("-2 ( 2 )", -2.0), ("12% ( 12 % )", 0.12), ("1,204", 1204.0), ("-", None), ("", None)],
)
def test_cells_are_read_as_numbers(cell: str, number: float | None) -> None:
    assert cell_number(cell) == number
