"""manage.py frontier: pairs, verdicts and labels files in; the frontier report out."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.frames.from_files import read_frames
from analysis.frontier.charts import as_png, as_svg, frontier_points, frontier_spec
from analysis.frontier.options import BREAKDOWNS, ReportOptions
from analysis.frontier.report import as_text, frontier_report
from analysis.frontier.tables import rows_csv
from analysis.output_folder import write_files
from annotation import schemes
from annotation.errors import TiebreakError


class Command(BaseCommand):
    help = "The whole frontier report from files alone: what each protocol suppresses, resolves and costs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--pairs", required=True, help="pairs file (JSONL, CSV, XLSX)")
        parser.add_argument("--verdicts", required=True, help="verdicts file (JSONL, CSV)")
        parser.add_argument("--labels", help="labels file, for the validated basis, ties and agreement")
        parser.add_argument("--question", help="which of the labels' questions settles the target")
        parser.add_argument("--scheme", choices=schemes.available(), help="label scheme of the labels' categories")
        parser.add_argument("--validated", help="a frozen split as export_study writes it; the last word on targets")
        parser.add_argument(
            "--by",
            default=",".join(ReportOptions().breakdowns),
            help=f"break rows down by any of {','.join(BREAKDOWNS)}",
        )
        parser.add_argument("--notice", default="", help="words to repeat in the report, such as: sample data")
        parser.add_argument("--out", help="folder for frontier.json, rows.csv, frontier.svg and frontier.png")
        parser.add_argument("--json", action="store_true", help="print the report as JSON")
        parser.add_argument("--interval", choices=("cluster", "wilson_rows"), default="cluster")
        parser.add_argument("--seed", type=int, default=ReportOptions().seed)
        parser.add_argument("--resamples", type=int, default=ReportOptions().resamples)
        parser.add_argument("--margin", type=float, help="margin for equivalence and non-inferiority, such as 0.05")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            frames = read_frames(
                pairs=options["pairs"], verdicts=options["verdicts"], labels=options["labels"],
                question=options["question"], validated=options["validated"],
                scheme=options["scheme"],
            )  # fmt: skip
            report = frontier_report(
                pairs=frames.pairs,
                verdicts=frames.verdicts,
                labels=frames.labels,
                validated=frames.validated,
                options=_chosen(options),
            )
            if options["out"]:
                write_folder(Path(options["out"]), report)
        except TiebreakError as error:
            raise CommandError(error.message, returncode=2) from error
        for note in frames.notes:
            self.stderr.write(note)
        if options["json"]:
            self.stdout.write(as_text(report), ending="")
        else:
            self.stdout.write(plain_table(report))


def _chosen(options: dict[str, Any]) -> ReportOptions:
    if options["resamples"] < 1:
        raise CommandError("--resamples: at least 1 is needed.", returncode=2)
    if options["seed"] < 0:
        raise CommandError("--seed: zero or more.", returncode=2)
    if options["margin"] is not None and not 0 < options["margin"] < 1:
        raise CommandError("--margin: a difference of rates between 0 and 1, such as 0.05.", returncode=2)
    by = tuple(name for name in options["by"].split(",") if name)
    if unknown := [name for name in by if name not in BREAKDOWNS]:
        raise CommandError(f"--by: {unknown[0]!r} is none of {', '.join(BREAKDOWNS)}.", returncode=2)
    return ReportOptions(
        breakdowns=by, notice=options["notice"],
        seed=options["seed"], resamples=options["resamples"], interval=options["interval"], margin=options["margin"],
        verdicts_file=Path(options["verdicts"]).name,
    )  # fmt: skip


def write_folder(folder: Path, report: dict[str, Any]) -> None:
    """frontier.json, rows.csv and, where a verdict was decided, the figure as SVG and PNG."""
    contents: dict[str, str | bytes] = {"frontier.json": as_text(report), "rows.csv": rows_csv(report["rows"])}
    if frontier_points(report["rows"]):
        spec = frontier_spec(report)
        contents |= {"frontier.svg": as_svg(spec), "frontier.png": as_png(spec)}
    write_files(folder, contents, absent=() if len(contents) == 4 else ("frontier.svg", "frontier.png"))


def plain_table(report: dict[str, Any]) -> str:
    """One line per condition, split and tier: rows, coverage, tie, target win and signed effect with intervals."""
    lines = [("judge", "protocol", "level", "tier", "basis", "n", "decided", "tie", "target win", "signed effect")]
    for row in report["rows"]:
        if row["order"] is None and row["broken_down_by"] is None:
            decided = row["coverage"]["decided"]
            lines.append(
                (
                    row["judge"], row["protocol"], row["level"] or "", row["tier"] or "", row["basis"], str(row["n"]),
                    "" if decided is None else f"{decided:.1%}", _percent(row["rates"]["tie"]),
                    _percent(row["target_win"]), _percent(row["signed_effect"]),
                )
            )  # fmt: skip
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    unit = f"Intervals: {report['options']['level']:.0%}, resampling each {report['unit']}; n counts rows."
    return "\n".join([*table, "", unit])


def _percent(estimate: dict[str, Any]) -> str:
    if estimate["value"] is None:
        return "-"
    if estimate["low"] is None:
        return f"{estimate['value']:.1%}"
    return f"{estimate['value']:.1%} [{estimate['low']:.1%}, {estimate['high']:.1%}]"
