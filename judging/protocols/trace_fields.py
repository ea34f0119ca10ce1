"""The fixed fields of a quality-preserving record (TRACE, appendix C.3). Shared by v2 and its ablations."""

from __future__ import annotations

from judging.protocols.stages import Field

FINAL_ANSWER = Field(
    name="final_answer",
    about="the answer the response gives to the task, in as few words as it needs",
    many=False,
    quality=False,
)
QUALITY_FIELDS = (
    Field(name="support_facts", about="facts the response states that bear on the answer, one each"),
    Field(name="reasoning_links", about="steps by which the response ties those facts to its answer, one each"),
    Field(
        name="missing_or_weakened_support",
        about="facts or steps the answer needs that the response leaves out, blurs or only hints at",
    ),
    Field(name="unsupported_claims", about="claims the response makes without giving anything that supports them"),
    Field(
        name="residual_uncertainty",
        about="what remains open or ambiguous in the response; empty if nothing",
        many=False,
    ),
)
RECORD_FIELDS = (FINAL_ANSWER, *QUALITY_FIELDS)
