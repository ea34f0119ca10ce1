"""The frontier report of what a study holds in the database: the same function as from files, fed by frames."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from analysis.frames.from_database import frames_of
from analysis.frontier.options import ReportOptions
from analysis.frontier.report import frontier_report
from annotation.models import Split, Study, ValidatedSplit


def newest_validated(study: Study) -> list[ValidatedSplit]:
    """The newest version of each validated split of a study, by name."""
    newest = {each.name: each for each in ValidatedSplit.objects.filter(study=study).order_by("version")}
    return [newest[name] for name in sorted(newest)]


def report_of(
    study: Study, *, splits: list[Split] | None = None, options: ReportOptions | None = None
) -> dict[str, Any]:
    """The report over ``splits`` (all that have verdicts unless named) against the newest validated targets.

    Its ``notice`` is the study's own.
    """
    judged = splits or list(
        Split.objects.filter(study=study, pairs__verdicts__isnull=False).distinct().order_by("name")
    )
    frames = frames_of(study=study, splits=judged, validated=newest_validated(study))
    options = replace(options or ReportOptions(), notice=study.notice)
    return frontier_report(
        pairs=frames.pairs,
        verdicts=frames.verdicts,
        labels=frames.labels,
        validated=frames.validated,
        options=options,
    )
