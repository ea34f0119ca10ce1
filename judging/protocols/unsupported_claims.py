"""Unsupported-claims check (LOCK, appendix C): how much of what a judge wrote do the displayed texts bear out?

One call over the reasoning or evidence of an earlier verdict. Yields two counts, claims and unsupported, and no winner.
"""

from __future__ import annotations

from judging.enums import Attack
from judging.protocols.stages import Protocol, Shape, Source, Stage

UNSUPPORTED_CLAIMS = Protocol(
    name="unsupported_claims",
    version="1",
    title="Unsupported-claims check",
    family="check",
    prompts="unsupported_claims",
    declared_in=("unsupported_claims.py",),
    stages=(
        Stage(
            name="check",
            system="unsupported_claims/check.system.txt",
            user="unsupported_claims/check.user.txt",
            shape=Shape.CLAIMS,
            inputs=(Source.TASK, Source.CONTEXT, Source.CANDIDATES, Source.AUDITED),
            max_tokens=1600,
        ),
    ),
    attacks=frozenset({Attack.NONE}),
    needs_audited=True,
)
