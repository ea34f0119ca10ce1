"""The frontier report: plain frames in, design.md's JSON contract out, the same bytes from files and database."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from analysis.encoded import encode_verdicts
from analysis.human_targets import human_pairs, status_counts
from analysis.pair_table import build_pair_table
from analysis.report_options import ReportOptions
from analysis.sections.rows import build_rows

FORMAT_VERSION = 1


def frontier_report(
    *,
    pairs: pd.DataFrame,
    verdicts: pd.DataFrame,
    labels: pd.DataFrame | None = None,
    validated: pd.DataFrame | None = None,
    options: ReportOptions | None = None,
) -> dict[str, Any]:
    """The whole report."""
    options = options or ReportOptions()
    human = human_pairs(pairs, labels, validated)
    encoded = encode_verdicts(verdicts, build_pair_table(pairs, human), file=options.verdicts_file)
    return {
        "format_version": FORMAT_VERSION,
        "options": options.as_json(),
        "validation": status_counts(human),
        "rows": build_rows(encoded, options),
    }


def as_text(report: dict[str, Any]) -> str:
    return json.dumps(report, sort_keys=True, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
