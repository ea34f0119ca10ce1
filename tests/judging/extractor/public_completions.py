"""The extractor beside the original extractors, on public raw completions.

``python -m tests.judging.extractor.public_completions`` writes every difference to
tests/data/judging/extractor_differences.csv (ids and labels only; sources are named in docs/extractor.md).
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judging.extractor import Extraction, extract
from tests.shared import shared_path

DIFFERENCES = Path(__file__).resolve().parents[2] / "data" / "judging" / "extractor_differences.csv"
#: What the prompts of LLMBar's reasoning strategies tell the judge to end with.
LLMBAR_SENTENCE = "Therefore, Output ({label}) is better."


@dataclass(frozen=True)
class Beside:
    """One completion, as the original extractor read it and as ours does."""

    data_set: str
    id: str
    order: str
    original: str
    ours: str
    reason: str
    original_scores: tuple[float, ...] | None = None
    our_scores: tuple[float, ...] | None = None

    @property
    def kind(self) -> str:
        if self.original == self.ours and self.original_scores == self.our_scores:
            return "same"
        if self.original == self.ours:
            return "same winner, other scores"
        if self.ours in {"unparsed", "refused"}:
            return "neither gives a label" if not self.original else "withheld"
        return "label where the original gives none" if not self.original else "opposite"


def llmbar() -> list[Beside]:
    def read(row: dict[str, Any]) -> Extraction:
        return extract(
            row["raw_text"],
            style="line",
            offered=("A", "B"),
            finish_reason=row["finish_reason"] or None,
            conclusion=LLMBAR_SENTENCE,
        )

    rows = [(row, read(row)) for row in _rows("data/llmbar/raw_judgments.jsonl")]
    return [
        Beside("llmbar", row["id"], row["order"], row["extracted_presented"] or "", got.outcome, got.reason or "")
        for row, got in rows
    ]


def vicuna_blog() -> list[Beside]:
    rows = [(row, extract(row["raw_text"], style="scores")) for row in _rows("data/vicuna_blog/raw_judgments.jsonl")]
    return [
        Beside(
            "vicuna_blog",
            row["id"],
            row["order"],
            row["extracted_presented"],
            got.outcome,
            got.reason or "",
            tuple(float(score) for score in row["extracted_by_original"]),
            got.scores,
        )
        for row, got in rows
    ]


def counts(rows: list[Beside]) -> dict[str, int]:
    return dict(Counter(row.kind for row in rows))


def differences(rows: list[Beside]) -> str:
    """A CSV of every completion that the two read differently."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["data_set", "id", "order", "kind", "original", "ours", "reason", "original_scores", "our_scores"])
    for row in rows:
        if row.kind not in {"same", "neither gives a label"}:
            scores = [" ".join(f"{score:g}" for score in each or ()) for each in (row.original_scores, row.our_scores)]
            writer.writerow([row.data_set, row.id, row.order, row.kind, row.original, row.ours, row.reason, *scores])
    return out.getvalue()


def _rows(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in shared_path(path).read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    everything = [*llmbar(), *vicuna_blog()]
    DIFFERENCES.write_text(differences(everything), encoding="utf-8")
    print(counts(llmbar()), counts(vicuna_blog()))
