"""Control: the deciding call of evidence lock sees the request and its context beside the record, but no answers."""

from __future__ import annotations

from judging.protocols.lock_evidence import EXTRACT, decide_from
from judging.protocols.stages import Protocol, Source

LOCK_CONTEXT = Protocol(
    name="lock_context",
    version="1",
    title="Evidence lock with context",
    family="lock",
    prompts="lock_context",
    declared_in=("lock_context.py", "lock_evidence.py"),
    stages=(EXTRACT, decide_from(EXTRACT, user="lock_context/decide.user.txt", sources=(Source.TASK, Source.CONTEXT))),
)
