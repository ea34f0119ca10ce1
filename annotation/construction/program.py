"""FinQA's small programs: parsed, run, and taken apart step by step (Chen et al. 2021, section 3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

OPERATIONS = ("add", "subtract", "multiply", "divide", "exp", "greater")
TABLE_OPERATIONS = ("table_sum", "table_average", "table_max", "table_min")

_CALL = re.compile(r"\s*([a-z_]+)\s*\(")
_NUMBER = re.compile(r"[-+]?(?:\d[\d,]*\.?\d*|\.\d+)")


class ProgramError(ValueError):
    """The program cannot be read or run; the message says which part."""


@dataclass(frozen=True, slots=True)
class Step:
    """One operation and its arguments as written: a number, ``const_100``, ``#0``, a table row's name, ``none``."""

    operation: str
    arguments: tuple[str, str]

    @property
    def references(self) -> tuple[int, ...]:
        """The earlier steps whose results this one takes."""
        return tuple(int(argument[1:]) for argument in self.arguments if is_reference(argument))


@dataclass(frozen=True, slots=True)
class Program:
    """The steps in order, and the text they were parsed from."""

    text: str
    steps: tuple[Step, ...]

    def literals(self) -> tuple[str, ...]:
        """The numbers the program takes from the report, in order, without constants and references."""
        found = [
            argument
            for step in self.steps
            if step.operation in OPERATIONS
            for argument in step.arguments
            if not is_reference(argument) and not is_constant(argument)
        ]
        return tuple(dict.fromkeys(found))


def is_reference(argument: str) -> bool:
    return re.fullmatch(r"#\d+", argument) is not None


def is_constant(argument: str) -> bool:
    return argument.startswith("const_")


def parse_program(text: str) -> Program:
    """``divide(9, 3), subtract(#0, const_1)`` as a ``Program``; raises ``ProgramError``.

    The name of a table row may hold commas and brackets, so that the last comma parts the two arguments.
    """
    steps: list[Step] = []
    rest = text.strip()
    while rest:
        match = _CALL.match(rest)
        if match is None:
            raise ProgramError(f"no operation at {rest[:30]!r}")
        operation = match.group(1)
        if operation not in OPERATIONS and operation not in TABLE_OPERATIONS:
            raise ProgramError(f"unknown operation {operation!r}")
        end = _closing(rest, match.end())
        inside = rest[match.end() : end]
        if "," not in inside:
            raise ProgramError(f"{operation} has one argument")
        first, second = inside.rsplit(",", 1)
        step = Step(operation, (first.strip(), second.strip()))
        if any(number >= len(steps) for number in step.references):
            raise ProgramError(f"step {len(steps)} refers to a later step")
        steps.append(step)
        rest = rest[end + 1 :].lstrip(" ,")
    if not steps:
        raise ProgramError("the program is empty")
    return Program(text.strip(), tuple(steps))


def _closing(text: str, start: int) -> int:
    depth = 1
    for position in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position
    raise ProgramError("a bracket is not closed")


def run_program(program: Program, table: Sequence[Sequence[str]]) -> list[float | str]:
    """The result of every step, in order; "yes" or "no" for ``greater``. Raises ``ProgramError``."""
    results: list[float | str] = []
    for step in program.steps:
        if step.operation in TABLE_OPERATIONS:
            results.append(_over_row(step, table))
            continue
        first, second = (number_of(argument, results) for argument in step.arguments)
        results.append(_apply(step.operation, first, second))
    return results


def _apply(operation: str, first: float, second: float) -> float | str:
    try:
        match operation:
            case "add":
                return first + second
            case "subtract":
                return first - second
            case "multiply":
                return first * second
            case "divide":
                return first / second
            case "exp":
                value = first**second
                if isinstance(value, complex):
                    raise ProgramError("a root of a negative number")
                return value
            case _:
                return "yes" if first > second else "no"
    except (ZeroDivisionError, OverflowError) as error:
        raise ProgramError(f"{operation}({first:g}, {second:g}) has no value") from error


def number_of(argument: str, results: Sequence[float | str] = ()) -> float:
    """The number an argument stands for; raises ``ProgramError`` where it is none."""
    if is_reference(argument):
        value = results[int(argument[1:])]
        if isinstance(value, str):
            raise ProgramError(f"{argument} is {value}, not a number")
        return value
    if is_constant(argument):
        digits = argument.removeprefix("const_")
        sign = -1.0 if digits.startswith("m") else 1.0
        return sign * _plain_number(digits.removeprefix("m"), argument)
    text = argument.strip().removeprefix("$").strip()
    if text.endswith("%"):
        return _plain_number(text[:-1].strip(), argument) / 100
    return _plain_number(text, argument)


def _plain_number(text: str, argument: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise ProgramError(f"{argument!r} is not a number")
    return float(text.replace(",", ""))


def cell_number(cell: str) -> float | None:
    """The number of a FinQA table cell ("$ 35", "-2 ( 2 )", "12% ( 12 % )"); None where it holds none."""
    match = _NUMBER.search(cell.split("(")[0].replace("$", "").replace(" ", ""))
    if match is None:
        return None
    value = float(match.group().replace(",", ""))
    return value / 100 if "%" in cell else value


def table_row(name: str, table: Sequence[Sequence[str]]) -> int:
    """The number of the row that bears the name; raises ``ProgramError`` where none does."""
    wanted = " ".join(name.split())
    for number, row in enumerate(table):
        if row and " ".join(row[0].split()) == wanted:
            return number
    raise ProgramError(f"the table has no row {name!r}")


def _over_row(step: Step, table: Sequence[Sequence[str]]) -> float:
    row = table[table_row(step.arguments[0], table)]
    numbers = [number for cell in row[1:] if (number := cell_number(cell)) is not None]
    if not numbers:
        raise ProgramError(f"the row {step.arguments[0]!r} holds no number")
    match step.operation:
        case "table_sum":
            return sum(numbers)
        case "table_average":
            return sum(numbers) / len(numbers)
        case "table_max":
            return max(numbers)
        case _:
            return min(numbers)
