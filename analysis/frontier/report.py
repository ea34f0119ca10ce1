"""The frontier report: plain frames in, public JSON out (docs/formats.md), the same from files and database."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from analysis.counting.encoded import encode_verdicts
from analysis.counting.human_targets import human_pairs, status_counts
from analysis.counting.pair_table import build_pair_table
from analysis.frontier.options import ReportOptions
from analysis.frontier.sections.anchoring import build_anchoring
from analysis.frontier.sections.humans import build_agreement, build_ties
from analysis.frontier.sections.paired import build_paired
from analysis.frontier.sections.ranking import build_ranking
from analysis.frontier.sections.rows import build_rows
from analysis.frontier.sections.sensitivity import build_noise_floor, build_sensitivity
from analysis.frontier.sections.vectors import build_vectors

FORMAT_VERSION = 1


def frontier_report(
    *,
    pairs: pd.DataFrame,
    verdicts: pd.DataFrame,
    labels: pd.DataFrame | None = None,
    validated: pd.DataFrame | None = None,
    options: ReportOptions | None = None,
) -> dict[str, Any]:
    """The whole frontier report as plain JSON values.

    ``pairs``: pair_id, role_1, role_2 and any of split, tier, target, cluster, domain, artifact_kind, artifact_role.
    ``verdicts``: the columns of the public verdicts format; ``offered`` as text, ``cue`` as JSON text, a ``row``
    column where the rows have numbers a reader knows. Categorical columns are counted fastest.
    ``labels``: pair_id, annotator, label (a category or role, not A or B), kind, revision.
    ``validated``: pair_id, target, status, reason, unanimous: the frozen split's word, over the labels'.

    Missing text is '' or null, missing numbers NaN. The order of rows in any frame changes nothing. Raises
    InputFileError for verdicts of unknown pairs or roles, for two rows of one comparison and for bad outcomes.
    """
    options = options or ReportOptions()
    human = human_pairs(pairs, labels, validated)
    encoded = encode_verdicts(verdicts, build_pair_table(pairs, human), file=options.verdicts_file)
    rows, counted = build_rows(encoded, options)
    sensitivity, matrices = build_sensitivity(encoded, counted)
    return {
        "format_version": FORMAT_VERSION,
        "notice": options.notice,
        "options": options.as_json(),
        "unit": encoded.pairs.unit,
        "sources": _sources(verdicts),
        "n_scored_without_verdict": encoded.n_scored,
        "validation": status_counts(human),
        "rows": rows,
        "vectors": build_vectors(rows),
        "paired": build_paired(encoded, options),
        "anchoring": build_anchoring(encoded, verdicts, options),
        "ties": build_ties(encoded, options),
        "ranking": build_ranking(encoded, options),
        "agreement_with_humans": build_agreement(encoded),
        "sensitivity": sensitivity,
        "order_matrix": matrices,
        "noise_floor": build_noise_floor(encoded),
    }


def as_text(report: dict[str, Any]) -> str:
    """The report's one written form: equal reports are equal bytes. Lists stand one entry a line, fit for a diff."""
    parts = []
    for name in sorted(report):
        value = report[name]
        if isinstance(value, list) and value:
            written = "[\n" + ",\n".join(f"  {_compact(entry)}" for entry in value) + "\n ]"
        else:
            written = _compact(value)
        parts.append(f" {_compact(name)}: {written}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)


def _sources(verdicts: pd.DataFrame) -> dict[str, int]:
    """How many verdicts came from where; "" is not said."""
    if "source" not in verdicts:
        return {"": len(verdicts)}
    counts = verdicts["source"].astype(object).where(verdicts["source"].notna(), "").value_counts()
    return {str(name): int(count) for name, count in sorted(counts.items()) if count}
