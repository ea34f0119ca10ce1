"""What protocols cost: calls, tokens and dollars by cell, from each verdict's usage (docs/conventions.md, 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.counting.verdict_columns import Refusal, encode_numbers

#: Dollars are added up as whole billionths, so that the sum does not depend on the order of the rows.
NANO = 1_000_000_000
#: More than this of anything in one comparison is a slip of the pen or of the unit, and would spoil every sum.
LARGEST = 1e9
RECORDED = ("n_calls", "prompt_tokens", "completion_tokens", "usd", "latency_ms")
MEASURES = ("n_calls", "tokens", "usd", "latency_ms")
#: Milliseconds are added up as whole microseconds, for the same reason.
_SCALE = {"usd": NANO, "latency_ms": 1000}


@dataclass(frozen=True, slots=True)
class CostSums:
    """``sums`` and ``known`` (measures, cells, 3 orders): the total, and how many rows recorded one."""

    sums: NDArray[np.float64]
    known: NDArray[np.int64]

    def means(self, cells: Sequence[int] | NDArray[np.int64], order: int | None) -> dict[str, float | None]:
        """Per comparison, by measure; None where no row recorded it."""
        which = slice(None) if order is None else slice(order, order + 1)
        picked = np.asarray(cells)
        found: dict[str, float | None] = {}
        for place, name in enumerate(MEASURES):
            known = int(self.known[place][picked][:, which].sum())
            total = float(self.sums[place][picked][:, which].sum())
            found[name] = total / _SCALE.get(name, 1) / known if known else None
        return found


def refuse_impossible_costs(verdicts: pd.DataFrame, refusal: Refusal) -> None:
    """Amounts below zero, infinite, or beyond anything one comparison can cost."""
    for name in RECORDED:
        values = encode_numbers(verdicts, name)
        if values is None or (np.fmin.reduce(values, initial=0) >= 0 and np.fmax.reduce(values, initial=0) <= LARGEST):
            continue  # the usual case makes no masks of ten million rows
        remedy = f"Write a number from 0 to {LARGEST:.0f}, or leave it empty."
        refusal.rows((values < 0) | (values > LARGEST), name, "is {value}.", remedy)


def sum_costs(verdicts: pd.DataFrame, cell: NDArray[np.int64], order: NDArray[np.int8], *, n_cells: int) -> CostSums:
    """Every comparison that cost something counts, decided or not, repeats included."""
    size = n_cells * 3
    place = cell * 3 + order
    sums = np.zeros((len(MEASURES), n_cells, 3))
    known = np.zeros((len(MEASURES), n_cells, 3), dtype=np.int64)
    for number, values in enumerate(_measures(verdicts)):
        if values is None:
            continue
        has = ~np.isnan(values)
        where, amounts = (place, values) if has.all() else (place[has], values[has])
        known[number] = np.bincount(where, minlength=size).reshape(n_cells, 3)
        sums[number] = np.bincount(where, weights=amounts, minlength=size).reshape(n_cells, 3)
    return CostSums(sums, known)


def _measures(verdicts: pd.DataFrame) -> list[NDArray[np.float64] | None]:
    prompt, completion = (encode_numbers(verdicts, name) for name in ("prompt_tokens", "completion_tokens"))
    usd, latency = encode_numbers(verdicts, "usd"), encode_numbers(verdicts, "latency_ms")
    return [
        encode_numbers(verdicts, "n_calls"),
        _both(prompt, completion),
        None if usd is None else np.rint(usd * NANO),
        None if latency is None else np.rint(latency * _SCALE["latency_ms"]),
    ]


def _both(one: NDArray[np.float64] | None, two: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """Prompt and completion tokens together; a row that records only one of them has that one."""
    if one is None or two is None:
        return one if two is None else two
    return np.where(np.isnan(one), two, np.where(np.isnan(two), one, one + two))
