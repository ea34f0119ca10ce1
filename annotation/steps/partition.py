"""Development and held-out parts of a study, by cluster: what prompts were tuned on is never what is reported.

A part is a split of its own (``Split.part``). A cluster belongs to one part in the whole study, whichever recipe makes
pairs of it, so that a prompt tuned on one set's pairs never meets the same source item in another's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import QuerySet

from annotation.construction.partition import Partition, cluster_of, partition
from annotation.construction.seeding import digest
from annotation.enums import SplitPart
from annotation.errors import Refused
from annotation.models import Pair, Split, Study
from annotation.records import PairRecord

#: How much of a partitioned set goes to development where nothing else is said.
DEVELOPMENT_SHARE = 0.2


def study_partition(
    study: Study, pairs: Sequence[PairRecord], *, seed: int, development: float = DEVELOPMENT_SHARE
) -> Partition:
    """A part for every cluster of ``pairs``: the one it has in this study already, else one drawn by the seed.

    Raises Refused for a share outside 0..1, and for fewer new clusters than two where none is known.
    """
    if not 0 < development < 1:
        raise Refused("The share of the development part must lie between 0 and 1, such as 0.2.", code="bad_share")
    shares = {SplitPart.DEVELOPMENT.value: development, SplitPart.HELD_OUT.value: 1 - development}
    known = parts_of_clusters(study)
    needed = {cluster_of(pair) for pair in pairs}
    kept = {cluster: part for cluster, part in known.items() if cluster in needed}
    fresh = [pair for pair in pairs if cluster_of(pair) not in kept]
    drawn: dict[str, str] = {}
    if kept and len({cluster_of(pair) for pair in fresh}) < len(shares):
        # Too few to be shared out: a cluster nobody tuned on is held out.
        drawn = {cluster_of(pair): SplitPart.HELD_OUT.value for pair in fresh}
    elif fresh:
        drawn = dict(partition(fresh, seed=seed, shares=shares).clusters)
    clusters = tuple(sorted((kept | drawn).items()))
    fingerprint = digest("partition", 1, seed, *(piece for couple in clusters for piece in couple))
    return Partition(seed, tuple(shares.items()), clusters, fingerprint)


def parts_of_clusters(study: Study) -> dict[str, str]:
    """{cluster: part} of every cluster that is in a part of this study."""
    parted = Pair.objects.filter(study=study).exclude(split__part="")
    return dict(parted.order_by("cluster").values_list("cluster", "split__part").distinct())


def reportable_pairs(study: Study) -> QuerySet[Pair]:
    """The pairs results may be reported on: those whose cluster is in no development part, whatever their split."""
    tuned_on = Pair.objects.filter(study=study, split__part=SplitPart.DEVELOPMENT)
    return Pair.objects.filter(study=study).exclude(cluster__in=tuned_on.values("cluster"))


def refuse_tuned_on(splits: Iterable[Split]) -> None:
    """Raises Refused where one of the splits is a development part, or shares a cluster with one of its study's."""
    for split in splits:
        reportable = reportable_pairs(split.study).filter(split=split)
        n_tuned_on = Pair.objects.filter(split=split).count() - reportable.count()
        if n_tuned_on:
            raise Refused(
                f"{n_tuned_on} pairs of the split {split} come from clusters of a development part: prompts may have "
                "been tuned on them. Report the held-out part.",
                code="tuned_on",
            )
