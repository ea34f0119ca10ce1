"""How benchmarks time: warm, alternating, medians of five."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

RUNS = 5


def median_seconds(work: Callable[[], object]) -> float:
    """The median wall time of five runs after one that warms up."""
    work()
    return median(_seconds(work) for _ in range(RUNS))


def side_by_side(first: Callable[[], object], second: Callable[[], object]) -> tuple[float, float]:
    """Both medians, the runs taking turns so that a busy moment of the machine hits both."""
    first()
    second()
    pairs = [(_seconds(first), _seconds(second)) for _ in range(RUNS)]
    return median(one for one, _ in pairs), median(other for _, other in pairs)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
