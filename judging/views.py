"""Judges and runs: planning, following, pausing, and reading what single comparisons were asked and answered."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.errors import InputFileError, TiebreakError
from annotation.pages import Crumb, done, page, refused
from annotation.permissions import BEHIND, RESEARCHERS, Seat, study_page
from annotation.uploads import on_disk
from judging import tasks
from judging.enums import Outcome, RunState
from judging.forms import ImportVerdictsForm, RulingForm, RunForm
from judging.models import Attempt, CallUse, Comparison, Judge, Run, Verdict
from judging.queries import progress_of
from judging.run_figures import causes_of, comparisons_of, pace_of, runs_of
from judging.steps.import_verdicts import import_verdicts
from judging.steps.judges import declare_judge
from judging.steps.plan import plan_run
from judging.steps.rule import rule_verdict
from judging.steps.run import cancel_run, pause_run

PER_PAGE = 50
#: States from which a person may send a run on its way.
STARTABLE = (RunState.PLANNED, RunState.PAUSED, RunState.STOPPED, RunState.FAILED)
MOVING = (RunState.QUEUED, RunState.RUNNING)


@require_safe
@study_page(*BEHIND)
def runs(request: HttpRequest, seat: Seat) -> HttpResponse:
    return page(
        request,
        "judging/runs.html",
        seat=seat,
        tab="runs",
        runs=runs_of(seat.study),
        judges=Judge.objects.filter(study=seat.study),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@study_page(*RESEARCHERS)
def new_run(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Plan a run: nothing is sent, and the estimate is shown on the run's page before it is started."""
    form = RunForm(request.POST if request.method == "POST" else None, study=seat.study)
    if form.is_valid():
        try:
            return redirect("run", slug=seat.study.slug, run=_planned(seat, form).public_id)
        except TiebreakError as error:
            form.add_error(None, error.message)
    crumbs = [_runs_crumb(seat), Crumb("New run")]
    status = 422 if form.is_bound else 200
    return page(request, "judging/new_run.html", seat=seat, tab="runs", crumbs=crumbs, form=form, status=status)


@require_safe
@study_page(*BEHIND)
def run_page(request: HttpRequest, seat: Seat, run: str) -> HttpResponse:
    here = _run(seat, run)
    return page(
        request,
        "judging/run.html",
        seat=seat,
        tab="runs",
        crumbs=[_runs_crumb(seat), Crumb(here.name)],
        run=here,
        **_progress(here),
    )


@require_safe
@study_page(*BEHIND)
def run_progress(request: HttpRequest, seat: Seat, run: str) -> HttpResponse:
    """The part of a run's page that moves, for htmx to put in its place."""
    here = _run(seat, run)
    return render(request, "judging/_progress.html", {"seat": seat, "run": here, **_progress(here)})


@require_POST
@study_page(*RESEARCHERS)
def start(request: HttpRequest, seat: Seat, run: str) -> HttpResponse:
    """Let the workers take the run up, for the first time or again."""
    try:
        tasks.enqueue_run(run=_run(seat, run), actor=seat.user, retry_failed="retry_failed" in request.POST)
    except TiebreakError as error:
        return refused(request, error, "run", slug=seat.study.slug, run=run)
    return redirect("run", slug=seat.study.slug, run=run)


@require_POST
@study_page(*RESEARCHERS)
def pause(request: HttpRequest, seat: Seat, run: str) -> HttpResponse:
    try:
        pause_run(run=_run(seat, run), actor=seat.user)
    except TiebreakError as error:
        return refused(request, error, "run", slug=seat.study.slug, run=run)
    return done(
        request, "Nothing more is sent; what is on its way is still taken in.", "run", slug=seat.study.slug, run=run
    )


@require_POST
@study_page(*RESEARCHERS)
def cancel(request: HttpRequest, seat: Seat, run: str) -> HttpResponse:
    try:
        cancel_run(run=_run(seat, run), actor=seat.user)
    except TiebreakError as error:
        return refused(request, error, "run", slug=seat.study.slug, run=run)
    return done(request, "The run is ended; what it yielded is kept.", "run", slug=seat.study.slug, run=run)


@require_safe
@study_page(*BEHIND)
def comparisons(request: HttpRequest, seat: Seat, run: str) -> HttpResponse:
    """A run's comparisons, kept to an outcome, a reason or a condition."""
    here = _run(seat, run)
    wanted = {name: request.GET.get(name, "") for name in ("outcome", "reason", "condition")}
    found = comparisons_of(here, **wanted).prefetch_related("verdicts")
    query = request.GET.copy()
    query.pop("page", None)
    return page(
        request,
        "judging/comparisons.html",
        seat=seat,
        tab="runs",
        crumbs=[_runs_crumb(seat), _run_crumb(seat, here), Crumb("Comparisons")],
        run=here,
        outcomes=Outcome.choices(),
        wanted=wanted,
        query=query.urlencode(),
        rows=Paginator(found, PER_PAGE).get_page(request.GET.get("page")),
    )


