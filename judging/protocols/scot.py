"""SCoT, criterion-guided structured judging (CUE, section IV-D): one call, scores first, then the winner.

The verdict is what the weighted scores give, with the declared tie band; the winner the judge states is kept beside
it, and a mismatch is counted.
"""

from __future__ import annotations

from dataclasses import replace

from judging.protocols.cue_criteria import CRITERIA, REVEAL, SYSTEM, TIE_BAND
from judging.protocols.stages import EVERY_PROBE, PAIR_LABELS, Protocol, Shape, Source, Stage

JUDGE = Stage(
    name="judge",
    system=SYSTEM,
    user="scot/judge.user.txt",
    shape=Shape.VERDICT,
    inputs=(Source.TASK, Source.CONTEXT, Source.CANDIDATES),
    offers=PAIR_LABELS,
    criteria=CRITERIA,
    max_tokens=900,
)

SCOT = Protocol(
    name="scot",
    version="1",
    title="Structured chain of thought",
    family="cue",
    prompts="scot",
    declared_in=("scot.py", "cue_criteria.py"),
    stages=(JUDGE,),
    probes=EVERY_PROBE,
    reveal=replace(JUDGE, name="reveal", user=REVEAL, inputs=()),
    verdict_from="scores",
    tie_band=TIE_BAND,
)
