"""What whoever asks for a frontier report may choose; everything chosen is printed in the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from analysis.stats.anchoring import Embedder, Lexicon
from analysis.stats.bootstrap import DEFAULT_LEVEL, DEFAULT_RESAMPLES, DEFAULT_SEED
from analysis.stats.frontier_intervals import IntervalKind, IntervalSettings
from analysis.stats.tie_models import TieConvention

#: Dimensions of pairs and prompts by which rows are also given one value at a time.
BREAKDOWNS = ("paraphrase", "attacked_role", "domain", "artifact", "roles")
#: What every report is broken down by: what an attack or an artifact does is lost in the sum over all of them.
DEFAULT_BREAKDOWNS = ("attacked_role", "artifact", "roles")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """Two conditions of one judge to be compared, each a (protocol, level); level '' where there is none."""

    a: tuple[str, str]
    b: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """``interval`` "cluster" resamples clusters; "wilson_rows" gives shares the paper's Wilson interval over rows.

    ``contrasts`` None compares each judge's lowest level with its other conditions, and each protocol without levels
    with every level. ``margin`` (a difference of rates) adds equivalence and non-inferiority to each comparison.
    ``tau`` is the drift above which an explanation counts as changed, fixed beforehand. Without ``embedder``
    explanations are not scored. ``notice`` is repeated in the report (sample data says that it is sample data).
    ``descriptors`` says, by label text, what an explanation that leans on it sounds like.
    """

    seed: int = DEFAULT_SEED
    resamples: int = DEFAULT_RESAMPLES
    level: float = DEFAULT_LEVEL
    interval: IntervalKind = "cluster"
    by_order: bool = True
    breakdowns: tuple[str, ...] = DEFAULT_BREAKDOWNS
    contrasts: tuple[Contrast, ...] | None = None
    margin: float | None = None
    alpha: float = 0.05
    tau: float = 0.2
    ranking: TieConvention = "davidson"
    embedder: Embedder | None = None
    descriptors: Mapping[str, str] = field(default_factory=dict)
    descriptors_version: str = ""
    lexicon: Lexicon | None = None
    verdicts_file: str = "verdicts"
    notice: str = ""

    def intervals(self) -> IntervalSettings:
        return IntervalSettings(resamples=self.resamples, seed=self.seed, level=self.level, kind=self.interval)

    def as_json(self) -> dict[str, Any]:
        """The choices that shape the numbers, for the report itself."""
        return {
            "seed": self.seed,
            "resamples": self.resamples,
            "level": self.level,
            "interval": self.interval,
            "margin": self.margin,
            "alpha": self.alpha,
            "tau": self.tau,
            "ranking": self.ranking,
            "scorer": None if self.embedder is None else self.embedder.name,
            "descriptors_version": self.descriptors_version or None,
            "breakdowns": list(self.breakdowns),
            "lexicon": None if self.lexicon is None else f"{self.lexicon.name} {self.lexicon.version}",
        }
