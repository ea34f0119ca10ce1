"""Control: the deciding call of evidence lock sees the request, its context and both answers beside the record.

Asked for by the reviewers of LOCK, to tell the loss of the source from the effect of the record itself.
"""

from __future__ import annotations

from judging.protocols.lock_evidence import EXTRACT, decide_from
from judging.protocols.stages import Protocol, Source

LOCK_SOURCE = Protocol(
    name="lock_source",
    version="1",
    title="Evidence lock with source access",
    family="lock",
    prompts="lock_source",
    declared_in=("lock_source.py", "lock_evidence.py"),
    stages=(
        EXTRACT,
        decide_from(
            EXTRACT, user="lock_source/decide.user.txt", sources=(Source.TASK, Source.CONTEXT, Source.CANDIDATES)
        ),
    ),
)
