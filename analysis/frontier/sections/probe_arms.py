"""A probe's rows beside the Blind rows of the same judge and protocol, aligned by pair, order and paraphrase."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.counting.encoded import Encoded, Family
from analysis.counting.verdict_columns import Refusal, role_places
from analysis.stats.frontier_grid import ABSENT, TIE

IntArray = NDArray[np.int64]
CodeArray = NDArray[np.int8]

#: No row, or no favoured role.
NONE = -1
#: Favoured sides the paper's equations fix: [1,2] under Truth, [2,1] under Flip.
FIXED_SIDES = {"truth": 0, "flip": 1}


@dataclass(frozen=True, slots=True)
class FrameRows:
    """Where each slot's row stands in the verdicts frame, (3 orders, slots), and which role its cue favours."""

    frame: pd.DataFrame
    place: IntArray
    favours: CodeArray

    @classmethod
    def of(cls, encoded: Encoded, frame: pd.DataFrame, file: str) -> FrameRows:
        place = np.full(encoded.placed.grid.codes.shape, NONE, dtype=np.int64)
        place[encoded.order, encoded.placed.slot] = encoded.kept
        favours = np.full(place.shape, NONE, dtype=np.int8)
        if "cue_favours" in frame:
            pair = encoded.placed.grid.pair[encoded.placed.slot]
            kept = frame.iloc[encoded.kept]
            named = role_places(kept, "cue_favours", encoded.pairs, pair, Refusal(kept, file))
            favours[encoded.order, encoded.placed.slot] = np.where(named == 2, NONE, named)
        return cls(frame, place, favours)

    def texts(self, name: str, places: IntArray) -> list[str]:
        if name not in self.frame:
            return [""] * len(places)
        return ["" if text is None or text != text else str(text) for text in self.frame[name].iloc[places].tolist()]


@dataclass(frozen=True, slots=True)
class Arm:
    """One family's rows as tables (layers x 3 orders, pairs): outcome code, place in the frame, favoured role."""

    codes: CodeArray
    places: IntArray
    favours: CodeArray

    @property
    def present(self) -> NDArray[np.bool_]:
        """Pairs with at least one row."""
        return np.asarray((self.codes != ABSENT).any(axis=0))

    @property
    def decided(self) -> NDArray[np.bool_]:
        return self.codes <= TIE

    def favoured_sides(self) -> CodeArray:
        """The favoured role by row, and where a row is absent that of another row of its layer and pair."""
        layered = self.favours.reshape(-1, 3, self.favours.shape[1])
        filled = np.where(layered != NONE, layered, layered.max(axis=1, keepdims=True))
        return filled.reshape(self.favours.shape)


#: One layer of an arm: (paraphrase, attacked role). A Blind arm repeats its rows for each attacked role.
Layer = tuple[str, str]


def layers_of(probe: Family, blind: Family) -> list[tuple[Layer, Layer]]:
    """(probe's layer, Blind's layer): the paraphrases both were asked in; without a common one, the first of each."""
    asked = sorted({cell.paraphrase for cell in blind.cells})
    layers = sorted({(cell.paraphrase, cell.attacked_role) for cell in probe.cells})
    shared = [(layer, (layer[0], "")) for layer in layers if layer[0] in asked]
    if shared:
        return shared
    return [(layer, (asked[0], "")) for layer in layers if layer[0] == layers[0][0]]


def arm_of(encoded: Encoded, family: Family, rows: FrameRows, layers: list[Layer]) -> Arm:
    """The family's rows, layer by layer."""
    n = encoded.placed.grid.n_pairs
    codes = np.full((len(layers), 3, n), ABSENT, dtype=np.int8)
    places = np.full(codes.shape, NONE, dtype=np.int64)
    favours = np.full(codes.shape, NONE, dtype=np.int8)
    for number, cell in enumerate(family.cells, start=family.first):
        here = encoded.placed.grid.slice_of(number, number)
        pair = encoded.placed.grid.pair[here]
        side = _side(family, cell.attacked_role, encoded.pairs.strata[cell.stratum].roles)
        named = rows.favours[:, here]
        for at, layer in enumerate(layers):
            if layer == (cell.paraphrase, cell.attacked_role):
                codes[at][:, pair] = encoded.placed.grid.codes[:, here]
                places[at][:, pair] = rows.place[:, here]
                favours[at][:, pair] = np.where(named != NONE, named, side)
    return Arm(codes.reshape(-1, n), places.reshape(-1, n), favours.reshape(-1, n))


def _side(family: Family, attacked_role: str, roles: tuple[str, str]) -> int:
    if family.condition.attack:
        return roles.index(attacked_role) if attacked_role in roles else NONE
    return FIXED_SIDES.get(family.condition.probe, NONE)
