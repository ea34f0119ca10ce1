"""Seeded subsets and development / held-out partitions, by cluster, in a form that can be recorded and checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.construction.seeding import digest, in_seeded_order
from annotation.errors import Refused
from annotation.records import PairRecord

DEVELOPMENT, HELD_OUT = "development", "held_out"


def cluster_of(pair: PairRecord) -> str:
    """The pair's cluster; the pair itself where it names none."""
    return pair.cluster or pair.pair_id


def subset(pairs: Iterable[PairRecord], *, clusters: int, seed: int) -> list[PairRecord]:
    """All pairs of ``clusters`` clusters drawn by the seed, in their own order. Raises ``Refused`` for too few."""
    kept = list(pairs)
    names = _names(kept)
    if not 0 < clusters <= len(names):
        raise Refused(f"A subset of {clusters} clusters cannot be drawn from {len(names)}.")
    chosen = set(in_seeded_order(names, seed=seed, key=str)[:clusters])
    return [pair for pair in kept if cluster_of(pair) in chosen]


@dataclass(frozen=True, slots=True)
class Partition:
    """Which cluster is in which part. ``clusters`` is sorted by name; ``fingerprint`` is its SHA-256."""

    seed: int
    shares: tuple[tuple[str, float], ...]
    clusters: tuple[tuple[str, str], ...]
    fingerprint: str

    def part_of(self, pair: PairRecord) -> str:
        """The part the pair belongs to; raises ``KeyError`` for a cluster the partition does not know."""
        return dict(self.clusters)[cluster_of(pair)]

    def split(self, pairs: Iterable[PairRecord]) -> dict[str, list[PairRecord]]:
        """The pairs by part, in their own order, every part named even when empty."""
        known = dict(self.clusters)
        parts: dict[str, list[PairRecord]] = {name: [] for name, _ in self.shares}
        for pair in pairs:
            parts[known[cluster_of(pair)]].append(pair)
        return parts

    def record(self) -> dict[str, Any]:
        """What is stored and exported: enough to make and to check the partition again."""
        return {
            "format": 1,
            "seed": self.seed,
            "shares": dict(self.shares),
            "clusters": dict(self.clusters),
            "fingerprint": self.fingerprint,
        }


def partition(pairs: Iterable[PairRecord], *, seed: int, shares: Mapping[str, float] | None = None) -> Partition:
    """Assigns whole clusters to parts, by default a fifth to development and the rest held out.

    Clusters are taken in seeded order and the parts filled to their shares (largest remainder), so that every
    cluster has one part and the sizes are exact. Raises ``Refused`` for shares that do not add up to one, or for
    fewer clusters than parts.
    """
    wanted = dict(shares or {DEVELOPMENT: 0.2, HELD_OUT: 0.8})
    if not wanted or any(share <= 0 for share in wanted.values()) or abs(sum(wanted.values()) - 1) > 1e-9:
        raise Refused("The shares of a partition must be positive and add up to one.")
    names = _names(pairs)
    if len(names) < len(wanted):
        raise Refused(f"{len(names)} clusters cannot fill {len(wanted)} parts.")
    ordered = iter(in_seeded_order(names, seed=seed, key=str))
    sizes = _sizes(len(names), wanted)
    assigned = sorted((cluster, part) for part, size in sizes.items() for cluster in _take(ordered, size))
    fingerprint = digest("partition", 1, seed, *(piece for couple in assigned for piece in couple))
    return Partition(seed, tuple(wanted.items()), tuple(assigned), fingerprint)


def from_record(record: Mapping[str, Any]) -> Partition:
    """The partition of a stored record; raises ``Refused`` where the record was changed since."""
    clusters = tuple(sorted(record["clusters"].items()))
    seed = int(record["seed"])
    if digest("partition", 1, seed, *(piece for couple in clusters for piece in couple)) != record["fingerprint"]:
        raise Refused("The record of this partition was changed: its fingerprint does not fit its clusters.")
    return Partition(seed, tuple(record["shares"].items()), clusters, record["fingerprint"])


def refuse_tuned_on(part: str, *, reported: str) -> None:
    """Raises ``Refused`` where prompts tuned on one part would be reported on that same part."""
    if part == reported:
        raise Refused(f"Prompts were tuned on the part {part!r}: report them on another part.")


def _names(pairs: Iterable[PairRecord]) -> list[str]:
    return list(dict.fromkeys(cluster_of(pair) for pair in pairs))


def _take(names: Iterator[str], count: int) -> Iterator[str]:
    for _ in range(count):
        yield next(names)


def _sizes(total: int, shares: Mapping[str, float]) -> dict[str, int]:
    """Whole numbers that add up to ``total``, by largest remainder, none of them zero."""
    exact = {name: total * share for name, share in shares.items()}
    sizes = {name: int(value + 1e-9) for name, value in exact.items()}
    by_remainder = sorted(shares, key=lambda name: sizes[name] - exact[name])
    for name in by_remainder[: total - sum(sizes.values())]:
        sizes[name] += 1
    for name in sizes:
        if sizes[name] == 0:
            largest = max(sizes, key=lambda other: sizes[other])
            sizes[largest] -= 1
            sizes[name] = 1
    return sizes