@require_safe
@study_page(*BEHIND)
def comparison(request: HttpRequest, seat: Seat, run: str, pk: int) -> HttpResponse:
    """One comparison: what was sent, what came back, what was read from it and why."""
    here = _run(seat, run)
    found = get_object_or_404(Comparison.objects.select_related("condition__judge", "pair"), wanted_by__run=here, pk=pk)
    ids = comparisons_of(here).values_list("pk", flat=True)
    return page(
        request,
        "judging/comparison.html",
        seat=seat,
        tab="runs",
        crumbs=[_runs_crumb(seat), _run_crumb(seat, here), Crumb(found.pair.pair_id)],
        run=here,
        comparison=found,
        shown_as_a=found.pair.roles[found.order - 1] if found.order else "",
        readings=found.readings.select_related("ruled_by", "verdict"),
        calls=_calls(found),
        to_rule=[verdict for verdict in found.verdicts.all() if _may_be_ruled(verdict)],
        ruling_form=RulingForm(),
        previous=ids.filter(pk__lt=pk).order_by("-pk").first(),
        following=ids.filter(pk__gt=pk).order_by("pk").first(),
    )


@require_POST
@study_page(*RESEARCHERS)
def rule(request: HttpRequest, seat: Seat, run: str, pk: int) -> HttpResponse:
    """A person reads a reply that the extractor could not; the extractor's own reading stays beside it."""
    verdict = get_object_or_404(Verdict, pk=pk, comparison__wanted_by__run=_run(seat, run))
    form = RulingForm(request.POST)
    keys: dict[str, Any] = {"slug": seat.study.slug, "run": run, "pk": verdict.comparison_id}
    if not form.is_valid():
        messages.error(request, "A ruling needs an answer and a reason. Nothing was changed.", extra_tags="bad")
        return redirect("comparison", **keys)
    try:
        rule_verdict(verdict=verdict, actor=seat.user, **form.cleaned_data)
    except TiebreakError as error:
        return refused(request, error, "comparison", **keys)
    return done(request, "Your reading is in force.", "comparison", **keys)


@require_http_methods(["GET", "HEAD", "POST"])
@study_page(*RESEARCHERS)
def bring_verdicts(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Import a verdicts file as a finished run of its own: all of it or nothing."""
    form = ImportVerdictsForm(request.POST, request.FILES) if request.method == "POST" else ImportVerdictsForm()
    refusal: InputFileError | None = None
    if form.is_valid():
        try:
            with on_disk(form.cleaned_data["file"]) as path:
                made, report = import_verdicts(
                    study=seat.study, path=path, run_name=form.cleaned_data["run_name"], actor=seat.user
                )
            words = f"{report.rows_kept} verdicts kept."
            return done(request, words, "run", slug=seat.study.slug, run=made.public_id)
        except InputFileError as error:
            refusal = error
    crumbs = [_runs_crumb(seat), Crumb("Bring verdicts")]
    context: dict[str, Any] = {"seat": seat, "tab": "runs", "crumbs": crumbs, "form": form, "refusal": refusal}
    return page(request, "judging/bring_verdicts.html", status=422 if form.is_bound else 200, **context)


def _planned(seat: Seat, form: RunForm) -> Run:
    given = form.cleaned_data
    with transaction.atomic():
        declared = [declare_judge(study=seat.study, spec=spec, actor=seat.user) for spec in form.specs]
        judges = {judge.pk: judge for judge in [*given["judges"], *declared]}
        return plan_run(
            study=seat.study,
            judges=list(judges.values()),
            protocols=form.ways,
            name=given["name"],
            split=given["split"],
            orders=given["orders"],
            repeats=given["repeats"],
            budget=form.budget,
            actor=seat.user,
        )


def _progress(run: Run) -> dict[str, Any]:
    progress = progress_of(run)
    return {
        "progress": progress,
        "pace": pace_of(run, progress, now=timezone.now()),
        "causes": causes_of(run),
        "outcomes": [(outcome.value, outcome.words, progress.outcomes.get(outcome, 0)) for outcome in Outcome],
        "moving": run.state in MOVING,
        "startable": run.state in STARTABLE,
    }


def _calls(comparison: Comparison) -> list[dict[str, Any]]:
    """Each stage's call with its request and its attempts, bodies as readable text. Two queries."""
    uses = CallUse.objects.filter(comparison=comparison).select_related("call__request").order_by("pk")
    attempts = Attempt.objects.filter(call__uses__comparison=comparison).select_related("reply").order_by("number")
    by_call: dict[int, list[dict[str, Any]]] = {}
    for attempt in attempts.distinct():
        reply = _readable(attempt.reply.text) if attempt.reply else ""
        by_call.setdefault(attempt.call_id, []).append({"attempt": attempt, "reply": reply})
    return [
        {"use": use, "request": _readable(use.call.request.text), "attempts": by_call.get(use.call_id, [])}
        for use in uses
    ]


def _may_be_ruled(verdict: Verdict) -> bool:
    return verdict.ruled or verdict.outcome == Outcome.UNPARSED


def _readable(body: str) -> str:
    """JSON with line breaks, anything else as it is."""
    try:
        return json.dumps(json.loads(body), ensure_ascii=False, indent=2)
    except ValueError:
        return body


def _run(seat: Seat, public_id: str) -> Run:
    return get_object_or_404(Run.objects.select_related("split", "by"), study=seat.study, public_id=public_id)


def _runs_crumb(seat: Seat) -> Crumb:
    return Crumb("Judges and runs", reverse("runs", kwargs={"slug": seat.study.slug}))


def _run_crumb(seat: Seat, run: Run) -> Crumb:
    return Crumb(run.name, reverse("run", kwargs={"slug": seat.study.slug, "run": run.public_id}))
