"""Structured judging (LOCK): one call that sets out criteria and evidence before its verdict and keeps the source."""

from __future__ import annotations

from judging.protocols.lock_evidence import SYSTEM
from judging.protocols.stages import PAIR_LABELS, Field, Protocol, Shape, Source, Stage

STRUCTURED = Protocol(
    name="structured",
    version="1",
    title="Structured, one call",
    family="lock",
    prompts="structured",
    declared_in=("structured.py", "lock_evidence.py"),
    stages=(
        Stage(
            name="judge",
            system=SYSTEM,
            user="structured/judge.user.txt",
            shape=Shape.VERDICT,
            inputs=(Source.TASK, Source.CONTEXT, Source.CANDIDATES),
            offers=PAIR_LABELS,
            fields=(
                Field(name="criteria", about="what the request calls for, one criterion each"),
                Field(name="evidence_a", about="how answer A meets each criterion or falls short of it"),
                Field(name="evidence_b", about="how answer B meets each criterion or falls short of it"),
            ),
            max_tokens=1600,
        ),
    ),
)
