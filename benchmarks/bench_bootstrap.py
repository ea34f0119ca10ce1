"""The cluster bootstrap against the same resamples row by row, side by side.

    python -m benchmarks.bench_bootstrap

2,000 resamples of 1,500 clusters (24,000 rows) for 40 metrics with intervals, adding up by cluster included.
Promises: within 50 ms, single-precision deviation under 1e-6, growth linear in clusters.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.stats.bootstrap import bootstrap_sums, cluster_bootstrap, sum_by_cluster
from analysis.stats.cluster_weights import resample_weights
from benchmarks.timing import median_seconds, side_by_side

ROWS, CLUSTERS, METRICS, RESAMPLES, SEED = 24_000, 1_500, 40, 2_000, 1


def rows_of(clusters: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(SEED)
    rows = clusters * (ROWS // CLUSTERS)
    return (generator.random((rows, METRICS)) < 0.3).astype(float), generator.integers(0, clusters, rows)


def by_groupby(values: np.ndarray, clusters: np.ndarray, resamples: int) -> np.ndarray:
    """The usual way: draw clusters, gather their rows, take means."""
    generator = np.random.default_rng(SEED)
    rows = list(pd.Series(range(len(clusters))).groupby(clusters).indices.values())
    return np.array(
        [
            values[np.concatenate([rows[pick] for pick in generator.integers(0, len(rows), len(rows))])].mean(axis=0)
            for _ in range(resamples)
        ]
    )


def main() -> None:
    values, clusters = rows_of(CLUSTERS)
    tenth = RESAMPLES // 10
    ours, usual = side_by_side(
        lambda: cluster_bootstrap(sum_by_cluster(values, clusters), seed=SEED),
        lambda: by_groupby(values, clusters, tenth),
    )
    print(f"{RESAMPLES:,} resamples, {CLUSTERS:,} clusters, {ROWS:,} rows, {METRICS} metrics; medians of five, warm")
    print(f"  rows to intervals here         {ours * 1e3:9.1f} ms   (promise: 50)")
    print(f"  gathering rows, a tenth x 10   {usual * 1e4:9.1f} ms")
    print(f"  ratio                          {usual * 10 / ours:9.1f} x")

    generator = np.random.default_rng(SEED)
    for name, numbers in (("counts", values), ("tokens", generator.lognormal(6, 2, values.shape))):
        sums = sum_by_cluster(numbers, clusters)
        drawn = bootstrap_sums(sums, resamples=200, seed=SEED).draws.T
        weights = resample_weights(CLUSTERS, resamples=200, seed=SEED).astype(np.float64)
        exact = (weights @ sums.numerators) / (weights @ sums.denominators)
        print(f"  largest relative deviation, {name:7} {np.abs(drawn / exact - 1).max():9.1e}   (promise: 1e-6)")

    print("growth:")
    for size in (CLUSTERS // 2, CLUSTERS, CLUSTERS * 2, CLUSTERS * 4):
        part = rows_of(size)
        seconds = median_seconds(lambda part=part: cluster_bootstrap(sum_by_cluster(*part), seed=SEED))
        print(f"  {size:>6,} clusters {seconds * 1e3:7.1f} ms  {seconds / size * 1e6:6.1f} us a cluster")


if __name__ == "__main__":
    main()
