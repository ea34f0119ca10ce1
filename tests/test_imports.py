"""No circle of imports: whichever module a process asks for first, it loads."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OURS = ("annotation", "judging", "analysis", "config")


def modules() -> dict[str, Path]:
    """{dotted name: file}; a package is named without its __init__."""
    found = {}
    for app in OURS:
        for path in (ROOT / app).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def at_load(tree: ast.AST) -> Iterator[ast.stmt]:
    """The import statements that run when a module is loaded: none inside functions or under TYPE_CHECKING."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        elif not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)):
            yield from at_load(node)


def named(statement: ast.stmt, known: dict[str, Path]) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
    elif isinstance(statement, ast.ImportFrom) and statement.module:
        submodules = [f"{statement.module}.{alias.name}" for alias in statement.names]
        yield from (name for name in submodules if name in known)
        if any(name not in known for name in submodules):
            yield statement.module


def needs(module: str, path: Path, known: dict[str, Path]) -> set[str]:
    """What must load before ``module``: what it imports, and the packages around that which are not its own."""
    found = set()
    for statement in at_load(ast.parse(path.read_text(encoding="utf-8"))):
        for name in named(statement, known):
            parts = name.split(".")
            around = {".".join(parts[:count]) for count in range(1, len(parts) + 1)}
            found |= {each for each in around if each in known and not f"{module}.".startswith(f"{each}.")}
    return found


def test_no_module_waits_for_itself() -> None:
    known = modules()
    assert {"judging.runner", "annotation.models", "analysis.stats", "config.urls"} <= set(known)
    try:
        TopologicalSorter({name: needs(name, path, known) for name, path in known.items()}).prepare()
    except CycleError as error:
        raise AssertionError("imports in a circle: " + " <- ".join(error.args[1])) from None
