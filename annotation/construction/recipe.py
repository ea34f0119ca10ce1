"""What a recipe is: a named, versioned, seeded way from items to pairs, with a check of everything it promises."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.construction.items import CodeItem, FinqaItem, HotpotItem, Item
from annotation.construction.seeding import in_seeded_order
from annotation.construction.sources import origin_of
from annotation.enums import Tier
from annotation.records import Excluded, PairRecord

#: The roles of every citation split: the first shows no citation-like display.
PLAIN, CITED = "plain", "cited"


class Unfit(Exception):
    """No pair can be made of this item by this recipe; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """One way of building pairs.

    ``roles`` are the split's, in order. ``make(item, seed)`` returns the item's pairs (all of one cluster) or raises
    ``Unfit``; ``check(pair, item)`` names every promise a pair breaks and is run on every pair built.
    ``source`` says in words what ``accepts`` wants.
    """

    name: str
    version: int
    roles: tuple[str, ...]
    tier: Tier
    accepts: tuple[type, ...]
    source: str
    about: str
    make: Callable[[Any, int], Sequence[PairRecord]]
    check: Callable[[PairRecord, Any], list[str]]

    def build(self, items: Iterable[Any], *, n: int | None, seed: int) -> Iterator[PairRecord | Excluded]:
        """Pairs of the first ``n`` fit items in seeded order (``None``: of all), and by name the items passed over.

        ``n`` counts source items, so that a recipe with several pairs an item never splits a cluster. The outcome
        depends on the items, ``n`` and ``seed`` alone, not on the order the items come in.
        """
        usable: list[Any] = [item for item in items if isinstance(item, self.accepts)]
        done: set[str] = set()
        built = 0
        for item in in_seeded_order(usable, seed=seed, key=lambda one: one.item_id):
            if n is not None and built >= n:
                return
            if item.item_id in done:
                yield Excluded(item.item_id, "an earlier item has the same id")
                continue
            done.add(item.item_id)
            try:
                pairs = self.make(item, seed)
                self._refuse_broken(pairs, item)
            except Unfit as unfit:
                yield Excluded(item.item_id, str(unfit))
                continue
            built += 1
            yield from pairs

    def _refuse_broken(self, pairs: Sequence[PairRecord], item: Item) -> None:
        for pair in pairs:
            broken = self.check(pair, item)
            if broken:
                raise Unfit("the pair breaks a promise of its recipe: " + "; ".join(broken))


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """The name and version a recipe's module stamps on its pairs."""

    name: str
    version: int

    def pair(
        self,
        item: Item,
        *,
        seed: int,
        task: str,
        candidates: tuple[str | None, str | None],
        tier: Tier,
        target: str | None,
        roles: tuple[str, str] = (PLAIN, CITED),
        part: str = "",
        artifact_kind: str = "",
        artifact_role: str = "",
        context: str | None = None,
        meta: dict[str, Any] | None = None,
    ) -> PairRecord:
        """A pair of the item, its id made of recipe, item and ``part``; source and licence ride along."""
        dataset, licence = origin_of(item)
        return PairRecord(
            pair_id=":".join(piece for piece in (self.name, item.item_id, part) if piece),
            task=task,
            context=context,
            roles=roles,
            candidates=candidates,
            split=self.name,
            tier=tier.value,
            target=target,
            cluster=item.item_id,
            artifact_kind=artifact_kind,
            artifact_role=artifact_role,
            domain=domain_of(item),
            source_dataset=dataset,
            source_id=item.item_id,
            source_licence=licence,
            meta={"recipe": self.name, "recipe_version": self.version, "seed": seed, **(meta or {})},
        )


def domain_of(item: Item) -> str:
    """TRACE's three domains (A.4); documents and systems' outputs have none of their own."""
    match item:
        case HotpotItem():
            return "multi-hop QA"
        case FinqaItem():
            return "financial"
        case CodeItem():
            return "code"
        case _:
            return ""


def sides(pair: PairRecord) -> tuple[str, str]:
    """Both candidate texts; raises ``ValueError`` where one is null."""
    first, second = pair.candidates
    if first is None or second is None:
        raise ValueError(f"{pair.pair_id} has a candidate without text")
    return first, second
