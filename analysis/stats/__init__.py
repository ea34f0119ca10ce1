"""The statistics of this project as a library of its own: NumPy and SciPy in, frozen results out, no Django.

    from analysis.stats import Ratings, agreement_report, cluster_bootstrap, sum_by_cluster

    agreement_report([["A", "B", None], ["A", "A", "B"]], categories=["A", "B", "Tie"])["ac1"]

Here are the names most notebooks need; each module beside this one offers the rest under its own name. Formulas,
conventions and sources: docs/statistics.md.
"""

from analysis.stats.agreement import Ratings, UndeclaredLabelError, agreement_report, coefficient, pairwise
from analysis.stats.alttest import alt_test
from analysis.stats.bootstrap import ClusterSums, bootstrap_sums, cluster_bootstrap, sum_by_cluster
from analysis.stats.effective_n import effective_n
from analysis.stats.estimate import Estimate
from analysis.stats.planning import power_ac1, power_paired_drop, power_tie_rate, sample_size
from analysis.stats.proportions import proportion

__all__ = [
    "ClusterSums",
    "Estimate",
    "Ratings",
    "UndeclaredLabelError",
    "agreement_report",
    "alt_test",
    "bootstrap_sums",
    "cluster_bootstrap",
    "coefficient",
    "effective_n",
    "pairwise",
    "power_ac1",
    "power_paired_drop",
    "power_tie_rate",
    "proportion",
    "sample_size",
    "sum_by_cluster",
]
