"""A study's rounds: making, opening, following, closing, settling by rule and freezing them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from analysis.stats.estimate import Estimate
from annotation.enums import AnnotatorState
from annotation.errors import InputFileError, Refused, TiebreakError
from annotation.forms import AnnotatorsForm, EndPlaceForm, FreezeForm, GuidelineForm, ImportLabelsForm, RoundForm
from annotation.guideline_text import guideline_html
from annotation.models import Item, Round
from annotation.pages import Crumb, done, page, refused
from annotation.permissions import BEHIND, MANAGERS, Seat, study_page
from annotation.queries import rounds_of
from annotation.round_figures import item_rows, overview, people_of
from annotation.steps.adjudicate import settle_round
from annotation.steps.agree import agreement_of
from annotation.steps.assign import close_round, create_round, open_round, revise_guideline
from annotation.steps.freeze import freeze
from annotation.steps.hand_over import add_annotators, draw_thirds, end_place
from annotation.steps.ingest_labels import import_labels
from annotation.uploads import on_disk


@require_safe
@study_page(*BEHIND)
def rounds(request: HttpRequest, seat: Seat) -> HttpResponse:
    return page(request, "annotation/rounds.html", seat=seat, tab="rounds", rounds=rounds_of(seat.study))


@require_http_methods(["GET", "HEAD", "POST"])
@study_page(*MANAGERS)
def new_round(request: HttpRequest, seat: Seat) -> HttpResponse:
    form = RoundForm(request.POST if request.method == "POST" else None, study=seat.study)
    if form.is_valid():
        try:
            made = create_round(actor=seat.user, **form.step_arguments())
            return redirect("round", slug=seat.study.slug, pk=made.pk)
        except TiebreakError as error:
            form.add_error(None, error.message)
    crumbs = [_rounds_crumb(seat), Crumb("New round")]
    status = 422 if form.is_bound else 200
    return page(request, "annotation/new_round.html", seat=seat, tab="rounds", crumbs=crumbs, form=form, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@study_page(*MANAGERS)
def bring_labels(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Import a labels file as a closed round of its own: all of it or nothing."""
    form = ImportLabelsForm(request.POST, request.FILES) if request.method == "POST" else ImportLabelsForm()
    refusal: InputFileError | None = None
    if form.is_valid():
        given = form.cleaned_data
        try:
            with on_disk(given["file"]) as path:
                made, report = import_labels(
                    study=seat.study,
                    path=path,
                    round_name=given["round_name"],
                    scheme=given["scheme"],
                    actor=seat.user,
                )
            return done(request, f"{report.rows_kept} labels kept.", "round", slug=seat.study.slug, pk=made.pk)
        except InputFileError as error:
            refusal = error
        except Refused as error:
            form.add_error(None, error.message)
    crumbs = [_rounds_crumb(seat), Crumb("Bring labels")]
    context: dict[str, Any] = {"seat": seat, "tab": "rounds", "crumbs": crumbs, "form": form, "refusal": refusal}
    return page(request, "annotation/bring_labels.html", status=422 if form.is_bound else 200, **context)


