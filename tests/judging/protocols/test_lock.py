"""Changed content under an old version is an error the lock check reports."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judging.errors import LockError, UnknownProtocol
from judging.protocols import lock as lock_module
from judging.protocols.lock import LOCK_FILE, check_lock, content_hash, prompt_files, read_lock, updated_lock
from judging.protocols.registry import PROTOCOLS, get_protocol

LADDER = get_protocol("ladder")


def test_every_protocol_is_as_it_was_locked() -> None:
    assert [problem.message for problem in check_lock(PROTOCOLS)] == []


def test_a_changed_prompt_under_an_old_version_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    read = lock_module.read_prompt
    monkeypatch.setattr(
        lock_module, "read_prompt", lambda name: read(name) + (" " if name == "ladder/L3.p2.txt" else "")
    )
    problems = check_lock(PROTOCOLS)
    assert [(problem.code, problem.protocol) for problem in problems] == [("changed", "ladder@1")]
    with pytest.raises(LockError, match="raise its version"):
        updated_lock(PROTOCOLS, lock=LOCK_FILE.read_text(encoding="utf-8"))


def test_a_version_the_lock_does_not_hold_is_reported_and_added() -> None:
    held = LOCK_FILE.read_text(encoding="utf-8")
    newer = replace(LADDER, version="2")
    assert [problem.code for problem in check_lock([newer], lock=held)] == ["unlocked"]
    updated = updated_lock([newer], lock=held)
    assert read_lock(updated).keys() == read_lock(held).keys() | {"ladder@2"}
    assert check_lock([newer], lock=updated) == ()


def test_the_hash_does_not_depend_on_line_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    before = content_hash(LADDER)
    read_text = lock_module.Path.read_text
    monkeypatch.setattr(lock_module.Path, "read_text", lambda self, **how: read_text(self, **how).replace("\n", "\r\n"))
    assert content_hash(LADDER) == before


def test_the_hash_covers_the_files_that_declare_the_protocol_and_their_prompts() -> None:
    trace = get_protocol("trace_v2")
    assert "trace_fields.py" in trace.declared_in
    assert content_hash(trace) != content_hash(replace(trace, declared_in=("trace_v2.py",)))
    assert "trace_v2/normalise.user.txt" in prompt_files(trace)
    assert {"shared/cue.txt", "shared/cue_family.reveal.txt"} <= set(prompt_files(get_protocol("scot")))


@pytest.mark.parametrize("line", ["ladder 12", "ladder@1 short", f"a@1 {'0' * 64}\na@1 {'1' * 64}"])
def test_a_lock_file_that_is_none_is_refused(line: str) -> None:
    with pytest.raises(LockError, match="line"):
        read_lock(line)


def test_get_protocol_knows_names_and_guards_versions() -> None:
    assert get_protocol("ladder", "1") is LADDER
    with pytest.raises(UnknownProtocol, match="trace_v2"):
        get_protocol("trace_v3")
    with pytest.raises(UnknownProtocol, match="at version 1"):
        get_protocol("ladder", "0")


def test_names_are_unique() -> None:
    assert len({protocol.key for protocol in PROTOCOLS}) == len(PROTOCOLS)
    assert len({protocol.name for protocol in PROTOCOLS}) == len(PROTOCOLS)
