"""``paired``: protocols of one judge compared on the rows both decided, by whole clusters and, beside it, by rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.counting.encoded import Encoded, Family
from analysis.counting.pair_table import BASES, CONSENSUS_ONLY, LEFT_OUT
from analysis.frontier.options import ReportOptions
from analysis.frontier.sections.contrasts import clean_families, contrasts_of
from analysis.stats.bootstrap import ClusterSums, bootstrap_sums
from analysis.stats.estimate import Estimate
from analysis.stats.frontier_counts import ROLE_TARGETS
from analysis.stats.frontier_grid import TIE
from analysis.stats.margins import equivalent_within, non_inferior_within, widened
from analysis.stats.paired import compare_rows, holm
from analysis.stats.signflip import sign_flip_p

Row = dict[str, Any]
FloatArray = NDArray[np.float64]
#: Differences resampled in one matrix product.
_AT_ONCE = 1024


@dataclass(frozen=True, slots=True)
class Change:
    """One comparison: who, what, and the summed changes and rows of each cluster that has any."""

    identity: Row
    changes: FloatArray
    rows: FloatArray
    clusters: NDArray[np.int64]
    b: int
    c: int

    @property
    def n(self) -> int:
        return int(self.rows.sum())


def build_paired(encoded: Encoded, options: ReportOptions) -> list[Row]:
    """Two rows a comparison: one by cluster, and the paper's convention by pair x order; Holm within each family of
    one judge, split, tier, basis, outcome and unit."""
    changes: list[Change] = []
    for families in clean_families(encoded):
        codes = _Codes(encoded, {})
        for a, b in contrasts_of(families, options.contrasts):
            changes.extend(_changes(codes, a, b))
    by_cluster = _by_cluster(changes, encoded.pairs.unit, options)
    rows = [row for pair in zip(by_cluster, (_by_row(c, options) for c in changes), strict=True) for row in pair]
    _add_holm(rows)
    return rows


@dataclass(frozen=True, slots=True)
class _Codes:
    """Each family's codes by pair, laid out once however many comparisons it takes part in."""

    encoded: Encoded
    known: dict[tuple[int, str], NDArray[np.int8]]

    def of(self, family: Family, paraphrase: str) -> NDArray[np.int8]:
        key = (family.first, paraphrase)
        if key not in self.known:
            cells = family.numbers(cell for cell in family.cells if cell.paraphrase == paraphrase)
            self.known[key] = self.encoded.placed.grid.by_pair(cells)
        return self.known[key]


def _changes(codes: _Codes, a: Family, b: Family) -> Iterator[Change]:
    encoded = codes.encoded
    paraphrases = _paraphrases(a, b)
    one = np.concatenate([codes.of(a, first) for first, _ in paraphrases])
    two = np.concatenate([codes.of(b, second) for _, second in paraphrases])
    decided = (one <= TIE) & (two <= TIE)
    # a forced choice has no tie rate to compare (docs/conventions.md, 7)
    ties_offered = encoded.offers_ties(a.all_numbers) and encoded.offers_ties(b.all_numbers)
    for place, basis in enumerate(BASES):
        if basis == CONSENSUS_ONLY:
            continue
        aims = np.array([stratum.targets[place] for stratum in encoded.pairs.strata])[encoded.pairs.stratum]
        valid = decided & (aims != LEFT_OUT)
        if not valid.any():
            continue
        for outcome, first, second, counted in _outcomes(encoded, one, two, aims, valid):
            if outcome == "tie" and not ties_offered:
                continue
            identity = {
                "judge": a.condition.judge, "a": _condition(a), "b": _condition(b), "split": a.split or None,
                "tier": a.tier or None, "basis": basis, "outcome": outcome,
                "paraphrases": [list(pair) for pair in paraphrases if any(pair)] or None,
            }  # fmt: skip
            yield _change(encoded, identity, first, second, counted)


def _paraphrases(a: Family, b: Family) -> list[tuple[str, str]]:
    """The paraphrases both were asked in; without a common one, the first of each."""
    one, two = (sorted({cell.paraphrase for cell in family.cells}) for family in (a, b))
    shared = [(name, name) for name in one if name in two]
    return shared or [(one[0], two[0])]


def _outcomes(
    encoded: Encoded, one: NDArray[np.int8], two: NDArray[np.int8], aims: NDArray[np.int64], valid: NDArray[np.bool_]
) -> Iterator[tuple[str, NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]]:
    """(outcome, under a, under b, rows counted): the target's win where pairs aim at a role; the second role's win
    where they do not; ties always."""
    aimed = valid & np.isin(aims, ROLE_TARGETS)
    if aimed.any():
        yield "target_win", one == aims, two == aims, aimed
    roles = {encoded.pairs.strata[s].roles for s in np.unique(encoded.pairs.stratum[valid.any(axis=0)])}
    if not aimed.any() and len(roles) == 1:
        yield f"{next(iter(roles))[1]}_win", one == 1, two == 1, valid
    yield "tie", one == TIE, two == TIE, valid


