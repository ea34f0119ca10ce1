"""The evidence record shared by the lock family, so that its protocols differ only in what the last call sees."""

from __future__ import annotations

from judging.protocols.stages import PAIR_LABELS, Field, Shape, Source, Stage

SYSTEM = "shared/lock_family.system.txt"

EVIDENCE_FIELDS = (
    Field(name="meets", about="each criterion the request calls for that the answer meets, with what in it does so"),
    Field(name="falls_short", about="each criterion it fails or meets only in part, with what is wrong or missing"),
    Field(name="quotations", about="the words of the answer on which the above rests, copied exactly"),
)

EXTRACT = Stage(
    name="extract",
    system="evidence_lock/extract.system.txt",
    user="evidence_lock/extract.user.txt",
    shape=Shape.RECORD,
    inputs=(Source.TASK, Source.CONTEXT, Source.CANDIDATES),
    fields=EVIDENCE_FIELDS,
    max_tokens=2400,
)


def decide_from(record: Stage, *, user: str, sources: tuple[Source, ...] = ()) -> Stage:
    """The deciding call that sees the locked record of ``record`` and, in the controls, ``sources`` beside it."""
    return Stage(
        name="decide",
        system=SYSTEM,
        user=user,
        shape=Shape.VERDICT,
        inputs=(*sources, record.name),
        offers=PAIR_LABELS,
        max_tokens=400,
    )
