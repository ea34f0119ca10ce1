"""The labelling screen: one pair, its questions, and the plain form that works without any script."""

from __future__ import annotations

import secrets
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.controls import answers_from, controls
from annotation.errors import NotAllowed, TiebreakError
from annotation.guideline_text import guideline_html
from annotation.labelling import Shown, shown, training_feedback, what_is_next
from annotation.pages import page, refused
from annotation.permissions import own_place, signed_in
from annotation.places import Place
from annotation.queries import active_seconds, progress_of
from annotation.steps.label import assignment_of, submit_label, undo_last
from annotation.steps.training import Feedback, TrainingResult, training_result
from annotation.views.work import trail


@never_cache
@require_safe
@own_place
def label(request: HttpRequest, place: Place) -> HttpResponse:
    """The next pair to do, or why there is none."""
    next_one = what_is_next(place.row)
    if next_one.state == "guideline":
        return redirect("guideline", place=place.address)
    if next_one.pair is None:
        return page(
            request,
            "annotation/no_pair.html",
            crumbs=trail(place),
            place=place,
            shown=next_one,
            seconds=active_seconds(place.row),
            pairs_url=_pairs_url(place),
            training=_training(request, place, next_one),
        )
    return _screen(request, place, next_one)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@own_place
def pair(request: HttpRequest, place: Place, assignment: str) -> HttpResponse:
    """One of the annotator's own pairs; a POST submits it and leads to the next."""
    try:
        found = assignment_of(user=signed_in(request), public_id=assignment)
    except NotAllowed:
        raise Http404("No such pair.") from None
    if found.annotator_id != place.row.pk:
        raise Http404("No such pair.")
    here = shown(found, progress=progress_of(place.row))
    if request.method != "POST":
        return _screen(request, place, here, feedback=training_feedback(found))
    assert here.pair is not None  # noqa: S101 - shown() of an assignment carries its pair
    given = answers_from(request.POST, here.pair.questions)
    seen = request.POST.get("seen_revision", "")
    try:
        submit_label(
            user=signed_in(request),
            public_id=assignment,
            answers=given,
            client_key=request.POST.get("client_key", "")[:64] or secrets.token_urlsafe(16),
            comment=request.POST.get("comment", ""),
            flagged="flagged" in request.POST,
            seen_revision=int(seen) if seen.isdecimal() else None,
        )
    except TiebreakError as error:
        return _screen(request, place, here, given=request.POST, problem=error.message, answers=given)
    if place.is_training:
        return redirect("own_pair", place=place.address, assignment=assignment)
    return redirect("label", place=place.address)


@require_POST
@own_place
def undo(request: HttpRequest, place: Place) -> HttpResponse:
    """Take back the last submission and show its pair again, as it was answered."""
    try:
        taken_back = undo_last(place=place.row)
    except TiebreakError as error:
        return refused(request, error, "label", place=place.address)
    return redirect("own_pair", place=place.address, assignment=taken_back.public_id)


def _screen(
    request: HttpRequest,
    place: Place,
    here: Shown,
    *,
    given: Any = None,
    problem: str = "",
    answers: dict[str, Any] | None = None,
    feedback: Feedback | None = None,
) -> HttpResponse:
    assert here.pair is not None  # noqa: S101 - both callers bring a pair
    guideline = place.row.round.guidelines.filter(version=place.guideline_version).values_list("text", flat=True)
    context = {
        "place": place,
        "shown": here,
        "pair": here.pair,
        "controls": controls(here.pair.questions, here.pair.answers if answers is None else answers),
        "comment": given.get("comment", "") if given else here.pair.comment,
        "flagged": "flagged" in given if given else here.flagged,
        "problem": problem,
        "feedback": feedback,
        "client_key": secrets.token_urlsafe(16),
        "guideline": guideline_html(guideline.first() or ""),
        "boot": _boot(place, here),
    }
    return render(request, "annotation/label.html", context, status=422 if problem else 200)


def _boot(place: Place, here: Shown) -> dict[str, Any]:
    """What the script starts from: the API's own answer for this pair, and where to send to."""
    return {
        "shown": here.as_json(),
        "urls": {
            "next": reverse("api_next", kwargs={"place": place.address}),
            "undo": reverse("api_undo", kwargs={"place": place.address}),
            "pairs": _pairs_url(place),
            "label": reverse("label", kwargs={"place": place.address}),
            "guideline": reverse("guideline", kwargs={"place": place.address}),
            "sign_in": reverse("sign_in"),
        },
        "place": place.address,
        "training": place.is_training,
    }


def _training(request: HttpRequest, place: Place, here: Shown) -> TrainingResult | None:
    """The annotator's own result, on the page after a training round and before the round that asks for it."""
    round_ = place.row.round if place.is_training else place.row.round.training
    if round_ is None or here.state not in {"done", "training"}:
        return None
    return training_result(training=round_, user=signed_in(request))


def _pairs_url(place: Place) -> str:
    """The beginning of the API's addresses of a place's pairs."""
    return reverse("api_next", kwargs={"place": place.address}).removesuffix("next") + "pairs/"
