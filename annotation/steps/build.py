"""Building a split by a recipe: from source files to checked pairs, stored through the same writer as imports."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation import formats
from annotation.construction.code_tasks import generate_code_items
from annotation.construction.items import Item
from annotation.construction.partition import cluster_of
from annotation.construction.recipe import Recipe
from annotation.construction.registry import recipe_named
from annotation.construction.sources import notices_for
from annotation.construction.surface import surface_check, tampered_role
from annotation.enums import SplitPart
from annotation.errors import Refused
from annotation.formats.pair_lines import as_line
from annotation.models import ImportReport, Study, User
from annotation.records import Excluded, Oddity, PairRecord
from annotation.steps import audit
from annotation.steps.import_notes import pairs_alone
from annotation.steps.ingest import file_digest, storage_that_may_fail
from annotation.steps.pair_writer import PairWriter, in_batches
from annotation.steps.partition import study_partition

#: How many pairs a page previews.
PREVIEWED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What a recipe is given: items, what their files left out, and {file, format, sha256} of each file."""

    items: tuple[Item, ...]
    noted: tuple[Excluded | Oddity, ...]
    sources: tuple[Mapping[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """Checked pairs of one recipe, in the order built, and everything passed over on the way."""

    recipe: Recipe
    seed: int
    n: int | None
    pairs: tuple[PairRecord, ...]
    noted: tuple[Excluded | Oddity, ...]
    sources: tuple[Mapping[str, str], ...]

    @property
    def content(self) -> str:
        """The pairs as lines of the public format: the same for the same sources, n and seed, on any machine."""
        return "".join(as_line(pair) for pair in self.pairs)

    @property
    def notices(self) -> list[str]:
        """What an export of the pairs must carry, one a data set and licence."""
        return notices_for(self.pairs)

    def detail(self) -> dict[str, Any]:
        """How the pairs came about, with the licence notices an export must carry."""
        return {
            "recipe": self.recipe.name, "recipe_version": self.recipe.version, "seed": self.seed, "n": self.n,
            "sources": [dict(source) for source in self.sources], "notices": self.notices,
            "surface": _surface(self.pairs, self.seed),
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The first pairs a build would give, the items passed over before them, and the notices they carry."""

    recipe: Recipe
    pairs: tuple[PairRecord, ...]
    excluded: tuple[Excluded, ...]
    n_items: int
    notices: tuple[str, ...]


def material_from(*paths: Path, file_format: str | None = None, code_tasks: int = 0, seed: int = 0) -> Material:
    """The items of the files, and ``code_tasks`` generated ones. Raises InputFileError for what cannot be read."""
    items: list[Item] = []
    noted: list[Excluded | Oddity] = []
    sources: list[Mapping[str, str]] = []
    for path in paths:
        name = file_format or formats.detect(path)
        for record in formats.read_items(path, format=name):
            (noted if isinstance(record, Excluded | Oddity) else items).append(record)  # type: ignore[arg-type]
        sources.append({"file": path.name, "format": name, "sha256": file_digest(path)})
    if code_tasks:
        items += generate_code_items(code_tasks, seed=seed)
        sources.append({"file": f"{code_tasks} generated program-output tasks", "format": "generated", "sha256": ""})
    return Material(items=tuple(items), noted=tuple(noted), sources=tuple(sources))


def build_pairs(recipe: str, material: Material, *, n: int | None, seed: int) -> Built:
    """Pairs of the first ``n`` fit items in seeded order, every promise of the recipe checked on every one.

    Raises Refused for an unknown recipe, for items it cannot be built from, and where not one pair came of them.
    """
    chosen = recipe_named(recipe)
    _refuse_unfit(chosen, material)
    pairs: list[PairRecord] = []
    noted = list(material.noted)
    for record in chosen.build(material.items, n=n, seed=seed):
        if isinstance(record, PairRecord):
            pairs.append(record)
        else:
            noted.append(record)
    if not pairs:
        why = next((one.reason for one in noted if isinstance(one, Excluded)), "no reason was given")
        raise Refused(f"Not one pair came of {len(material.items)} items, for example because {why}.", code="no_pairs")
    got = len({cluster_of(pair) for pair in pairs})
    if n is not None and got < n:
        noted.append(Oddity("fewer_than_asked", f"{n} items were asked for, {got} gave pairs."))
    return Built(recipe=chosen, seed=seed, n=n, pairs=tuple(pairs), noted=tuple(noted), sources=material.sources)


def preview(recipe: str, material: Material, *, seed: int, first: int = PREVIEWED) -> Preview:
    """The ``first`` pairs ``build_pairs`` would give for this seed, without building the rest. Raises Refused."""
    chosen = recipe_named(recipe)
    _refuse_unfit(chosen, material)
    excluded: list[Excluded] = []

    def pairs() -> Iterator[PairRecord]:
        for record in chosen.build(material.items, n=None, seed=seed):
            if isinstance(record, PairRecord):
                yield record
            else:
                excluded.append(record)

    shown = tuple(islice(pairs(), first))
    return Preview(
        recipe=chosen,
        pairs=shown,
        excluded=tuple(excluded),
        n_items=sum(isinstance(item, chosen.accepts) for item in material.items),
        notices=tuple(notices_for(shown)),
    )


def build_split(
    *,
    study: Study,
    recipe: str,
    material: Material,
    n: int | None,
    seed: int,
    split: str = "",
    development: float | None = None,
    actor: User | None = None,
) -> list[ImportReport]:
    """Build and store a split (by default named as the recipe), or with ``development`` its two parts by cluster.

    Returns a report for each split; building the same again stores nothing and returns the first reports. Raises
    Refused and InputFileError; then nothing is stored.
    """
    built = build_pairs(recipe, material, n=n, seed=seed)
    name = split or built.recipe.name
    with storage_that_may_fail(Path(_file_name(built))), transaction.atomic():
        if development is None:
            return [_stored(study, built, name, actor=actor)]
        # The study's row is locked before its known parts are read, so that two builds cannot part a cluster.
        Study.objects.select_for_update().get(pk=study.pk)
        parts = study_partition(study, built.pairs, seed=seed, development=development)
        reports = []
        for part, pairs in parts.split(built.pairs).items():
            if pairs:
                named = f"{name}-{part.replace('_', '-')}"
                one = replace(built, pairs=tuple(pairs))
                reports.append(_stored(study, one, named, actor=actor, part=part, partition=parts.record()))
        return reports


def _stored(
    study: Study,
    built: Built,
    name: str,
    *,
    actor: User | None,
    part: str = "",
    partition: Mapping[str, Any] | None = None,
) -> ImportReport:
    digest = hashlib.sha256(built.content.encode("utf-8")).hexdigest()
    known = ImportReport.objects.filter(study=study, kind="built", into=name, sha256=digest).first()
    if known is not None:
        return known
    detail = built.detail() | ({"part": part, "partition": dict(partition)} if partition else {})
    report = ImportReport(
        study=study,
        kind="built",
        into=name,
        file_name=_file_name(built),
        file_format=f"recipe {built.recipe.name}",
        sha256=digest,
        detail=detail,
    )
    writer = PairWriter(study=study, default_split=name, file_name=_file_name(built), part=part)
    # The second part of a partition does not tell again what was passed over.
    told = () if part == SplitPart.HELD_OUT else built.noted
    for batch in in_batches(pairs_alone(iter((*told, *built.pairs)), report)):
        writer.write(batch)
    writer.finish()
    report.rows_kept = writer.written + writer.already_there
    report.save()
    audit.record(
        study=study, actor=actor, action="split.built", subject=name, recipe=built.recipe.name, seed=built.seed,
        pairs=report.rows_kept, excluded=report.n_excluded,
    )  # fmt: skip
    return report


def _refuse_unfit(recipe: Recipe, material: Material) -> None:
    if not any(isinstance(item, recipe.accepts) for item in material.items):
        held = ", ".join(sorted({type(item).__name__ for item in material.items})) or "no item"
        raise Refused(
            f"The recipe {recipe.name} is built from {recipe.source}; what was given holds {held}.", code="wrong_items"
        )


def _file_name(built: Built) -> str:
    return " + ".join(source["file"] for source in built.sources)[:255]


def _surface(pairs: Sequence[PairRecord], seed: int) -> dict[str, Any] | None:
    """How well surface features alone tell the tampered side; None where no side was tampered with."""
    if not any(tampered_role(pair) for pair in pairs):
        return None
    found = surface_check(pairs, seed=seed)
    return {
        "sentence": found.sentence(), "accuracy": found.accuracy.as_json(), "auc": found.auc.as_json(),
        "chance_high": found.chance_high, "p": found.p, "alone": dict(found.alone), "n_pairs": found.n_pairs,
    }  # fmt: skip
