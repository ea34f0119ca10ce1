"""The carried published examples, and how to read one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analysis.stats.agreement import Ratings

DATA = json.loads(
    (Path(__file__).parents[3] / "data" / "analysis" / "agreement_published.json").read_text(encoding="utf-8")
)

#: The examples' names for our coefficients where they differ.
OURS = {"percent_agreement": "raw", "bennett_s_kpo": "brennan_prediger", "pabak_2po_minus_1": "pabak"}


def ratings_of(example: dict[str, Any]) -> Ratings:
    read = {"ratings": Ratings.from_matrix, "table": Ratings.from_table, "counts": Ratings.from_counts}
    return read[example["kind"]](example["data"], categories=example["categories"])


def example(key: str) -> dict[str, Any]:
    return next(one for one in DATA["examples"] if one["id"] == key)


def our_name(coefficient: str) -> str:
    return OURS.get(coefficient, coefficient)
