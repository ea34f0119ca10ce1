"""Pointwise lock (LOCK): three calls. Each answer is assessed by itself, then the two locked records are compared.

An assessment belongs to one comparison; the other order of the pair makes its own.
"""

from __future__ import annotations

from judging.protocols.lock_evidence import EVIDENCE_FIELDS, decide_from
from judging.protocols.stages import Protocol, Shape, Source, Stage

ASSESS = Stage(
    name="assess",
    system="pointwise_lock/assess.system.txt",
    user="pointwise_lock/assess.user.txt",
    shape=Shape.RECORD,
    inputs=(Source.TASK, Source.CONTEXT, Source.CANDIDATE),
    fields=EVIDENCE_FIELDS,
    per_candidate=True,
    max_tokens=1600,
)

POINTWISE_LOCK = Protocol(
    name="pointwise_lock",
    version="1",
    title="Pointwise lock",
    family="lock",
    prompts="pointwise_lock",
    declared_in=("pointwise_lock.py", "lock_evidence.py"),
    stages=(ASSESS, decide_from(ASSESS, user="pointwise_lock/decide.user.txt")),
)
