"""Evidence lock (LOCK): two calls. The deciding call sees the locked record and neither request nor answers."""

from __future__ import annotations

from judging.protocols.lock_evidence import EXTRACT, decide_from
from judging.protocols.stages import Protocol

EVIDENCE_LOCK = Protocol(
    name="evidence_lock",
    version="1",
    title="Evidence lock",
    family="lock",
    prompts="evidence_lock",
    declared_in=("evidence_lock.py", "lock_evidence.py"),
    stages=(EXTRACT, decide_from(EXTRACT, user="evidence_lock/decide.user.txt")),
)
