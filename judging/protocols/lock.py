"""The lock file: which content stands behind each protocol version. Changed content needs a new version.

A line is ``name@version sha256``. The hash covers the files that declare the protocol and every prompt file it uses.
Lines of versions that are no longer current stay, so that an old number is never given to other content.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judging.enums import Probe
from judging.errors import LockError
from judging.protocols.prompts import read_prompt
from judging.protocols.rendering import CUE_PROMPT, variant_prompt
from judging.protocols.stages import Protocol

HERE = Path(__file__).resolve().parent
LOCK_FILE = HERE / "protocols.lock"

CHANGED, UNLOCKED = "changed", "unlocked"


@dataclass(frozen=True, slots=True)
class LockProblem:
    """``changed``: other content under a locked version. ``unlocked``: a version the lock file does not hold yet."""

    code: str
    protocol: str
    message: str


def prompt_files(protocol: Protocol) -> tuple[str, ...]:
    """Every prompt file the protocol can use, sorted."""
    stages = [*protocol.stages, *([protocol.reveal] if protocol.reveal else [])]
    names = {stage.user for stage in stages} | {stage.system for stage in protocol.stages}
    names |= {
        variant_prompt(protocol, level, paraphrase)
        for level, paraphrases in protocol.variants.items()
        for paraphrase in paraphrases
        if level or paraphrase
    }
    if protocol.probes != {Probe.BLIND}:
        names.add(CUE_PROMPT)
    return tuple(sorted(names))


def content_hash(protocol: Protocol) -> str:
    """SHA-256 over the declaring files and the prompts, each with its name; line ends do not matter."""
    digest = hashlib.sha256()
    for name in sorted(protocol.declared_in):
        source = (HERE / name).read_text(encoding="utf-8").replace("\r\n", "\n")
        digest.update(f"file {name}\n{source}\n".encode())
    for name in prompt_files(protocol):
        digest.update(f"prompt {name}\n{read_prompt(name)}\n".encode())
    return digest.hexdigest()


def read_lock(text: str) -> dict[str, str]:
    """{"name@version": hash}. Raises LockError for a line that is none."""
    locked: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        key, _, digest = line.partition(" ")
        if "@" not in key or len(digest.strip()) != 64 or key in locked:
            raise LockError(f"protocols.lock, line {number}: {line!r} is no new 'name@version sha256'.")
        locked[key] = digest.strip()
    return locked


def check_lock(protocols: Sequence[Protocol], *, lock: str | None = None) -> tuple[LockProblem, ...]:
    """What stands in the way of trusting version numbers; empty when all is well."""
    locked = read_lock(LOCK_FILE.read_text(encoding="utf-8") if lock is None else lock)
    problems = []
    for protocol in protocols:
        held = locked.get(protocol.key)
        if held is None:
            message = f"{protocol.key} is not in protocols.lock; add it with manage.py lock_protocols."
            problems.append(LockProblem(UNLOCKED, protocol.key, message))
        elif held != content_hash(protocol):
            message = f"{protocol.key} has changed since it was locked; raise its version, then run lock_protocols."
            problems.append(LockProblem(CHANGED, protocol.key, message))
    return tuple(problems)


def updated_lock(protocols: Sequence[Protocol], *, lock: str) -> str:
    """The lock text with every new version added. Raises LockError where an old version's content has changed."""
    changed = [problem for problem in check_lock(protocols, lock=lock) if problem.code == CHANGED]
    if changed:
        raise LockError("\n".join(problem.message for problem in changed))
    locked = read_lock(lock)
    locked |= {protocol.key: content_hash(protocol) for protocol in protocols}
    header = "# Protocol version and the SHA-256 of its declaration and prompts. Written by manage.py lock_protocols.\n"
    return header + "".join(f"{key} {locked[key]}\n" for key in sorted(locked))
