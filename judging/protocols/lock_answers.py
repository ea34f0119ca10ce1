"""Control: the deciding call of evidence lock sees both answers beside the record, but neither request nor context."""

from __future__ import annotations

from judging.protocols.lock_evidence import EXTRACT, decide_from
from judging.protocols.stages import Protocol, Source

LOCK_ANSWERS = Protocol(
    name="lock_answers",
    version="1",
    title="Evidence lock with answers",
    family="lock",
    prompts="lock_answers",
    declared_in=("lock_answers.py", "lock_evidence.py"),
    stages=(EXTRACT, decide_from(EXTRACT, user="lock_answers/decide.user.txt", sources=(Source.CANDIDATES,))),
)
