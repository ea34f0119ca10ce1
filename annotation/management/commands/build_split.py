"""manage.py build_split RECIPE --from FILE --n N --seed S --study SLUG --split NAME"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from annotation import formats
from annotation.construction.registry import RECIPES
from annotation.management.base import study_called, told_to_the_user
from annotation.management.commands.import_pairs import summary
from annotation.records import Excluded
from annotation.steps.build import Built, build_pairs, build_split, material_from
from annotation.steps.partition import DEVELOPMENT_SHARE


class Command(BaseCommand):
    help = "Build a split of pairs by a recipe, seeded: the same files, n and seed give the same bytes on any machine."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("recipe", help=", ".join(recipe.name for recipe in RECIPES))
        parser.add_argument(
            "--from", dest="sources", type=Path, action="append", default=[], metavar="FILE", help="may be given again"
        )
        parser.add_argument("--code-tasks", type=int, default=0, metavar="N", help="add N generated program tasks")
        parser.add_argument("--format", choices=sorted(formats.FORMATS), help="default: recognised from the files")
        parser.add_argument("--n", type=int, help="source items to build from; default: all")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--study", help="slug of the study to store in; made where it is new")
        parser.add_argument("--split", default="", help="name of the new split; default: the recipe's name")
        parser.add_argument(
            "--partition", action="store_true", help="store a development and a held-out part, by cluster"
        )
        parser.add_argument("--development", type=float, default=DEVELOPMENT_SHARE, help="share of the first part")
        parser.add_argument("--out", type=Path, help="write the pairs to this file too, in the public format")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["study"] and not options["out"]:
            raise CommandError("Say where the pairs go: --study SLUG, --out FILE, or both.", returncode=2)
        if options["n"] is not None and options["n"] < 1:
            raise CommandError("--n: at least 1 item is needed.", returncode=2)
        if not options["sources"] and options["code_tasks"] < 1:
            raise CommandError("Say what to build from: --from FILE, --code-tasks N, or both.", returncode=2)
        with told_to_the_user():
            self._build(options)

    def _build(self, options: dict[str, Any]) -> None:
        material = material_from(
            *options["sources"],
            file_format=options["format"],
            code_tasks=max(0, options["code_tasks"]),
            seed=options["seed"],
        )
        if options["out"]:
            built = build_pairs(options["recipe"], material, n=options["n"], seed=options["seed"])
            options["out"].write_text(built.content, encoding="utf-8", newline="\n")
            self._tell(options["out"], built)
        if options["study"]:
            # A refused build leaves no new study behind.
            with transaction.atomic():
                reports = build_split(
                    study=study_called(options["study"], create=True),
                    recipe=options["recipe"],
                    material=material,
                    n=options["n"],
                    seed=options["seed"],
                    split=options["split"],
                    development=options["development"] if options["partition"] else None,
                )
            for report in reports:
                self.stdout.write(f"{report.into}: {summary(report)}")
                if report.detail["surface"]:
                    self.stdout.write(f"  {report.detail['surface']['sentence']}")
            notices = reports[0].detail["notices"]
        else:
            notices = built.notices
        for notice in notices:
            self.stdout.write(f"  {notice}")

    def _tell(self, path: Path, built: Built) -> None:
        excluded = [one for one in built.noted if isinstance(one, Excluded)]
        self.stdout.write(f"{path.name}: {len(built.pairs)} pairs, {len(excluded)} items passed over")
        for one in excluded:
            self.stdout.write(f"  excluded {one.item_id}: {one.reason}")
