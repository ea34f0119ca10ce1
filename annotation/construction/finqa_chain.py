"""Puts a FinQA program into words, one clause a step, so that a step can be shown or left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from annotation.construction.finqa_answer import Format, round_half_up
from annotation.construction.items import FinqaItem
from annotation.construction.program import (
    TABLE_OPERATIONS,
    Step,
    cell_number,
    is_constant,
    is_reference,
    number_of,
    run_program,
    table_row,
)
from annotation.construction.tidy import sentence_case, tidy_report


@dataclass(frozen=True, slots=True)
class Chain:
    """The program's steps and results; ``hidden`` steps are not shown, nor are their results."""

    item: FinqaItem
    results: tuple[float | str, ...]
    hidden: frozenset[int] = frozenset()

    def with_results(self, results: tuple[float | str, ...]) -> Chain:
        """The same steps with other results: how a slip is told."""
        return replace(self, results=results)

    def words(self, final: str, form: Format | None) -> str:
        """The chain as sentences that end at the answer ``final``."""
        last = len(self.item.program.steps) - 1
        sentences: list[str] = []
        for number, step in enumerate(self.item.program.steps):
            if number in self.hidden:
                if number == last:
                    sentences.append(_JUMP_AFTER.format(final) if sentences else _JUMP.format(final))
                continue
            clause = self._clause(number, step)
            if number == last:
                clause += _ending(self.results[number], final, form)
            sentences.append(clause)
        return " ".join(sentence_case(sentence) for sentence in sentences)

    def _clause(self, number: int, step: Step) -> str:
        result = shown_number(self.results[number])
        if step.operation in TABLE_OPERATIONS:
            return self._table_clause(step, result)
        first, second = (self._operand(argument) for argument in step.arguments)
        match step.operation:
            case "add":
                return f"adding {first} and {second} gives {result}"
            case "subtract":
                return f"subtracting {second} from {first} gives {result}"
            case "multiply":
                return f"multiplying {first} by {second} gives {result}"
            case "divide":
                return f"dividing {first} by {second} gives {result}"
            case "exp":
                return f"raising {first} to the power of {second} gives {result}"
            case _:
                relation = "is" if result == "yes" else "is not"
                return f"comparing the two figures, {first} {relation} greater than {second}"

    def _operand(self, argument: str) -> str:
        if is_reference(argument):
            earlier = int(argument[1:])
            if earlier in self.hidden:
                return "an intermediate figure"
            return shown_number(self.results[earlier])
        if is_constant(argument):
            return shown_number(number_of(argument))
        return argument.replace(" ", "")

    def _table_clause(self, step: Step, result: str) -> str:
        row = self.item.table[table_row(step.arguments[0], self.item.table)]
        figures = [shown_number(value) for cell in row[1:] if (value := cell_number(cell)) is not None]
        listed = ", ".join(figures[:-1]) + " and " + figures[-1] if len(figures) > 1 else figures[0]
        name = tidy_report(row[0])
        match step.operation:
            case "table_sum":
                return f"adding the figures for {name}, {listed}, gives {result}"
            case "table_average":
                return f"averaging the figures for {name}, {listed}, gives {result}"
            case "table_max":
                return f"the largest of the figures for {name}, {listed}, is {result}"
            case _:
                return f"the smallest of the figures for {name}, {listed}, is {result}"


_JUMP = "working from these figures, the result is {}"
_JUMP_AFTER = "from there the result is {}"


def chain_of(item: FinqaItem, hidden: frozenset[int] = frozenset()) -> Chain:
    return Chain(item, tuple(run_program(item.program, item.table)), hidden)


def shown_number(value: float | str) -> str:
    """A result as a careful writer would put it: whole numbers whole, others to four decimals."""
    if isinstance(value, str):
        return value
    if abs(value - round(value)) < 1e-9:
        return str(round(value))
    decimals = 2 if abs(value) >= 100 else 4
    while abs(value) < 10.0 ** (1 - decimals) and decimals < 9:
        decimals += 1
    return round_half_up(value, decimals).rstrip("0").rstrip(".")


def _ending(result: float | str, final: str, form: Format | None) -> str:
    """How the last clause arrives at the answer's own wording."""
    if isinstance(result, str) or form is None:
        return f", so the answer is {final}"
    shown = shown_number(result)
    if form.percent:
        return f", or {final}" if form.factor == 100 else f", that is {final}"
    return "" if float(shown) == float(final.replace("$", "")) else f", about {final}"


def omissible_steps(steps: Sequence[Step]) -> tuple[int, ...]:
    """The steps that bring in a denominator, a base or a conversion: what the FinQA moderate tier leaves out.

    A division (its divisor is the denominator or base), a step whose result is divided by, a product with a constant.
    """
    divisors = {
        int(step.arguments[1][1:]) for step in steps if step.operation == "divide" and is_reference(step.arguments[1])
    }
    return tuple(
        number
        for number, step in enumerate(steps)
        if step.operation == "divide"
        or number in divisors
        or (step.operation == "multiply" and any(is_constant(argument) for argument in step.arguments))
    )
