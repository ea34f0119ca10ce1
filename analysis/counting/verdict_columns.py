"""Columns of a verdicts frame as small whole numbers: the step that lets ten million rows be counted in seconds."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.counting.pair_table import PairTable
from analysis.stats.frontier_grid import COMBINED, ERROR, FIRST, REFUSED, TIE, UNPARSED
from annotation.errors import InputFileError, Problem

IntArray = NDArray[np.int64]

#: What a row's `offered` says of Tie.
OFFERED, NOT_OFFERED, NOT_SAID = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Words:
    """A text column: ``codes`` (rows,) into the sorted ``names``; missing values are ''."""

    codes: NDArray[np.integer]
    names: tuple[str, ...]

    def code_of(self, name: str) -> int:
        """The code of a name, or -1 where no row has it."""
        return self.names.index(name) if name in self.names else -1

    def renamed(self, rename: Callable[[str], str]) -> Words:
        """The same rows under other names; names that become equal become one."""
        names = sorted({rename(name) for name in self.names})
        lookup = np.array([names.index(rename(name)) for name in self.names], dtype=np.int32)
        return Words(lookup[self.codes], tuple(names))


def encode_words(frame: pd.DataFrame, name: str) -> Words:
    """A column by name; one that is absent is '' throughout. Categorical columns are not looked at row by row."""
    if name not in frame:
        return Words(np.zeros(len(frame), dtype=np.int8), ("",))
    column = frame[name]
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes, raw = column.cat.codes.to_numpy(), column.cat.categories.tolist()
    else:
        codes, uniques = pd.factorize(column)
        raw = uniques.tolist()
    texts = [_plain(value) for value in raw] + [""]  # the last place is for missing values, code -1
    names = sorted(set(texts))
    place = {text: number for number, text in enumerate(names)}
    lookup = np.array([place[text] for text in texts], dtype=np.int32)
    return Words(lookup[codes], tuple(names))


def _plain(value: object) -> str:
    if value is None or value is pd.NA or value != value:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))  # a level or paraphrase column with gaps arrives as floats
    return str(value)


def encode_numbers(frame: pd.DataFrame, name: str) -> NDArray[np.float64] | None:
    """A numeric column, NaN where missing; None where the frame has no such column."""
    if name not in frame:
        return None
    return pd.to_numeric(frame[name], errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)


def encode_repeat(frame: pd.DataFrame) -> IntArray:
    numbers = encode_numbers(frame, "repeat")
    if numbers is None:
        return np.zeros(len(frame), dtype=np.int64)
    return np.nan_to_num(numbers).astype(np.int64)


def tie_offered(frame: pd.DataFrame) -> NDArray[np.int8]:
    """OFFERED, NOT_OFFERED or NOT_SAID by row, from the labels named in `offered`."""
    offered = encode_words(frame, "offered")
    meaning = []
    for text in offered.names:
        labels = set(re.findall(r"\w+", text))
        meaning.append(NOT_SAID if not labels else OFFERED if "Tie" in labels else NOT_OFFERED)
    return np.array(meaning, dtype=np.int8)[offered.codes]


class Refusal:
    """Says which row of which file is wrong; the row is the frame's own ``row`` column where it has one."""

    def __init__(self, frame: pd.DataFrame, file: str) -> None:
        self.frame = frame
        self.file = file

    def rows(self, wrong: NDArray[np.bool_], field: str, message: str, remedy: str) -> None:
        """Refuse with every wrong row (the first 50 in words); ``{value}`` in the message is the row's cell."""
        places = np.flatnonzero(wrong)
        if not places.size:
            return
        problems = [
            Problem(self.file, self.number(place), field, message.format(value=self._cell(field, place)), remedy)
            for place in places[:50]
        ]
        raise InputFileError(problems, more=max(0, places.size - 50))

    def number(self, place: int) -> int:
        return int(self.frame["row"].iloc[place]) if "row" in self.frame else int(place) + 1

    def _cell(self, field: str, place: int) -> object:
        return self.frame[field].iloc[place] if field in self.frame else ""


