"""The statistics of this project as a library of its own: NumPy and SciPy in, frozen results out, no Django.

    from analysis.stats import Ratings, agreement_report, cluster_bootstrap, sum_by_cluster

    agreement_report([["A", "B", None], ["A", "A", "B"]], categories=["A", "B", "Tie"])["ac1"]

Here are the names most notebooks need; each module beside this one offers the rest under its own name. A name loads its
module when it is first asked for, so that importing the package costs nothing. Formulas, conventions and sources:
docs/statistics.md and docs/statistics-frontier.md.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis.stats.abilities import bradley_terry
    from analysis.stats.agreement import Ratings, UndeclaredLabelError, agreement_report, coefficient, pairwise
    from analysis.stats.alttest import alt_test
    from analysis.stats.anchoring import (
        Embedder,
        Lexicon,
        Outcomes,
        changed_after_reveal,
        equality_detection_rate,
        label_shift,
        neutrality_deviation,
    )
    from analysis.stats.bootstrap import ClusterSums, bootstrap_sums, cluster_bootstrap, sum_by_cluster
    from analysis.stats.design_effect import effective_n
    from analysis.stats.estimate import Estimate
    from analysis.stats.frontier_ties import tie_calibration
    from analysis.stats.margins import equivalence, non_inferiority
    from analysis.stats.paired import compare_paired, compare_rows, holm, mcnemar
    from analysis.stats.planning import power_ac1, power_paired_drop, power_tie_rate, sample_size
    from analysis.stats.plurality_agreement import human_agreement
    from analysis.stats.proportions import proportion
    from analysis.stats.ranking import rank_systems, win_scores
    from analysis.stats.rationales import explanation_drift, label_alignment, stereotype_intrusion
    from analysis.stats.separation import connectivity
    from analysis.stats.signflip import sign_flip_p

#: Which module each name lives in. No module may be called like a name here: importing it would hide the name.
_NAMES_BY_MODULE = {
    "abilities": ("bradley_terry",),
    "agreement": ("Ratings", "UndeclaredLabelError", "agreement_report", "coefficient", "pairwise"),
    "alttest": ("alt_test",),
    "anchoring": (
        "Outcomes",
        "Lexicon",
        "Embedder",
        "label_shift",
        "neutrality_deviation",
        "equality_detection_rate",
        "changed_after_reveal",
    ),
    "bootstrap": ("ClusterSums", "bootstrap_sums", "cluster_bootstrap", "sum_by_cluster"),
    "design_effect": ("effective_n",),
    "estimate": ("Estimate",),
    "frontier_ties": ("tie_calibration",),
    "margins": ("equivalence", "non_inferiority"),
    "paired": ("mcnemar", "holm", "compare_paired", "compare_rows"),
    "planning": ("power_ac1", "power_paired_drop", "power_tie_rate", "sample_size"),
    "plurality_agreement": ("human_agreement",),
    "proportions": ("proportion",),
    "ranking": ("win_scores", "rank_systems"),
    "rationales": ("explanation_drift", "label_alignment", "stereotype_intrusion"),
    "separation": ("connectivity",),
    "signflip": ("sign_flip_p",),
}
_MODULE_OF = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names}

__all__ = [
    "ClusterSums",
    "Embedder",
    "Estimate",
    "Lexicon",
    "Outcomes",
    "Ratings",
    "UndeclaredLabelError",
    "agreement_report",
    "alt_test",
    "bootstrap_sums",
    "bradley_terry",
    "changed_after_reveal",
    "cluster_bootstrap",
    "coefficient",
    "compare_paired",
    "compare_rows",
    "connectivity",
    "effective_n",
    "equality_detection_rate",
    "equivalence",
    "explanation_drift",
    "holm",
    "human_agreement",
    "label_alignment",
    "label_shift",
    "mcnemar",
    "neutrality_deviation",
    "non_inferiority",
    "pairwise",
    "power_ac1",
    "power_paired_drop",
    "power_tie_rate",
    "proportion",
    "rank_systems",
    "sample_size",
    "sign_flip_p",
    "stereotype_intrusion",
    "sum_by_cluster",
    "tie_calibration",
    "win_scores",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
