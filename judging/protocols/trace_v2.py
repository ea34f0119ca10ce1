"""TRACE v2, quality-preserving decoupling (TRACE, section 5.5 and appendix C.3): two calls.

Stage 1 normalises both candidates in one call into fixed fields, with source display left out. Stage 2 sees the task
and the records, and neither the candidates nor the context.
"""

from __future__ import annotations

from judging.protocols.stages import PAIR_LABELS, Protocol, Shape, Source, Stage
from judging.protocols.trace_fields import RECORD_FIELDS

NORMALISE = Stage(
    name="normalise",
    system="trace_v2/normalise.system.txt",
    user="trace_v2/normalise.user.txt",
    shape=Shape.RECORD,
    inputs=(Source.TASK, Source.CONTEXT, Source.CANDIDATES),
    fields=RECORD_FIELDS,
    max_tokens=2400,
)
COMPARE = Stage(
    name="compare",
    system="trace_v2/compare.system.txt",
    user="trace_v2/compare.user.txt",
    shape=Shape.VERDICT,
    inputs=(Source.TASK, NORMALISE.name),
    offers=PAIR_LABELS,
    max_tokens=400,
)

TRACE_V2 = Protocol(
    name="trace_v2",
    version="1",
    title="TRACE v2, quality-preserving",
    family="trace",
    prompts="trace_v2",
    declared_in=("trace_v2.py", "trace_fields.py"),
    stages=(NORMALISE, COMPARE),
    scans_records=True,
)
