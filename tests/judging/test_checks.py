"""System checks by their ids."""

from __future__ import annotations

import pytest

from judging import checks
from judging.protocols import lock


def test_locked_protocols_pass() -> None:
    assert checks.protocols_are_as_locked() == []


def test_e001_tells_a_protocol_that_changed_under_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "content_hash", lambda _: "0" * 64)
    found = checks.protocols_are_as_locked()
    assert {each.id for each in found} == {"judging.E001"}
    assert "raise its version" in found[0].msg
