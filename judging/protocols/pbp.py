"""Proof before preference (CUE, section IV-D): three turns, notes, scores, rank.

Turn 1 sees the texts and the cue labels and writes notes that cite the source; spans that do not occur there are
struck before the notes are locked. Turn 2 scores from the locked notes alone, turn 3 ranks from notes and scores, and
must cite notes that were locked. The verdict is the rank of turn 3; what the scores give is kept beside it.
"""

from __future__ import annotations

from dataclasses import replace

from judging.protocols.cue_criteria import CRITERIA, SYSTEM, TIE_BAND
from judging.protocols.stages import EVERY_PROBE, PAIR_LABELS, Protocol, Shape, Source, Stage

NOTES = Stage(
    name="notes",
    system=SYSTEM,
    user="pbp/notes.user.txt",
    shape=Shape.NOTES,
    inputs=(Source.TASK, Source.CONTEXT, Source.CANDIDATES),
    criteria=CRITERIA,
    max_tokens=2000,
)
SCORE = Stage(
    name="score",
    system="pbp/score.system.txt",
    user="pbp/score.user.txt",
    shape=Shape.SCORES,
    inputs=(NOTES.name,),
    criteria=CRITERIA,
    max_tokens=300,
)
RANK = Stage(
    name="rank",
    system="pbp/score.system.txt",
    user="pbp/rank.user.txt",
    shape=Shape.VERDICT,
    inputs=(NOTES.name, SCORE.name),
    offers=PAIR_LABELS,
    cites=NOTES.name,
    max_tokens=500,
)

PBP = Protocol(
    name="pbp",
    version="1",
    title="Proof before preference",
    family="cue",
    prompts="pbp",
    declared_in=("pbp.py", "cue_criteria.py"),
    stages=(NOTES, SCORE, RANK),
    probes=EVERY_PROBE,
    reveal=replace(RANK, name="reveal", user="pbp/reveal.txt", inputs=()),
    tie_band=TIE_BAND,
)
