"""TRACE v1, correctness-only decoupling (TRACE, section 5.5): the diagnostic contrast to v2.

The records keep what is asserted and nothing of how it is supported, so that quality of support cannot decide.
"""

from __future__ import annotations

from judging.protocols.stages import PAIR_LABELS, Field, Protocol, Shape, Source, Stage

NORMALISE = Stage(
    name="normalise",
    system="trace_v1/normalise.system.txt",
    user="trace_v1/normalise.user.txt",
    shape=Shape.RECORD,
    inputs=(Source.TASK, Source.CONTEXT, Source.CANDIDATES),
    fields=(
        Field(
            name="final_answer",
            about="the answer the response gives to the task, in as few words as it needs",
            many=False,
            quality=False,
        ),
        Field(
            name="claims", about="statements on which the correctness of the response depends, one each", quality=False
        ),
    ),
    max_tokens=1600,
)
COMPARE = Stage(
    name="compare",
    system="trace_v1/compare.system.txt",
    user="trace_v1/compare.user.txt",
    shape=Shape.VERDICT,
    inputs=(Source.TASK, NORMALISE.name),
    offers=PAIR_LABELS,
    max_tokens=400,
)

TRACE_V1 = Protocol(
    name="trace_v1",
    version="1",
    title="TRACE v1, correctness-only",
    family="trace",
    prompts="trace_v1",
    declared_in=("trace_v1.py",),
    stages=(NORMALISE, COMPARE),
    scans_records=True,
)
