"""The baseline of the cue family (CUE, sections IV-D and V-C): one call, a forced choice with a brief reason.

Tie is not offered, so equality detection is undefined for it.
"""

from __future__ import annotations

from dataclasses import replace

from judging.protocols.cue_criteria import REVEAL, SYSTEM
from judging.protocols.stages import EVERY_PROBE, FORCED_CHOICE, Protocol, Shape, Source, Stage

JUDGE = Stage(
    name="judge",
    system=SYSTEM,
    user="cue_baseline/judge.user.txt",
    shape=Shape.VERDICT,
    inputs=(Source.TASK, Source.CONTEXT, Source.CANDIDATES),
    offers=FORCED_CHOICE,
    max_tokens=400,
)

CUE_BASELINE = Protocol(
    name="cue_baseline",
    version="1",
    title="Cue baseline, forced choice",
    family="cue",
    prompts="cue_baseline",
    declared_in=("cue_baseline.py", "cue_criteria.py"),
    stages=(JUDGE,),
    probes=EVERY_PROBE,
    reveal=replace(JUDGE, name="reveal", user=REVEAL, inputs=()),
)
