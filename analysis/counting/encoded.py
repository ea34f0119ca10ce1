"""A verdicts frame laid out on a grid of cells, ready to be counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.counting.costs import CostSums, refuse_impossible_costs, sum_costs
from analysis.counting.pair_table import PairTable, Stratum
from analysis.counting.verdict_columns import (
    NOT_OFFERED,
    Refusal,
    Words,
    encode_repeat,
    encode_words,
    orders,
    outcome_codes,
    pair_places,
    role_places,
    tie_offered,
)
from analysis.stats.frontier_grid import ERROR, Placed, build_grid, first_repeats
from annotation.errors import InputFileError, Problem

IntArray = NDArray[np.int64]


#: The probes of CUE, section IV-B, as the product spells them.
PROBES = frozenset({"blind", "truth", "flip", "placebo", "reveal_after"})


class Condition(NamedTuple):
    """How a judge was asked, apart from order and repeat."""

    judge: str
    protocol: str
    protocol_version: str
    level: str
    probe: str
    attack: str
    phase: str


class Cell(NamedTuple):
    """The finest unit of a report; cells sort so that those of one family are neighbours."""

    split: str
    tier: str
    condition: Condition
    paraphrase: str
    attacked_role: str
    stratum: int


@dataclass(frozen=True, slots=True)
class Family:
    """Neighbouring cells of one split, tier and condition: what one row of a report is made of."""

    split: str
    tier: str
    condition: Condition
    first: int
    cells: tuple[Cell, ...]

    @property
    def last(self) -> int:
        return self.first + len(self.cells) - 1

    @property
    def all_numbers(self) -> IntArray:
        return np.arange(self.first, self.last + 1)

    def numbers(self, cells: Iterable[Cell]) -> IntArray:
        """The grid's numbers of some of this family's cells."""
        place = {cell: self.first + offset for offset, cell in enumerate(self.cells)}
        return np.array([place[cell] for cell in cells], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Encoded:
    """``placed`` holds the first repeats; ``repeats`` (key, code) every row
    where a comparison was repeated, else None.

    ``not_offered`` and ``rows`` count rows by cell; ``simulated`` marks cells that hold any simulated row.
    ``kept`` are the frame's row places that stand on the grid, aligned with ``placed.slot`` and ``order``.
    """

    pairs: PairTable
    families: tuple[Family, ...]
    placed: Placed
    kept: IntArray
    order: NDArray[np.int8]
    repeats: tuple[IntArray, NDArray[np.int8]] | None
    not_offered: IntArray
    rows: IntArray
    simulated: NDArray[np.bool_]
    costs: CostSums
    n_scored: int

    def offers_ties(self, numbers: IntArray) -> bool:
        """Whether any row of these cells was, or may have been, allowed to say Tie."""
        return not self.not_offered[numbers].sum() == self.rows[numbers].sum() > 0

    def strata(self, cells: Sequence[Cell]) -> list[Stratum]:
        return [self.pairs.strata[cell.stratum] for cell in cells]


_DIMENSIONS = (
    "judge",
    "protocol",
    "protocol_version",
    "level",
    "probe",
    "attack",
    "phase",
    "paraphrase",
    "attacked_role",
)


def encode_verdicts(verdicts: pd.DataFrame, pairs: PairTable, *, file: str = "verdicts") -> Encoded:
    """Lay out a frame with pair_id, judge, protocol, outcome, winner, shown_as_a and any other column of the public
    verdicts format. Raises InputFileError naming ``file``, row and field for what cannot be counted."""
    refusal = Refusal(verdicts, file)
    pair = pair_places(verdicts, pairs, refusal)
    order = orders(verdicts, pairs, pair, refusal)
    code = outcome_codes(verdicts, pairs, pair, order, refusal)
    for name in ("attacked_role", "cue_favours"):
        if name in verdicts:
            role_places(verdicts, name, pairs, pair, refusal)
    refuse_impossible_costs(verdicts, refusal)
    cells, cell = _cells(verdicts, pairs, pair)
    repeat = encode_repeat(verdicts)
    costs = sum_costs(verdicts, cell, order, n_cells=len(cells))
    scored = code > ERROR  # scores without a verdict: nothing to count here
    several = repeat.size > 0 and repeat.min() != repeat.max()
    kept, repeats = np.arange(len(verdicts)), None
    if several or scored.any():
        key = (cell * len(pairs.pair_id) + pair) * 3 + order
        repeats = (key[~scored], code[~scored]) if several else None
        # a scored row must not stand in for the first verdict of its comparison
        kept = np.flatnonzero(~scored)
        kept = kept[first_repeats(key[kept], repeat[kept])]
        cell, pair, order, code = cell[kept], pair[kept], order[kept], code[kept]
    try:
        placed = build_grid(cell, pair, order, code, n_cells=len(cells), n_pairs=len(pairs.pair_id))
    except ValueError:
        _refuse_duplicates(refusal, (cell * len(pairs.pair_id) + pair) * 3 + order, kept)
    sources = encode_words(verdicts, "source")
    return Encoded(
        pairs=pairs,
        families=tuple(_families(cells)),
        placed=placed,
        kept=kept,
        order=order,
        repeats=repeats,
        not_offered=np.bincount(cell[tie_offered(verdicts)[kept] == NOT_OFFERED], minlength=len(cells)),
        rows=np.bincount(cell, minlength=len(cells)),
        simulated=np.bincount(cell[sources.codes[kept] == sources.code_of("simulated")], minlength=len(cells)) > 0,
        costs=costs,
        n_scored=int(scored.sum()),
    )


def _cells(verdicts: pd.DataFrame, pairs: PairTable, pair: IntArray) -> tuple[list[Cell], IntArray]:
    """The distinct cells in their order, and each row's among them."""
    columns = [_dimension(verdicts, name) for name in _DIMENSIONS]
    mixed = pairs.stratum[pair]
    for column in columns:
        if len(column.names) > 1:
            mixed = mixed * len(column.names) + column.codes
    codes, uniques = pd.factorize(mixed)
    found = [_unmix(int(value), columns, pairs) for value in uniques]
    ranked = sorted(range(len(found)), key=lambda place: found[place])
    rank = np.empty(len(found), dtype=np.int64)
    rank[ranked] = np.arange(len(found))
    return [found[place] for place in ranked], rank[codes]