def _change(
    encoded: Encoded, identity: Row, first: NDArray[np.bool_], second: NDArray[np.bool_], counted: NDArray[np.bool_]
) -> Change:
    change = (first & counted).astype(np.int8) - (second & counted)
    rows = _by_cluster_sum(encoded, counted.sum(axis=0))
    sums = _by_cluster_sum(encoded, change.sum(axis=0))
    present = np.flatnonzero(rows)
    return Change(identity, sums[present], rows[present], present, int((change > 0).sum()), int((change < 0).sum()))


def _by_cluster_sum(encoded: Encoded, by_pair: NDArray[np.int64]) -> FloatArray:
    table = encoded.pairs
    return np.bincount(table.cluster, weights=by_pair, minlength=table.n_clusters).astype(np.float64)


def _by_cluster(changes: list[Change], unit: str, options: ReportOptions) -> list[Row]:
    """Comparisons over the same clusters share their resamples."""
    bundles: dict[bytes, list[int]] = {}
    for place, change in enumerate(changes):
        bundles.setdefault(change.clusters.tobytes(), []).append(place)
    found: dict[int, Row] = {}
    for places in bundles.values():
        for start in range(0, len(places), _AT_ONCE):
            some = places[start : start + _AT_ONCE]
            sums = ClusterSums(
                np.stack([changes[place].changes for place in some], axis=1),
                np.stack([changes[place].rows for place in some], axis=1),
            )
            drawn = bootstrap_sums(sums, resamples=options.resamples, seed=options.seed, unit=unit)
            for metric, place in enumerate(some):
                change = changes[place]
                p, test = sign_flip_p(change.changes, resamples=options.resamples, seed=options.seed)
                narrow = drawn.estimate(metric, level=1 - 2 * options.alpha) if options.margin else None
                found[place] = _row(
                    change, drawn.estimate(metric, level=options.level), p=p, test=test, unit=unit
                ) | _claims(change, narrow, options)
    return [found[place] for place in range(len(changes))]


def _by_row(change: Change, options: ReportOptions) -> Row:
    settings = {"resamples": options.resamples, "seed": options.seed}
    compared = compare_rows(change.n, change.b, change.c, level=options.level, **settings)
    narrow = None
    if options.margin:
        narrow = compare_rows(change.n, change.b, change.c, level=1 - 2 * options.alpha, **settings).difference
    return _row(
        change, compared.difference, p=compared.p, test=f"{compared.test} (the paper's convention)", unit=compared.unit
    ) | _claims(change, narrow, options)


def _row(change: Change, difference: Estimate, *, p: float, test: str, unit: str) -> Row:
    return {
        **change.identity, "n": change.n, "n_clusters": len(change.clusters), "b_only": change.b, "c_only": change.c,
        "difference": difference.as_json(), "p": p, "test": test, "unit": unit,
    }  # fmt: skip


def _claims(change: Change, narrow: Estimate | None, options: ReportOptions) -> Row:
    """Equivalence, and non-inferiority of b on the target's win, where a margin was declared."""
    if options.margin is None or narrow is None:
        return {}
    interval = widened(narrow, alpha=options.alpha)
    equal = equivalent_within(interval, margin=options.margin, alpha=options.alpha)
    claims: Row = {
        "margin": options.margin, "equivalent": equal.shown, "margin_interval": equal.interval.as_json(),
    }  # fmt: skip
    if change.identity["outcome"] == "target_win":
        mirrored = _mirrored(interval)
        claims["non_inferior"] = non_inferior_within(mirrored, margin=options.margin, alpha=options.alpha).shown
    return claims


def _mirrored(interval: Estimate) -> Estimate:
    """b minus a instead of a minus b."""
    low, high = interval.low, interval.high
    return Estimate(
        value=None if interval.value is None else -interval.value, low=None if high is None else -high,
        high=None if low is None else -low, level=interval.level, n=interval.n, unit=interval.unit,
        method=interval.method, undefined=interval.undefined,
    )  # fmt: skip


def _condition(family: Family) -> Row:
    condition = family.condition
    return {
        "protocol": condition.protocol, "protocol_version": condition.protocol_version or None,
        "level": condition.level or None, "probe": condition.probe or None,
    }  # fmt: skip


def _add_holm(rows: list[Row]) -> None:
    families: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        key = tuple(row[name] for name in ("judge", "split", "tier", "basis", "outcome", "unit"))
        families.setdefault(key, []).append(row)
    for members in families.values():
        adjusted = holm([row["p"] for row in members])
        for row, p in zip(members, adjusted, strict=True):
            row["p_holm"], row["holm_family_size"] = p, len(members)
