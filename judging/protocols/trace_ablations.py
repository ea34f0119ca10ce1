"""Ablations of TRACE v2 that the paper leaves open (TRACE, limitations and appendix C.3): what does stage 1 decide?

- ``trace_v2_each``: stage 1 once for each candidate, without sight of the other (three calls).
- ``trace_v2_no_<field>``: one quality field removed from the records; five of them.
- ``trace_v2_blanked``: stage 1 as in v2, its quality fields withheld from stage 2, so that only the final answers are
  left. What v2 resolves beyond this was carried by what stage 1 recorded about support.
"""

from __future__ import annotations

from dataclasses import replace

from judging.protocols.stages import Field, Protocol, Source, Stage
from judging.protocols.trace_fields import QUALITY_FIELDS, RECORD_FIELDS
from judging.protocols.trace_v2 import COMPARE, NORMALISE, TRACE_V2

_DECLARED_IN = ("trace_ablations.py", "trace_v2.py", "trace_fields.py")


def _ablation(name: str, title: str, *stages: Stage) -> Protocol:
    return replace(
        TRACE_V2,
        name=f"trace_v2_{name}",
        title=f"TRACE v2, {title}",
        version="1",
        prompts="trace_ablations",
        declared_in=_DECLARED_IN,
        stages=stages,
        ablation_of=TRACE_V2.name,
    )


def _without(removed: Field) -> Protocol:
    kept = tuple(field for field in RECORD_FIELDS if field != removed)
    title = f"without {removed.name.replace('_', ' ')}"
    return _ablation(f"no_{removed.name}", title, replace(NORMALISE, fields=kept), COMPARE)


_EACH = replace(
    NORMALISE,
    system="trace_ablations/each.system.txt",
    user="trace_ablations/each.user.txt",
    inputs=(Source.TASK, Source.CONTEXT, Source.CANDIDATE),
    per_candidate=True,
    max_tokens=1400,
)
_BLANKED = replace(COMPARE, blanked=tuple(field.name for field in QUALITY_FIELDS))

TRACE_ABLATIONS: tuple[Protocol, ...] = (
    _ablation("each", "stage 1 per candidate", _EACH, COMPARE),
    *(_without(field) for field in QUALITY_FIELDS),
    _ablation("blanked", "quality fields withheld", NORMALISE, _BLANKED),
)
