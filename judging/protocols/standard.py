"""Standard pairwise judging (LOCK): one call, request and answers in, verdict and brief reason out."""

from __future__ import annotations

from judging.protocols.lock_evidence import SYSTEM
from judging.protocols.stages import PAIR_LABELS, Protocol, Shape, Source, Stage

STANDARD = Protocol(
    name="standard",
    version="1",
    title="Standard pairwise",
    family="lock",
    prompts="standard",
    declared_in=("standard.py", "lock_evidence.py"),
    stages=(
        Stage(
            name="judge",
            system=SYSTEM,
            user="standard/judge.user.txt",
            shape=Shape.VERDICT,
            inputs=(Source.TASK, Source.CONTEXT, Source.CANDIDATES),
            offers=PAIR_LABELS,
            max_tokens=400,
        ),
    ),
)
