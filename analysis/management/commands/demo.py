"""manage.py demo: the whole job on the sample study, from pairs to frontier, then the site."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from analysis.frontier.of_study import report_of
from analysis.management.commands.frontier import write_folder
from analysis.stats.estimate import Estimate
from annotation.enums import RoundState
from annotation.management.base import told_to_the_user
from annotation.models import Round, Study
from annotation.steps.agree import agreement_of
from annotation.steps.sample import Sample, load_sample
from judging.enums import RunState
from judging.models import Run
from judging.runner import run_to_end
from judging.steps.judges import declare_judge
from judging.steps.plan import plan_run

RUN_NAME = "demo"
#: One simulated judge and four null judges; none of them is a language model, and every figure says so.
JUDGES = ("simulator", "baseline:longer", "baseline:more_citations", "baseline:overlap", "baseline:always_tie")
PROTOCOLS = ("ladder:L0-L4", "trace-v2")
COEFFICIENTS = ("raw", "pabak", "brennan_prediger", "ac1", "cohen_kappa", "alpha_nominal")
SHOWN = (("annotator", "annotator-1"), ("coordinator", "coordinator"), ("researcher", "researcher"))


class Command(BaseCommand):
    help = "Load the sample study, settle and freeze it, run sample judges, print the tables, then serve the site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--serve", choices=["0", "1"], default="1", help="0: end instead of serving")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0)
        with told_to_the_user():
            sample = load_sample()
            self.say(f"\n{sample.study.name}\n{sample.study.notice}\n")
            self.say(agreement_table(sample.study))
            self.say(validated_line(sample))
            run_judges(sample)
            report = report_of(sample.study)
        folder = settings.VAR_DIR / "demo"
        write_folder(folder, report)
        self.say(frontier_table(report))
        self.say(f"Report, rows and figure: {folder}/frontier.json, rows.csv, frontier.svg, frontier.png\n")
        for role, username in SHOWN:
            self.say(f"  sign in as {role:<12} {username:<12} password {sample.sign_ins[username]}")
        self.say("")
        if options["serve"] == "1":
            call_command("serve", port=options["port"])

    def say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def run_judges(sample: Sample) -> Run:
    """Plan the demo's run once and bring it to its end; a run that was interrupted goes on."""
    run = Run.objects.filter(study=sample.study, name=RUN_NAME).first()
    if run is None:
        judges = [declare_judge(study=sample.study, spec=spec) for spec in JUDGES]
        run = plan_run(study=sample.study, split=sample.split, judges=judges, protocols=PROTOCOLS, name=RUN_NAME)
    if run.state != RunState.DONE:
        run_to_end(run)
    return run


def agreement_table(study: Study) -> str:
    """One line a closed round: the primary question's coefficients with their intervals."""
    lines = [["round", "n", *COEFFICIENTS]]
    for round_ in Round.objects.filter(study=study, state=RoundState.CLOSED):
        found = agreement_of(round_)
        lines.append([round_.name, str(found["raw"].n), *(_estimate(found[name]) for name in COEFFICIENTS)])
    return "Agreement of the two sample annotators (95 % intervals)\n" + aligned(lines) + "\n"


def validated_line(sample: Sample) -> str:
    statuses = list(sample.validated.pairs.values_list("status", flat=True))
    counts = ", ".join(f"{statuses.count(status)} {status}" for status in sorted(set(statuses)))
    return f"Validated split {sample.validated}: {counts}; sha256 {sample.validated.sha256[:16]}...\n"


def frontier_table(report: dict[str, Any]) -> str:
    """The simulated judge over levels, by tier, against the people's targets where they exist."""
    bases = {(row["tier"], row["basis"]) for row in report["rows"]}
    lines = [["judge", "protocol", "level", "tier", "basis", "rows", "plain wins", "cited wins", "tie"]]
    for row in report["rows"]:
        basis = "validated" if (row["tier"], "validated") in bases else "constructed"
        whole = row["order"] is None and row["broken_down_by"] is None and row["tier"] is not None
        if whole and row["basis"] == basis and row["judge"] == "simulator":
            rates = [_percent(row["rates"].get(name)) for name in ("plain", "cited", "tie")]
            lines.append([row["judge"], row["protocol"], row["level"] or "", row["tier"], basis, str(row["n"]), *rates])
    return (
        "Frontier of the simulated judge (rates over decided rows; 95 % intervals resample pairs)\n"
        + aligned(lines)
        + "\nSimulated: the numbers come from a table in the program, not from a language model.\n"
    )


def aligned(lines: list[list[str]]) -> str:
    """Columns of equal width."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def _estimate(estimate: Estimate) -> str:
    if estimate.value is None:
        return "undefined"
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


def _percent(estimate: dict[str, Any] | None) -> str:
    if estimate is None or estimate["value"] is None:
        return "-"
    return f"{estimate['value']:.1%} [{estimate['low']:.1%}, {estimate['high']:.1%}]"
