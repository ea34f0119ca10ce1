"""A study's front page: how far it is on the way from pairs to a report, and the one next thing to do."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from annotation.enums import RoundState
from annotation.models import Pair, Round, Study, ValidatedSplit
from annotation.pages import page
from annotation.permissions import BEHIND, Seat, study_page
from annotation.queries import rounds_of
from judging.models import Judge, Run, Verdict

EXAMPLES = settings.BASE_DIR / "static" / "examples"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the way. ``example`` names a file of ten lines that shows what the step takes."""

    words: str
    what: str
    done: str
    address: str
    action: str
    example: str = ""

    @property
    def example_text(self) -> str:
        return (EXAMPLES / self.example).read_text(encoding="utf-8") if self.example else ""


@require_safe
@study_page(*BEHIND)
def study(request: HttpRequest, seat: Seat) -> HttpResponse:
    steps = way_of(seat.study)
    following = next((step for step in steps if not step.done), None)
    return page(
        request,
        "analysis/study.html",
        seat=seat,
        tab="study",
        steps=steps,
        following=following,
        rounds=rounds_of(seat.study)[:5],
    )


def way_of(study: Study) -> list[Step]:
    """The steps with what is done of each, in words; an empty word means not begun. Seven queries."""
    n_pairs = Pair.objects.filter(study=study).count()
    rounds = list(Round.objects.filter(study=study).values_list("state", flat=True))
    n_frozen = ValidatedSplit.objects.filter(study=study).count()
    n_judges = Judge.objects.filter(study=study).count()
    runs = Run.objects.filter(study=study).count()
    n_verdicts = Verdict.objects.filter(pair__study=study).count()
    opened = sum(state != RoundState.DRAFT for state in rounds)
    return [
        Step(
            "Bring pairs",
            "A file of tasks with two candidates each: JSONL, CSV or XLSX in the pairs format, or a known test set.",
            f"{n_pairs:,} pairs" if n_pairs else "",
            "splits",
            "Bring pairs",
            "pairs.jsonl",
        ),
        Step(
            "Let people label them blind",
            "Invite annotators, make a round with a label scheme and a guideline, and open it. Labels that exist "
            "already come in the labels format.",
            f"{opened} round{'' if opened == 1 else 's'} opened" if opened else "",
            "rounds",
            "Go to the rounds",
            "labels.csv",
        ),
        Step(
            "Settle and freeze",
            "Close the round, settle what annotators differ on, and freeze it into a validated split.",
            f"{n_frozen} validated split{'' if n_frozen == 1 else 's'}" if n_frozen else "",
            "validated_splits",
            "See validated splits",
        ),
        Step(
            "Let judges answer",
            "A judge is a model behind an address, or a built-in baseline. A run asks it the pairs under protocols you "
            "choose. Verdicts that exist already come in the verdicts format.",
            f"{n_judges} judge{'' if n_judges == 1 else 's'}, {runs} run{'' if runs == 1 else 's'}" if runs else "",
            "runs",
            "Go to judges and runs",
            "verdicts.jsonl",
        ),
        Step(
            "Read the report",
            "What each protocol suppresses, what it destroys and what it costs, with intervals.",
            f"{n_verdicts:,} verdicts" if n_verdicts else "",
            "report",
            "Open the report",
        ),
    ]
