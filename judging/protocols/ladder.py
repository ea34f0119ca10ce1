"""The prompt-strength ladder (TRACE, appendix C.1, tables A5 and A6), in wording of our own: one call, Tie allowed.

L0 plain preference, L1 anti-citation warning, L2 quality-ignore-citation, L3 correctness-first, L4 strict
tie-required. "L4-like" is no faithful paraphrase of any level: it says that support may count and then requires Tie
whenever the final answers match, which makes it an L4 in effect.
"""

from __future__ import annotations

from types import MappingProxyType

from judging.protocols.stages import PAIR_LABELS, Protocol, Shape, Source, Stage

LEVELS = ("L0", "L1", "L2", "L3", "L4")
BOUNDARY_LEVEL = "L4-like"
PARAPHRASES = ("p1", "p2", "p3")

LADDER = Protocol(
    name="ladder",
    version="1",
    title="Prompt-strength ladder",
    family="ladder",
    prompts="ladder",
    declared_in=("ladder.py",),
    stages=(
        Stage(
            name="judge",
            system="ladder/system.txt",
            user="ladder/user.txt",
            shape=Shape.VERDICT,
            inputs=(Source.TASK, Source.CONTEXT, Source.CANDIDATES),
            offers=PAIR_LABELS,
            max_tokens=400,
        ),
    ),
    variants=MappingProxyType({**dict.fromkeys(LEVELS, PARAPHRASES), BOUNDARY_LEVEL: ("boundary",)}),
)
