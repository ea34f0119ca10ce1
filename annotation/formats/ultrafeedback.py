"""UltraFeedback's original shape: several completions an instruction, each rated by a language model.

Source: Cui et al. 2023 (arXiv:2310.01377), MIT. Keys: source, instruction, completions [{model, response,
overall_score, ...}]. Every two completions of an instruction make one pair; the scores are a model's, not people's, so
they ride along in meta and are no target.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from annotation.enums import Tier
from annotation.formats.cells import Cells
from annotation.formats.first_second import ROLES
from annotation.formats.registry import Format, PairRows
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.records import Excluded, PairRecord


def read_pairs(source: Source) -> PairRows:
    """Every two completions of a row as one pair (six of four); cluster is the row."""
    for position, row in enumerate(rows(source)):
        cells = Cells(row, source.problems)
        task = cells.passage("instruction", required=True) or ""
        completions = _completions(cells)
        cluster = f"ultrafeedback-{position}"
        if cells.ok and len(completions) < 2:
            yield Excluded(cluster, "it has fewer than two completions", row.number)
        if not cells.ok:
            continue
        for (one, first), (two, second) in combinations(enumerate(completions), 2):
            yield PairRecord(
                pair_id=f"{cluster}-{one}-{two}",
                task=task,
                roles=ROLES,
                candidates=(first["response"], second["response"]),
                tier=Tier.PREFERENCE,
                cluster=cluster,
                source_dataset="UltraFeedback",
                source_id=str(position),
                source_licence="MIT",
                meta={
                    "source": cells.word("source"),
                    "models": [first.get("model"), second.get("model")],
                    "overall_scores": [first.get("overall_score"), second.get("overall_score")],
                },
            )
        yield from cells.oddities


def _completions(cells: Cells) -> list[dict[str, Any]]:
    given = cells.structure("completions")
    if not isinstance(given, list) or not all(isinstance(one, dict) and "response" in one for one in given):
        cells.refuse("completions", "is not a list of completions with a response.", "Take UltraFeedback's own file.")
        return []
    return [one | {"response": cells.as_passage("completions.response", one["response"])} for one in given]


def _recognises(sample: Sample) -> bool:
    return sample.has("instruction", "completions")


FORMAT = Format(name="ultrafeedback", words="UltraFeedback completions", recognises=_recognises, pairs=read_pairs)
