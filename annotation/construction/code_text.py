"""Puts a generated program into words: the run, step by step, as evidence."""

from __future__ import annotations

from annotation.construction.body import Body, Statement
from annotation.construction.items import CodeItem


def task_of(item: CodeItem) -> str:
    """The question with the program in a fenced block."""
    return f"What does this Python program print?\n\n```python\n{item.program}\n```"


def full_body(item: CodeItem, *, output: str | None = None) -> Body:
    """The steps of the run and the output; ``output`` puts another one in its place."""
    shown = item.output if output is None else output
    statements = tuple(
        Statement(step, "Program", f"step {number}", number - 1) for number, step in enumerate(item.steps, start=1)
    )
    return Body(statements, f"The program therefore prints `{shown}`.", f"`{shown}`")
