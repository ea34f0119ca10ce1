"""From a raters x items array of labels to category codes: 0 for a missing cell, 1..q in scale order."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

IntArray = NDArray[np.intp]
#: Whole numbers, in whatever type they were quickest to make.
Codes = NDArray[np.intp] | NDArray[np.float64]
Encoder = Callable[[NDArray[Any]], Codes]

#: Whole-number categories this far apart or less are looked up in a table instead of searched.
_LARGEST_LOOKUP = 4_096
_UNDECLARED = -1


class UndeclaredLabelError(ValueError):
    """A label that is not one of the declared categories. ``label`` is the first such label met."""

    def __init__(self, label: object, categories: Sequence[Hashable]) -> None:
        self.label = label
        shown = ", ".join(repr(category) for category in categories)
        super().__init__(f"label {label!r} is not one of the declared categories: {shown}")


def is_number(label: object) -> bool:
    """Whether a label is a score: a finite real number, and not True or False."""
    return isinstance(label, Real) and not isinstance(label, (bool, np.bool_)) and math.isfinite(label)


def is_missing(label: Any) -> bool:
    """Whether a cell holds no rating: None, NaN, pandas' NA or NaT, or blank text."""
    if isinstance(label, str):
        return not label.strip()
    return label is None or (pd.api.types.is_scalar(label) and bool(pd.isna(label)))


def label_matrix(matrix: object) -> NDArray[Any]:
    """Any raters x items input as an array: numbers stay numbers, everything else becomes objects."""
    array = matrix if isinstance(matrix, np.ndarray) else _as_array(matrix)
    if array.ndim != 2:
        raise ValueError(f"ratings are raters x items: two dimensions, not {array.ndim}")
    return array if array.dtype.kind in "iufO" else array.astype(object)


def observed_categories(matrix: NDArray[Any]) -> tuple[Hashable, ...]:
    """The labels that occur, numbers ascending and text in code-point order."""
    if matrix.dtype.kind != "O":
        values = np.unique(matrix)
        return tuple(values[~np.isnan(values)].tolist())
    seen = {label for label in matrix.ravel().tolist() if not is_missing(label)}
    if all(is_number(label) for label in seen):
        return tuple(sorted(seen))
    return tuple(sorted(seen, key=lambda label: (str(label), type(label).__name__)))


def label_encoder(categories: Sequence[Hashable], *, dtype: np.dtype[Any]) -> Encoder:
    """A function from a one-dimensional block of labels to codes. It raises UndeclaredLabelError."""
    if dtype.kind == "O":
        return _object_encoder(categories)
    if not all(is_number(category) for category in categories):
        return _refusing_encoder(categories)
    scores = np.array([float(category) for category in categories])  # type: ignore[arg-type]
    span = float(scores.max() - scores.min()) if scores.size else 0.0
    if scores.size and span < _LARGEST_LOOKUP and np.array_equal(scores, np.rint(scores)):
        return _lookup_encoder(categories, scores)
    return _search_encoder(categories, scores)


def _as_array(matrix: object) -> NDArray[Any]:
    if isinstance(matrix, pd.DataFrame):
        return matrix.to_numpy()
    rows = [list(row) for row in matrix]  # type: ignore[attr-defined]
    if len({len(row) for row in rows}) > 1:
        raise ValueError("every rater needs one cell per item; write None where a rating is missing")
    array = np.empty((len(rows), len(rows[0]) if rows else 0), dtype=object)
    for target, row in zip(array, rows, strict=True):
        target[:] = row
    return array


def _lookup_encoder(categories: Sequence[Hashable], scores: NDArray[np.float64]) -> Encoder:
    lowest = float(scores.min())
    base = lowest - 1  # position 0 of the table stands for a missing cell
    table = np.full(int(scores.max() - base) + 1, _UNDECLARED, dtype=np.intp)
    table[0] = 0
    table[(scores - base).astype(np.intp)] = np.arange(1, scores.size + 1)
    position_is_code = np.array_equal(table, np.arange(table.size))

    def encode(block: NDArray[Any]) -> Codes:
        # fmax passes over NaN, so that a missing cell lands on position 0.
        position = np.fmax(block - base if base else block, 0.0)
        if (
            np.fmin.reduce(block, initial=lowest) >= lowest
            and position.max(initial=0.0) < table.size
            and (np.rint(position) == position).all()
        ):
            if position_is_code:
                return position
            codes = table[position.astype(np.intp)]
            if codes.min(initial=0) >= 0:
                return codes
        raise UndeclaredLabelError(_first_undeclared(block, scores), categories)

    return encode


def _search_encoder(categories: Sequence[Hashable], scores: NDArray[np.float64]) -> Encoder:
    order = np.argsort(scores)
    ascending = scores[order]

    def encode(block: NDArray[Any]) -> Codes:
        values = block.astype(np.float64)
        missing = np.isnan(values)
        if not scores.size:
            if missing.all():
                return np.zeros(values.shape, dtype=np.intp)
            raise UndeclaredLabelError(values[~missing][0], categories)
        position = np.minimum(np.searchsorted(ascending, values), scores.size - 1)
        if not (missing | (ascending[position] == values)).all():
            raise UndeclaredLabelError(_first_undeclared(block, scores), categories)
        return np.where(missing, 0, order[position] + 1)

    return encode


def _object_encoder(categories: Sequence[Hashable]) -> Encoder:
    codes = {category: code for code, category in enumerate(categories, start=1)}

    def code_of(label: Hashable) -> int:
        code = codes.get(label)
        if code is not None and isinstance(label, (bool, np.bool_)) == isinstance(
            categories[code - 1], (bool, np.bool_)
        ):
            return code
        if is_missing(label):
            return 0
        raise UndeclaredLabelError(label, categories)

    def encode(block: NDArray[Any]) -> Codes:
        labels = block.tolist()
        return np.fromiter((code_of(label) for label in labels), dtype=np.intp, count=len(labels))

    return encode


def _refusing_encoder(categories: Sequence[Hashable]) -> Encoder:
    """Numbers met where the declared categories are words: only an empty block can pass."""

    def encode(block: NDArray[Any]) -> Codes:
        known = block[~np.isnan(block)]
        if known.size:
            raise UndeclaredLabelError(known[0].item(), categories)
        return np.zeros(block.shape, dtype=np.intp)

    return encode


def _first_undeclared(block: NDArray[Any], scores: NDArray[np.float64]) -> float:
    values = block.astype(np.float64)
    return float(values[~np.isnan(values) & ~np.isin(values, scores)][0])
