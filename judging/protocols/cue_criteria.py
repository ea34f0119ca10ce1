"""Criteria and settings shared by the cue family, so that its schemes differ only in what each demands (CUE, IV-D)."""

from __future__ import annotations

from judging.protocols.stages import Criterion

#: Equal weights. Notes on the last two criteria speak of a candidate's wording and may cite no span of the source.
CRITERIA = (
    Criterion(name="accuracy", about="does it say only what the source bears out, without distortion?"),
    Criterion(name="completeness", about="does it hold what matters in the source for the task?"),
    Criterion(name="conciseness", about="does it avoid what the task does not need?", needs_span=False),
    Criterion(name="fluency", about="is it well formed, clear and easy to follow?", needs_span=False),
)
#: Weighted means on the 1-5 scale that lie no farther apart than this are a tie.
TIE_BAND = 0.25

SYSTEM = "shared/cue_family.system.txt"
REVEAL = "shared/cue_family.reveal.txt"
