"""manage.py run_judges --study S --split N --judge J --protocol P --name NAME"""

from __future__ import annotations

import time
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import Count

from annotation.errors import Refused
from annotation.management.base import study_called, told_to_the_user
from annotation.models import Split, Study, ValidatedSplit
from judging.enums import ComparisonState
from judging.models import Attempt, Comparison, Run
from judging.queries import progress_of
from judging.runner import RunReport, Tally, run_to_end
from judging.steps.judges import declare_judge
from judging.steps.plan import ORDERS, Budget, plan_run
from judging.steps.ways import parse_ways


class Command(BaseCommand):
    help = "Plan a run and ask its judges, in this process; with the name of a planned run, go on with that one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--study", required=True, help="slug of the study")
        parser.add_argument("--name", required=True, help="name of the run; a known one is resumed")
        parser.add_argument("--split", help="split whose pairs are judged")
        parser.add_argument("--validated-split", help="validated split, as NAME or NAME:VERSION (default: the newest)")
        parser.add_argument(
            "--judge", action="append", default=[], help="baseline:RULE, simulator, openai:MODEL[@ADDRESS][;setting=..]"
        )
        parser.add_argument(
            "--protocol", action="append", default=[], help="NAME[:LEVELS[:PARAPHRASES]][;probe=..][;attack=..]"
        )
        parser.add_argument("--orders", choices=sorted(ORDERS), default="both")
        parser.add_argument("--repeats", type=int, default=1)
        parser.add_argument("--budget-calls", type=int)
        parser.add_argument("--budget-tokens", type=int)
        parser.add_argument("--budget-usd")
        parser.add_argument("--concurrency", type=int, help="requests in flight at once")
        parser.add_argument("--plan-only", action="store_true", help="store the plan and its estimate, send nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        with told_to_the_user():
            study = study_called(options["study"])
            run = Run.objects.filter(study=study, name=options["name"]).first()
            if run is None:
                run = planned(study, options)
            else:
                check_same_plan(run, options)
            self.stdout.write(plan_lines(run))
            if options["plan_only"]:
                return
            line = ProgressLine(run, self)
            report = run_to_end(run, on_progress=line.show, stop_on_signals=True)
            line.end()
        self.stdout.write(summary(run, report))
        if progress_of(run).failed:
            raise CommandError("Not every comparison was answered:\n" + causes(run), returncode=1)


def check_same_plan(run: Run, options: dict[str, Any]) -> None:
    """Refused where the options ask for something that the run of this name was not planned with."""
    with transaction.atomic():
        judges = {declare_judge(study=run.study, spec=spec).name for spec in options["judge"]}
        ways = [asdict(way) for text in options["protocol"] for way in parse_ways(text)]
        if (judges and judges != set(run.plan["judges"])) or any(way not in run.plan["ways"] for way in ways):
            raise Refused(
                f"A run called {run.name} was planned with other judges or protocols. Leave them out to go on with it, "
                "or give the new run a name of its own."
            )


def causes(run: Run) -> str:
    """What failed comparisons failed of, with one example each."""
    failed = Comparison.objects.filter(wanted_by__run=run, state=ComparisonState.FAILED)
    lines = []
    for code, count in failed.values_list("error_code").annotate(n=Count("pk")).order_by("-n"):
        example = (
            Attempt.objects.filter(call__uses__comparison__in=failed.filter(error_code=code)[:1], error_code=code)
            .values_list("error_detail", flat=True)
            .last()
        )
        lines.append(f"  {count} times {code}" + (f", such as: {example[:200]}" if example else ""))
    return "\n".join(lines)


def planned(study: Study, options: dict[str, Any]) -> Run:
    """The new run that the options describe. Raises Refused."""
    split = Split.objects.filter(study=study, name=options["split"]).first() if options["split"] else None
    if options["split"] and split is None:
        known = ", ".join(Split.objects.filter(study=study).values_list("name", flat=True)) or "none"
        raise Refused(f"The study has no split {options['split']!r}. Its splits: {known}.")
    judges = [declare_judge(study=study, spec=spec) for spec in dict.fromkeys(options["judge"])]
    return plan_run(
        study=study,
        judges=list({judge.pk: judge for judge in judges}.values()),
        protocols=options["protocol"],
        name=options["name"],
        split=split,
        validated=_validated(study, options["validated_split"]),
        orders=options["orders"],
        repeats=options["repeats"],
        budget=Budget(calls=options["budget_calls"], tokens=options["budget_tokens"], usd=options["budget_usd"]),
        concurrency=options["concurrency"],
    )


def _validated(study: Study, wanted: str | None) -> ValidatedSplit | None:
    if not wanted:
        return None
    name, _, version = wanted.partition(":")
    found = ValidatedSplit.objects.filter(study=study, name=name)
    if version:
        found = found.filter(version=int(version)) if version.isdigit() else found.none()
    newest = found.order_by("-version").first()
    if newest is None:
        known = ", ".join(map(str, ValidatedSplit.objects.filter(study=study))) or "none"
        raise Refused(f"The study has no validated split {wanted!r}. It has: {known}.")
    return newest


def plan_lines(run: Run) -> str:
    """What a plan holds and may cost, for a terminal."""
    plan = run.plan
    estimate = plan["estimate"]
    lines = [
        f"{run.name}: {plan['comparisons']} comparisons over {plan['pairs']} pairs, "
        f"{plan['already_answered']} answered before"
    ]
    if plan["pairs_without_two_texts"]:
        lines.append(f"  left out: {plan['pairs_without_two_texts']} pairs without two texts")
    if plan["pairs_no_attack_fits"]:
        lines.append(f"  left out: {plan['pairs_no_attack_fits']} times a pair that an attack or probe does not fit")
    for name in ("calls", "tokens"):
        each = estimate[name]
        lines.append(f"  {name}: {each['min']:,} at the least, {each['likely']:,} likely, {each['max']:,} at the most")
    if estimate["usd"] is None:
        lines.append(f"  USD: unknown; no price for {', '.join(estimate['unpriced'])}")
    else:
        each = estimate["usd"]
        lines.append(f"  USD: {each['min']:.2f} at the least, {each['likely']:.2f} likely, {each['max']:.2f} at most")
    return "\n".join(lines)


def summary(run: Run, report: RunReport) -> str:
    """What a run came to, for a terminal."""
    progress = progress_of(run)
    outcomes = ", ".join(f"{count} {name}" for name, count in sorted(progress.outcomes.items()))
    lines = [f"{run.name}: {report.state}. {progress.done} of {progress.total} comparisons done; {outcomes or 'none'}."]
    if progress.failed:
        lines.append(f"  {progress.failed} failed; the same command asks them again.")
    if report.reason:
        lines.append(f"  {report.reason}")
    lines.append(
        f"  spent in all: {progress.calls:,} calls, {progress.tokens:,} tokens, {progress.usd:.4f} USD; "
        f"now: {report.tally.sent:,} requests sent, {report.tally.reused:,} stored replies used"
    )
    return "\n".join(lines)


class ProgressLine:
    """One line that is written over; on anything but a terminal a line every ten seconds."""

    def __init__(self, run: Run, command: BaseCommand) -> None:
        self.command = command
        before = progress_of(run)
        self.settled_before = before.done + before.failed
        self.total = before.total
        self.started = time.monotonic()
        self.shown = self.started
        self.on_terminal = bool(getattr(command.stderr, "isatty", lambda: False)())

    def show(self, tally: Tally) -> None:
        now = time.monotonic()
        if now - self.shown < (0.5 if self.on_terminal else 10.0):
            return
        self.shown = now
        done = tally.done + tally.failed
        rate = done / (now - self.started)
        left = self.total - self.settled_before - done
        text = (
            f"{self.settled_before + done}/{self.total} comparisons, {rate:.1f}/s, "
            f"{tally.spent.usd_nano / 1e9:.4f} USD, {_clock(left / rate) if rate else '?'} left"
        )
        self.command.stderr.write(
            f"\r{text:<78}" if self.on_terminal else text, ending="" if self.on_terminal else "\n"
        )
        self.command.stderr.flush()

    def end(self) -> None:
        if self.on_terminal:
            self.command.stderr.write("\r" + " " * 78 + "\r", ending="")


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"
