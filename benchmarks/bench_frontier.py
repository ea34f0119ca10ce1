"""How long a full frontier with intervals takes, and how that grows: verdict rows in memory, report out.

    python -m benchmarks.bench_frontier [--rows 10000000] [--json]

Every size runs in a process of its own, so that the peak memory printed is that size's. The rows are categorical, as
a database reader hands them over: 200 conditions, two orders, clusters of five pairs; no labels and no explanations.
The promise: 10 million rows (5,000 clusters, 200 conditions) within 10 s and 4 GB, growth linear.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pandas as pd

from analysis.frontier.report import frontier_report

JUDGES, LEVELS, PARAPHRASED_PROTOCOLS = 10, 5, 4  # 10 x 5 x 4 = 200 conditions
PAIRS_PER_CLUSTER = 5
SEED = 7


def frames(rows: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Pairs and verdicts: every condition on every pair in both orders, one row in fifty undecided."""
    conditions = JUDGES * LEVELS * PARAPHRASED_PROTOCOLS
    n_pairs = max(PAIRS_PER_CLUSTER, rows // (2 * conditions))
    ids = np.array([f"p{number:07}" for number in range(n_pairs)], dtype=object)
    clusters = [f"c{number // PAIRS_PER_CLUSTER:06}" for number in range(n_pairs)]
    pairs = pd.DataFrame(
        {
            "pair_id": ids,
            "role_1": "plain",
            "role_2": "cited",
            "tier": "moderate",
            "target": "plain",
            "cluster": clusters,
        }
    )
    generator = np.random.default_rng(SEED)
    n = n_pairs * 2 * conditions
    condition, rest = np.divmod(np.arange(n), n_pairs * 2)
    judge, within = np.divmod(condition, LEVELS * PARAPHRASED_PROTOCOLS)
    protocol, level = np.divmod(within, LEVELS)
    outcome = (generator.random(n) < 0.02).astype(np.int8)
    winner = np.where(outcome == 1, 3, generator.integers(0, 3, n)).astype(np.int8)
    verdicts = pd.DataFrame(
        {
            "pair_id": _category(rest // 2, ids),
            "judge": _category(judge, [f"judge {number}" for number in range(JUDGES)]),
            "protocol": _category(protocol, [f"ladder {number}" for number in range(PARAPHRASED_PROTOCOLS)]),
            "level": _category(level, [f"L{number}" for number in range(LEVELS)]),
            "shown_as_a": _category(rest % 2, ["plain", "cited"]),
            "outcome": _category(outcome, ["decided", "unparsed"]),
            "winner": _category(winner, ["A", "B", "Tie", ""]),
            "n_calls": np.ones(n, dtype=np.int8),
            "prompt_tokens": generator.integers(200, 400, n, dtype=np.int32),
        }
    )
    return pairs, verdicts


def _category(codes: np.ndarray[Any, Any], names: Any) -> pd.Categorical:
    return pd.Categorical.from_codes(codes.astype(np.int32), categories=list(names))


def measure(rows: int) -> dict[str, float]:
    """Seconds of one report (after a small one to warm up), by the clock and by the processor (on a busy machine only
    the second says much), and the process's peak memory."""
    frontier_report(**dict(zip(("pairs", "verdicts"), frames(20_000), strict=True)))
    pairs, verdicts = frames(rows)
    before, busy = time.perf_counter(), time.process_time()
    report = frontier_report(pairs=pairs, verdicts=verdicts)
    seconds, cpu = time.perf_counter() - before, time.process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    return {
        "rows": len(verdicts),
        "seconds": seconds,
        "cpu_seconds": cpu,
        "peak_gb": peak,
        "report_rows": len(report["rows"]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--one", action="store_true", help="measure this size alone, in this process")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.rows)))
        return
    found = [_apart(options.rows // share) for share in (4, 2, 1)]
    if options.json:
        print(json.dumps(found))
        return
    for line in found:
        per_million = line["seconds"] / line["rows"] * 1e6
        print(
            f"{line['rows']:>12,} rows: {line['seconds']:6.2f} s ({per_million:.2f} s a million), "
            f"{line['cpu_seconds']:.2f} s of processor time, "
            f"{line['peak_gb']:.2f} GB at peak, {line['report_rows']} report rows"
        )
    print(f"growth from a quarter to the whole: {found[-1]['seconds'] / found[0]['seconds']:.2f} times (4 is linear)")


def _apart(rows: int) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.bench_frontier", "--rows", str(rows), "--one"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout))


if __name__ == "__main__":
    main()