def pair_places(frame: pd.DataFrame, table: PairTable, refusal: Refusal) -> IntArray:
    """Which pair each row is of, (rows,); an unknown pair id is refused naming its row."""
    column = frame["pair_id"]
    index = pd.Index(table.pair_id)
    if isinstance(column.dtype, pd.CategoricalDtype):
        lookup = np.append(index.get_indexer(column.cat.categories.astype(object)), -1)
        places = lookup[column.cat.codes.to_numpy()]
    else:
        places = index.get_indexer(pd.Index(column.astype(object)))
    remedy = "Give the pairs file that holds it, or remove the row."
    refusal.rows(places < 0, "pair_id", "{value!r} is no pair of the pairs given.", remedy)
    return places.astype(np.int64)


def orders(frame: pd.DataFrame, table: PairTable, pair: IntArray, refusal: Refusal) -> NDArray[np.int8]:
    """FIRST_AS_A, SECOND_AS_A or COMBINED by row, in the role order of the pair's stratum."""
    shown = encode_words(frame, "shown_as_a")
    place = _role_places(table, shown.names)[table.stratum[pair], shown.codes]
    refusal.rows(place < 0, "shown_as_a", "{value!r} is no role of the pair.", "Name the role shown as A.")
    return place


def _role_places(table: PairTable, names: tuple[str, ...]) -> NDArray[np.int8]:
    """(strata, names): 0 or 1 where the name is that stratum's first or second role, 2 for '', -1 for others."""
    places = np.full((len(table.strata), len(names)), -1, dtype=np.int8)
    for row, stratum in enumerate(table.strata):
        for column, name in enumerate(names):
            if name == "":
                places[row, column] = COMBINED
            elif name in stratum.roles:
                places[row, column] = stratum.roles.index(name)
    return places


def role_places(frame: pd.DataFrame, name: str, table: PairTable, pair: IntArray, refusal: Refusal) -> NDArray[np.int8]:
    """For a column of role names: 0 or 1, 2 where empty; a name that is no role of the pair is refused."""
    column = encode_words(frame, name)
    place = _role_places(table, column.names)[table.stratum[pair], column.codes]
    refusal.rows(place < 0, name, "{value!r} is no role of the pair.", "Name one of the pair's roles.")
    return place


def outcome_codes(
    frame: pd.DataFrame, table: PairTable, pair: IntArray, order: NDArray[np.int8], refusal: Refusal
) -> NDArray[np.int8]:
    """Grid codes by row. A combined row's A names the pair's own first role. Scored rows are given ERROR + 1."""
    outcome, winner = encode_words(frame, "outcome"), encode_words(frame, "winner")
    kinds = {"decided": FIRST, "scored": ERROR + 1, "refused": REFUSED, "unparsed": UNPARSED, "error": ERROR}
    code = np.array([kinds.get(name, -1) for name in outcome.names], dtype=np.int8)[outcome.codes]
    refusal.rows(code < 0, "outcome", "is {value!r}.", f"Use one of {', '.join(kinds)}.")
    sides = {"A": 0, "B": 1, "Tie": 2, "": 3}
    side = np.array([sides.get(name, -1) for name in winner.names], dtype=np.int8)[winner.codes]
    decided = code == FIRST
    refusal.rows(side < 0, "winner", "is {value!r}.", "Use A, B or Tie, or leave it empty.")
    refusal.rows(decided & (side == 3), "winner", "is empty though the outcome is decided.", "Write A, B or Tie.")
    remedy = "Leave the winner empty, or write decided."
    refusal.rows(~decided & (side != 3), "winner", "is {value} though the row was not decided.", remedy)
    shown_first = np.where(order == COMBINED, table.flipped[pair], order).astype(np.int8)
    role = np.where(side == TIE, TIE, side ^ shown_first).astype(np.int8)
    return np.where(decided, role, code).astype(np.int8)
