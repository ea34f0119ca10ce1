"""manage.py lock_protocols keeps old versions as they were and adds new ones."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from judging.management.commands import lock_protocols
from judging.protocols.lock import LOCK_FILE
from judging.protocols.registry import PROTOCOLS


def test_check_passes_on_the_committed_lock_file() -> None:
    out = StringIO()
    call_command("lock_protocols", check=True, stdout=out)
    assert f"{len(PROTOCOLS)} protocols" in out.getvalue()


def test_locking_writes_what_is_committed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = tmp_path / "protocols.lock"
    monkeypatch.setattr(lock_protocols, "LOCK_FILE", fresh)
    call_command("lock_protocols", stdout=StringIO())
    assert fresh.read_text(encoding="utf-8") == LOCK_FILE.read_text(encoding="utf-8")


def test_locking_refuses_changed_content_under_an_old_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = LOCK_FILE.read_text(encoding="utf-8").splitlines()
    changed = tmp_path / "protocols.lock"
    changed.write_text("\n".join(line[:-1] + ("0" if line[-1] != "0" else "1") for line in held[1:]), encoding="utf-8")
    before = changed.read_text(encoding="utf-8")
    monkeypatch.setattr(lock_protocols, "LOCK_FILE", changed)
    with pytest.raises(CommandError, match="raise its version") as caught:
        call_command("lock_protocols")
    assert caught.value.returncode == 2
    assert changed.read_text(encoding="utf-8") == before
