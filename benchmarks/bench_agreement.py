"""Agreement coefficients against krippendorff, side by side, input conversion included.

    python -m benchmarks.bench_agreement [--items 1000000]

Both start from the same raters x items float array with NaN where a rating is missing. Ours computes five
coefficients with their standard errors and intervals, krippendorff one value. Promises: five coefficients on a
million items of three raters (10% missing, q = 4) at least 20 times as fast as that one value; 2,000 item
resamples of all five within 0.1 s; growth linear.
"""

from __future__ import annotations

import argparse

import krippendorff
import numpy as np

from analysis.stats.agreement import Ratings, agreement_report
from benchmarks.timing import median_seconds, side_by_side

FIVE = ("raw", "ac1", "fleiss_kappa", "conger_kappa", "alpha_nominal")
CATEGORIES = (1, 2, 3, 4)
RATERS, MISSING, SEED = 3, 0.1, 0


def ratings_of(items: int) -> np.ndarray:
    """Raters who share a truth on seven items of ten, with missing cells."""
    generator = np.random.default_rng(SEED)
    truth = generator.integers(1, 5, size=items)
    own = generator.integers(1, 5, size=(RATERS, items))
    matrix = np.where(generator.random((RATERS, items)) < 0.7, truth, own).astype(float)
    matrix[generator.random(matrix.shape) < MISSING] = np.nan
    return matrix


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1_000_000)
    items = parser.parse_args().items
    matrix = ratings_of(items)

    ours, theirs = side_by_side(
        lambda: agreement_report(matrix, categories=CATEGORIES, names=FIVE),
        lambda: krippendorff.alpha(matrix, level_of_measurement="nominal", value_domain=CATEGORIES),
    )
    alpha = agreement_report(matrix, categories=CATEGORIES, names=FIVE)["alpha_nominal"].value
    difference = abs(alpha - krippendorff.alpha(matrix, level_of_measurement="nominal", value_domain=CATEGORIES))
    print(f"{items:,} items x {RATERS} raters, {MISSING:.0%} missing, q = {len(CATEGORIES)}; medians of five, warm")
    print(f"  five coefficients here      {ours * 1e3:9.1f} ms")
    print(f"  one alpha by krippendorff   {theirs * 1e3:9.1f} ms")
    print(f"  ratio                       {theirs / ours:9.1f} x   (promise: 20; alphas differ by {difference:.1e})")

    encoded = Ratings.from_matrix(matrix, categories=CATEGORIES)
    resampling = median_seconds(lambda: agreement_report(encoded, names=FIVE, interval="percentile"))
    print(f"  2,000 item resamples of all five {resampling * 1e3:6.1f} ms   (promise: 100)")

    print("growth, five coefficients:")
    for size in (items // 8, items // 4, items // 2, items):
        part = matrix[:, :size]
        seconds = median_seconds(lambda part=part: agreement_report(part, categories=CATEGORIES, names=FIVE))
        print(f"  {size:>9,} items {seconds * 1e3:7.1f} ms  {seconds / size * 1e9:6.1f} ns an item")


if __name__ == "__main__":
    main()