def _dimension(verdicts: pd.DataFrame, name: str) -> Words:
    column = encode_words(verdicts, name)
    if name == "phase":
        return column.renamed(lambda word: word or "only")
    if name == "probe":
        return column.renamed(_probe_name)
    return column


def _probe_name(word: str) -> str:
    """Blind, Reveal-after and the like are spelled in the paper's way or in the product's; both mean one probe."""
    plain = word.strip().lower().replace("-", "_").replace(" ", "_")
    return plain if plain in PROBES else word


def _unmix(value: int, columns: list[Words], pairs: PairTable) -> Cell:
    cells: list[str] = []
    for column in reversed(columns):
        value, code = divmod(value, len(column.names))
        cells.insert(0, column.names[code])
    stratum = pairs.strata[value]
    return Cell(stratum.split, stratum.tier, Condition(*cells[:7]), cells[7], cells[8], value)


def _families(cells: list[Cell]) -> Iterable[Family]:
    start = 0
    for place in range(1, len(cells) + 1):
        if place == len(cells) or cells[place][:3] != cells[start][:3]:
            split, tier, condition = cells[start][:3]
            yield Family(split, tier, condition, start, tuple(cells[start:place]))
            start = place


def _refuse_duplicates(refusal: Refusal, key: IntArray, kept: IntArray) -> None:
    ranked = np.argsort(key, kind="stable")
    again = ranked[1:][key[ranked][1:] == key[ranked][:-1]]
    earlier = ranked[:-1][key[ranked][1:] == key[ranked][:-1]]
    problems = [
        Problem(
            refusal.file, refusal.number(kept[late]), "pair_id",
            f"is the same comparison as row {refusal.number(kept[soon])}.",
            "Number repeats in the repeat column, or remove one row.",
        )
        for late, soon in zip(again[:50], earlier[:50], strict=True)
    ]  # fmt: skip
    raise InputFileError(problems, more=max(0, len(again) - 50))
