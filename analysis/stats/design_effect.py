"""How many independent rows a clustered set of rows is worth."""

from __future__ import annotations

import numpy as np

from analysis.stats.bootstrap import ClusterSums
from analysis.stats.estimate import Estimate

_METHOD = "rows / design effect (Kish 1965), linearised ratio variance"


def effective_n(sums: ClusterSums, metric: int = 0, *, unit: str = "row") -> Estimate:
    """The number of independent rows with the same variance as this rate over clustered rows.

    ``sums`` holds a rate of 0/1 rows: its denominators count rows. The design effect is the between-cluster
    variance of the ratio over p (1 - p) / rows. Undefined, with the reason, where the rate does not vary or there
    is one cluster. Raises ValueError for a metric that is no rate.
    """
    top = sums.numerators[:, metric]
    below = sums.denominators[:, metric if sums.denominators.shape[1] > 1 else 0]
    rows, clusters = float(below.sum()), int((below > 0).sum())
    if rows == 0:
        return Estimate.undefined_because("no row counts", unit=unit, method=_METHOD)
    rate = float(top.sum()) / rows
    if not 0 <= rate <= 1:
        raise ValueError(f"effective n is that of a rate between 0 and 1, not {rate:g}")
    n = round(rows)
    if clusters < 2:
        return Estimate.undefined_because("one cluster only", n=n, unit=unit, method=_METHOD)
    residual = top - rate * below
    between = clusters / (clusters - 1) * float(np.sum(residual**2)) / rows**2
    if rate in {0.0, 1.0} or between == 0:
        reason = "no variation between clusters: the design effect is not estimable"
        return Estimate.undefined_because(reason, n=n, unit=unit, method=_METHOD)
    return Estimate(value=rate * (1 - rate) / between, n=n, unit=unit, method=_METHOD)
