"""Every protocol has a card that states its version, calls, source and deviations, and stands in the index."""

from __future__ import annotations

from pathlib import Path

import pytest

from judging.protocols.prompts import PROMPTS
from judging.protocols.registry import PROTOCOLS
from judging.protocols.stages import Protocol

INDEX = Path(__file__).resolve().parents[3] / "docs" / "protocols" / "README.md"


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.key)
def test_card_states_version_calls_source_deviations_and_changes(protocol: Protocol) -> None:
    card = (PROMPTS / protocol.prompts / "card.md").read_text(encoding="utf-8")
    assert f"`{protocol.key}`. Calls: {protocol.calls()}" in card
    for heading in ("**Source.**", "**Deviations.**", "**Change log.**", f"- {protocol.version}: "):
        assert heading in card


def test_index_lists_every_protocol_with_its_calls_and_card() -> None:
    index = INDEX.read_text(encoding="utf-8")
    listed = [line for line in index.splitlines() if line.startswith("| `")]
    assert len(listed) == len(PROTOCOLS)
    for protocol, line in zip(PROTOCOLS, listed, strict=True):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert cells[0] == f"`{protocol.key}`"
        assert cells[2].split()[0] == str(protocol.calls())
        assert (INDEX.parent / cells[5].partition("(")[2].rstrip(")")).resolve().is_file()