@require_safe
@study_page(*BEHIND)
def round_page(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """Where the round stands, who labels how fast, and the one next thing to do."""
    here = round_of(seat, pk)
    context: dict[str, Any] = {
        "overview": overview(here, item_rows(here)),
        "people": people_of(here),
        "agreed": _agreement(here),
    }
    if seat.manages:
        initial = {"name": here.split.name, "rounds": [here.pk]}
        context |= {
            "annotators_form": AnnotatorsForm(round=here),
            "freeze_form": FreezeForm(study=seat.study, initial=initial),
        }
    return round_tab(request, seat, here, "annotation/round.html", "progress", **context)


@require_safe
@study_page(*BEHIND)
def setup(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """What the round was made with: guideline, scheme, people, provenance; a manager changes what may change."""
    here = round_of(seat, pk)
    guideline = here.guidelines.order_by("-version").first()
    return round_tab(
        request,
        seat,
        here,
        "annotation/round_setup.html",
        "setup",
        guideline=guideline,
        html=guideline_html(guideline.text if guideline else ""),
        places=here.annotators.select_related("user"),
        n_ended=here.annotators.exclude(state=AnnotatorState.ACTIVE).count(),
        guideline_form=GuidelineForm(initial={"text": guideline.text if guideline else ""}),
        annotators_form=AnnotatorsForm(round=here),
        end_form=EndPlaceForm(round=here),
    )


@require_POST
@study_page(*MANAGERS)
def open_for_labelling(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """Open a draft with the annotators ticked, or give more annotators a place in an open round."""
    here = round_of(seat, pk)
    form = AnnotatorsForm(request.POST, round=here)
    users = list(form.cleaned_data["annotators"]) if form.is_valid() else []
    try:
        if here.state == "draft":
            open_round(round=here, annotators=users, actor=seat.user)
        else:
            add_annotators(round=here, users=users, actor=seat.user)
    except TiebreakError as error:
        return refused(request, error, "round", slug=seat.study.slug, pk=pk)
    return done(request, "The annotators find the round under My work.", "round", slug=seat.study.slug, pk=pk)


@require_POST
@study_page(*MANAGERS)
def close(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    try:
        close_round(round=round_of(seat, pk), actor=seat.user)
    except TiebreakError as error:
        return refused(request, error, "round", slug=seat.study.slug, pk=pk)
    return done(request, "The round is closed. Its labels are kept.", "round", slug=seat.study.slug, pk=pk)


@require_POST
@study_page(*MANAGERS)
def settle_by_rule(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    try:
        settled = settle_round(round=round_of(seat, pk), actor=seat.user)
    except TiebreakError as error:
        return refused(request, error, "round", slug=seat.study.slug, pk=pk)
    words = f"The rule settled {settled} pair{'' if settled == 1 else 's'} now."
    return done(request, words, "round", slug=seat.study.slug, pk=pk)


@require_POST
@study_page(*MANAGERS)
def ask_thirds(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """Draw a third independent annotator for every pair in dispute."""
    here = round_of(seat, pk)
    disputed = [row.item_id for row in item_rows(here) if row.state == "disputed"]
    try:
        given = draw_thirds(round=here, items=Item.objects.filter(pk__in=disputed), actor=seat.user)
    except TiebreakError as error:
        return refused(request, error, "disagreements", slug=seat.study.slug, pk=pk)
    words = f"A third annotator was asked about {given} of {len(disputed)} pairs in dispute."
    return done(request, words, "disagreements", slug=seat.study.slug, pk=pk)


@require_POST
@study_page(*MANAGERS)
def change_guideline(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    here = round_of(seat, pk)
    form = GuidelineForm(request.POST)
    if not form.is_valid():
        messages.error(request, "A guideline needs a text. Nothing was changed.", extra_tags="bad")
        return redirect("round_setup", slug=seat.study.slug, pk=pk)
    made = revise_guideline(round=here, text=form.cleaned_data["text"], actor=seat.user)
    return done(request, f"Version {made.version} is in force.", "round_setup", slug=seat.study.slug, pk=pk)


@require_POST
@study_page(*MANAGERS)
def end_annotator(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """End somebody's work in the round; their open pairs go to others."""
    form = EndPlaceForm(request.POST, round=round_of(seat, pk))
    if not form.is_valid():
        messages.error(request, "Name the annotator, what happened and why. Nothing was changed.", extra_tags="bad")
        return redirect("round_setup", slug=seat.study.slug, pk=pk)
    state = AnnotatorState(form.cleaned_data["state"])
    try:
        given = end_place(
            place=form.cleaned_data["place"], state=state, reason=form.cleaned_data["reason"], actor=seat.user
        )
    except TiebreakError as error:
        return refused(request, error, "round_setup", slug=seat.study.slug, pk=pk)
    words = f"{form.cleaned_data['place']} has {state}; {given} of their pairs went to others."
    return done(request, words, "round_setup", slug=seat.study.slug, pk=pk)


@require_POST
@study_page(*MANAGERS)
def freeze_rounds(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """Freeze the ticked closed rounds into a validated split."""
    round_of(seat, pk)
    form = FreezeForm(request.POST, study=seat.study)
    name = form.cleaned_data["name"] if form.is_valid() else ""
    chosen = list(form.cleaned_data["rounds"]) if form.is_valid() else []
    try:
        frozen = freeze(study=seat.study, name=name, rounds=chosen, by=seat.user)
    except TiebreakError as error:
        return refused(request, error, "round", slug=seat.study.slug, pk=pk)
    return done(request, f"{frozen} is frozen.", "validated_split", slug=seat.study.slug, pk=frozen.pk)


def round_of(seat: Seat, pk: int) -> Round:
    """A round of the reader's study; 404 for any other."""
    return get_object_or_404(Round.objects.select_related("study", "split", "training"), study=seat.study, pk=pk)


def round_tab(
    request: HttpRequest, seat: Seat, here: Round, template: str, tab: str, *trail: Crumb, **context: Any
) -> HttpResponse:
    """One of the pages of a round, under the round's own navigation."""
    keys = {"slug": seat.study.slug, "pk": here.pk}
    crumbs = [_rounds_crumb(seat), Crumb(here.name, reverse("round", kwargs=keys) if trail else ""), *trail]
    return page(request, template, seat=seat, tab="rounds", crumbs=crumbs, round=here, round_tab=tab, **context)


def _agreement(here: Round) -> dict[str, Estimate]:
    """Agreement on the primary question so far; nothing where the scheme has none or nobody answered."""
    try:
        return agreement_of(here)
    except Refused:
        return {}


def _rounds_crumb(seat: Seat) -> Crumb:
    return Crumb("Rounds", reverse("rounds", kwargs={"slug": seat.study.slug}))
