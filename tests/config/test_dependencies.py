"""What the product imports is what requirements.txt pins, and every pin has its reason written down."""

from __future__ import annotations

import ast
import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OURS = {"annotation", "judging", "analysis", "config"}
#: Imported only where a file of their own asks for them, behind a message that names it.
OPTIONAL = {"pyarrow", "sumy"}


def pinned(name: str) -> dict[str, str]:
    """{distribution: version} of a requirements file."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    found = (re.match(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?==(\S+)$", line) for line in lines)
    return {match[1].lower(): match[2] for match in found if match}


def imported() -> set[str]:
    """Top-level names that product code imports, anywhere in a file."""
    names: set[str] = set()
    for app in OURS:
        for path in (ROOT / app).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    names |= {alias.name.split(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    names.add(node.module.split(".")[0])
    return names - OURS - set(sys.stdlib_module_names)


def test_every_import_is_pinned_directly() -> None:
    distributions = packages_distributions()
    named = set(pinned("requirements.txt"))
    missing = {
        name
        for name in imported() - OPTIONAL
        if not any(each.lower() in named for each in distributions.get(name, [name]))
    }
    assert missing == set()


def test_every_pin_has_its_reason_and_no_other_is_named() -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| ")]
    named = {name.strip() for row in rows for name in re.sub(r"\[.*?\]", "", row).split(",")} - {"package"}
    assert named == set(pinned("requirements.txt"))


def test_every_line_of_the_requirement_files_is_an_exact_pin() -> None:
    for path in ROOT.glob("requirements*.txt"):
        for line in path.read_text(encoding="utf-8").splitlines():
            text = line.split("#")[0].strip()
            assert not text or text.startswith("-r requirements") or "==" in text, f"{path.name}: {line}"
