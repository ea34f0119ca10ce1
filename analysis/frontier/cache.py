"""A study's report, made once per state of its verdicts and targets: making it can take seconds, reading it may not."""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any

from django.core.cache import cache

from analysis.frontier.charts import as_svg, frontier_spec
from analysis.frontier.of_study import newest_validated, report_of
from analysis.frontier.report import FORMAT_VERSION, as_text
from annotation.models import Study
from judging.models import Condition, Verdict

#: A day; whatever changes a figure changes the key, so nothing stale is ever read.
KEPT = 86_400


def state_of(study: Study) -> str:
    """A key that changes with every verdict and every freeze. Three queries."""
    conditions = Condition.objects.filter(judge__study=study).order_by("pk").values_list("pk", "verdict_version")
    frozen = [(each.name, each.version, each.sha256) for each in newest_validated(study)]
    n_verdicts = Verdict.objects.filter(pair__study=study).count()
    parts = [FORMAT_VERSION, study.pk, study.notice, list(conditions), frozen, n_verdicts]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def has_verdicts(study: Study) -> bool:
    return Verdict.objects.filter(pair__study=study).exists()


def is_ready(study: Study) -> bool:
    """Whether the report of the present state can be read at once."""
    return f"report:{state_of(study)}" in cache


def report_text(study: Study) -> str:
    """The report's one written form, made where it is not there yet."""
    key = f"report:{state_of(study)}"
    kept = cache.get(key)
    if kept is None:
        kept = zlib.compress(as_text(report_of(study)).encode(), level=1)
        cache.set(key, kept, KEPT)
    return zlib.decompress(kept).decode()


def report(study: Study) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(report_text(study))
    return found


def figure_svg(study: Study, judge: str) -> str:
    """The frontier figure of one judge, or of all where ``judge`` is ''."""
    key = f"figure:{state_of(study)}:{hashlib.sha256(judge.encode()).hexdigest()[:16]}"
    kept = cache.get(key)
    if kept is None:
        whole = report(study)
        rows = [row for row in whole["rows"] if not judge or row["judge"] == judge]
        spec = frontier_spec({**whole, "rows": rows})
        kept = as_svg(_side_by_side(spec) if judge else spec)
        cache.set(key, kept, KEPT)
    return str(kept)


def _side_by_side(spec: dict[str, Any]) -> dict[str, Any]:
    """One judge's panels next to each other instead of one below the other: a page is wider than it is high."""
    return {**spec, "facet": spec["facet"]["row"] | {"header": {"title": None}}, "columns": 3}
