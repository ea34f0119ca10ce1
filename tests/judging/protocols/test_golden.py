"""Each protocol's golden transcript: all stages, both orders, word for word."""

from __future__ import annotations

import pytest

from judging.protocols.composing import walk
from judging.protocols.registry import PROTOCOLS
from judging.protocols.stages import Protocol
from tests.judging.protocols.golden import FOLDER, FULL, ORDERS, scripted_judge, shown_pair, transcript


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.key)
def test_protocol_keeps_its_golden_transcript(protocol: Protocol) -> None:
    held = (FOLDER / f"{protocol.name}.txt").read_text(encoding="utf-8")
    assert transcript(protocol) == held


def test_every_golden_transcript_belongs_to_a_protocol() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {protocol.name for protocol in PROTOCOLS}


@pytest.mark.parametrize("protocol", [p for p in PROTOCOLS if p.pairwise], ids=lambda protocol: protocol.key)
def test_the_same_text_wins_in_both_orders(protocol: Protocol) -> None:
    for texts in ORDERS.values():
        done, _ = walk(protocol, shown_pair(protocol, texts), scripted_judge)
        assert [texts["AB".index(reading.shown)] for reading in done.readings] == [FULL] * len(done.readings)


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.key)
def test_protocol_asks_as_often_as_it_declares(protocol: Protocol) -> None:
    for probe in protocol.probes:
        _, exchange = walk(protocol, shown_pair(protocol, ORDERS["full shown as A"], probe), scripted_judge)
        assert len(exchange) == protocol.calls(probe)
        assert len({request.key for request, _ in exchange}) == len(exchange)
