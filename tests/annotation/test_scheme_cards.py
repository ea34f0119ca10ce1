"""Every label scheme has its card, at its version and with its categories."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation import schemes

CARDS = Path(__file__).resolve().parents[2] / "docs" / "schemes"


@pytest.mark.parametrize("name", schemes.available())
def test_card_states_version_and_declared_categories(name: str) -> None:
    scheme = schemes.load(name)
    card = (CARDS / f"{name}.md").read_text(encoding="utf-8")
    assert f"(`{name}`, version {scheme.version})" in card
    count = len(scheme.categories(scheme.primary, ("role 1", "role 2"))) if scheme.primary else 0
    assert f"(q = {count})" in card


def test_the_index_lists_every_scheme_and_nothing_else() -> None:
    index = (CARDS / "README.md").read_text(encoding="utf-8")
    listed = {line.split("`")[1] for line in index.splitlines() if line.startswith("| `")}
    assert listed == set(schemes.available()) == {path.stem for path in CARDS.glob("*.md")} - {"README"}
