"""Pairs written in the public format: one line a pair, the same bytes for the same pair on any machine."""

from __future__ import annotations

import json
from typing import Any

from annotation.records import PairRecord


def as_line(pair: PairRecord) -> str:
    """The pair as one line of JSON with its newline; what it does not say is left out. ``read_pairs`` gives it back."""
    row: dict[str, Any] = {"pair_id": pair.pair_id, "task": pair.task}
    if pair.context is not None:
        row["context"] = pair.context
    row |= {"roles": list(pair.roles), "candidates": dict(zip(pair.roles, pair.candidates, strict=True))}
    named = {
        "split": pair.split, "tier": pair.tier and str(pair.tier), "target": pair.target, "cluster": pair.cluster,
        "artifact": _without_empty({"kind": pair.artifact_kind, "role": pair.artifact_role}), "domain": pair.domain,
        "source": _without_empty(
            {"dataset": pair.source_dataset, "id": pair.source_id, "licence": pair.source_licence}
        ),
        "meta": dict(pair.meta),
    }  # fmt: skip
    row |= {name: value for name, value in named.items() if value}
    return json.dumps(row, ensure_ascii=False) + "\n"


def _without_empty(values: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}
