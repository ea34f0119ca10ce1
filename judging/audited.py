"""The reasoning of earlier verdicts, for protocols that check it."""

from __future__ import annotations

import json
from collections.abc import Iterable

from django.db.models import QuerySet

from judging.enums import Phase
from judging.models import Condition, Verdict

#: pair, order and repeat: where an earlier verdict stands beside the comparison that checks it.
Place = tuple[int, int, int]


def audit_options(audited: Condition) -> str:
    """``Condition.options`` of a condition that checks the verdicts of ``audited``."""
    return json.dumps({"audits": audited.pk})


def audited_id(condition: Condition) -> int | None:
    """The condition whose verdicts this one checks, or None."""
    options = json.loads(condition.options) if condition.options else {}
    return options.get("audits")


def reasoning_of(audited: int, *, pairs: Iterable[int] | None = None) -> dict[Place, str]:
    """The reasons of a condition's verdicts by place, where they gave any; after a reveal, those given after it."""
    verdicts: QuerySet[Verdict] = Verdict.objects.filter(condition=audited).exclude(reading__rationale="")
    if pairs is not None:
        verdicts = verdicts.filter(pair__in=set(pairs))
    found: dict[Place, str] = {}
    rows = verdicts.order_by().values_list("pair_id", "order", "repeat", "phase", "reading__rationale")
    for pair_id, order, repeat, phase, rationale in rows:
        place = (pair_id, order, repeat)
        if place not in found or phase == Phase.AFTER:
            found[place] = rationale
    return found
