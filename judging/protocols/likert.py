"""Pointwise scoring on a 1-5 scale (CUE, table I and its rubric), each candidate in a call of its own.

Yields scores and no winner.
"""

from __future__ import annotations

from judging.protocols.stages import Criterion, Protocol, Shape, Source, Stage

SCORE = Stage(
    name="score",
    system="likert/score.system.txt",
    user="likert/score.user.txt",
    shape=Shape.SCORES,
    inputs=(Source.TASK, Source.CONTEXT, Source.CANDIDATE),
    criteria=(
        Criterion(
            name="factual_accuracy", about="is everything it says borne out by the source, nothing invented or bent?"
        ),
        Criterion(name="completeness", about="are the key points of the source that the task calls for all there?"),
        Criterion(name="coherence_fluency", about="is it grammatical, clear, well ordered and easy to read?"),
    ),
    per_candidate=True,
    max_tokens=200,
)

LIKERT = Protocol(
    name="likert",
    version="1",
    title="Likert, pointwise",
    family="cue",
    prompts="likert",
    declared_in=("likert.py",),
    stages=(SCORE,),
)
