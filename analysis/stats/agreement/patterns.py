"""Counting rating patterns: each item's ratings are one number in base q + 1, and equal numbers are one pattern.

A million items of three raters and four categories show at most 125 patterns, so every coefficient costs a
pass over 125 rows. Where the patterns are too many to count directly, sorting finds the distinct ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.stats.agreement.encoding import Encoder, IntArray

FloatArray = NDArray[np.float64]

#: Items encoded at once: small enough for the intermediate arrays to stay in cache.
_BLOCK = 32_768
#: Up to this many possible patterns, a block's patterns are counted as it is encoded.
_COUNTED_DIRECTLY = 4_096
#: Numbers below this leave room for one more digit of any base that is used.
_LARGEST_NUMBER = 2**62


def pattern_counts(labels: NDArray[Any], *, encoder: Encoder, q: int) -> tuple[IntArray, FloatArray]:
    """The distinct patterns (patterns, raters) of codes, and how many items show each (patterns,)."""
    n_raters = labels.shape[0]
    if (q + 1) ** n_raters <= _COUNTED_DIRECTLY:
        times = _count_directly(labels, encoder=encoder, q=q)
        present = np.flatnonzero(times)
        return _digits(present, base=q + 1, length=n_raters), times[present].astype(np.float64)
    codes = _encode(labels, encoder=encoder)
    first, times = _distinct(codes, base=q + 1)
    return codes[:, first].T, times.astype(np.float64)


def _count_directly(labels: NDArray[Any], *, encoder: Encoder, q: int) -> IntArray:
    n_raters, n_items = labels.shape
    space = (q + 1) ** n_raters
    times = np.zeros(space, dtype=np.intp)
    for start in range(0, n_items, _BLOCK):
        block = labels[:, start : start + _BLOCK]
        number = np.zeros(block.shape[1])
        for rater in block:
            number *= q + 1
            number += encoder(rater)
        times += np.bincount(number.astype(np.intp), minlength=space)
    return times


def _encode(labels: NDArray[Any], *, encoder: Encoder) -> IntArray:
    codes = np.empty(labels.shape, dtype=np.intp)
    for start in range(0, labels.shape[1], _BLOCK):
        for target, rater in zip(codes, labels, strict=True):
            target[start : start + _BLOCK] = encoder(rater[start : start + _BLOCK])
    return codes


def _distinct(codes: IntArray, *, base: int) -> tuple[IntArray, IntArray]:
    """Where each distinct column first occurs, and how often."""
    number = np.zeros(codes.shape[1], dtype=np.int64)
    space = 1
    for rater in codes:
        if space * base > _LARGEST_NUMBER:
            # Renumbering what was met so far makes room for the remaining raters.
            distinct, number = np.unique(number, return_inverse=True)
            space = len(distinct)
        number = number * base + rater
        space *= base
    _, first, times = np.unique(number, return_index=True, return_counts=True)
    return first, times


def _digits(numbers: IntArray, *, base: int, length: int) -> IntArray:
    digits = np.empty((len(numbers), length), dtype=np.intp)
    for column in reversed(range(length)):
        numbers, digits[:, column] = np.divmod(numbers, base)
    return digits
