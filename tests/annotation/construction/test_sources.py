from __future__ import annotations

from annotation.construction.sources import notices_for
from annotation.records import PairRecord
from tests.annotation.construction.material import build


def test_source_and_licence_ride_along() -> None:
    pairs, _ = build("mechanical")
    found = {(pair.source_dataset, pair.source_licence) for pair in pairs}
    assert ("HotpotQA", "CC BY-SA 4.0") in found
    assert ("FinQA", "MIT") in found
    assert all(pair.source_id == pair.cluster and pair.source_id for pair in pairs)


def test_notices_name_each_data_set_once() -> None:
    pairs, _ = build("mechanical")
    notices = notices_for(pairs)
    assert len(notices) == 3
    assert any("CC BY-SA 4.0" in notice and "HotpotQA" in notice for notice in notices)
    assert any("Copyright (c) 2021 Zhiyu Chen" in notice for notice in notices)


def test_an_unknown_licence_is_said_to_be_unknown() -> None:
    pair = PairRecord(pair_id="p", task="t", roles=("a", "b"), candidates=("x", "y"), source_dataset="Notes")
    assert "not stated" in notices_for([pair])[0]
    assert notices_for([]) == []
