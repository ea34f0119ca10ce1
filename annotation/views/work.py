"""An annotator's own pages around labelling: their rounds, the guideline, and what they labelled."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.enums import AssignmentState
from annotation.errors import TiebreakError
from annotation.guideline_text import guideline_html
from annotation.pages import Crumb, page, refused
from annotation.permissions import own_place, signed_in
from annotation.places import Place, places_of
from annotation.queries import own_pairs, progress_of
from annotation.steps.label import read_guideline

PER_PAGE = 100
#: ``?show=`` of one's own pairs: the filter, by the words shown for it.
SHOWS: dict[str, tuple[str, dict[str, Any]]] = {
    "all": ("All", {}),
    "todo": ("To do", {"state": AssignmentState.PENDING}),
    "done": ("Labelled", {"state": AssignmentState.SUBMITTED}),
    "flagged": ("Flagged", {"label_flagged": True}),
}


@never_cache
@require_safe
def my_work(request: HttpRequest) -> HttpResponse:
    """The annotator's rounds, the one to go on with first."""
    places = sorted(places_of(signed_in(request)), key=lambda place: place.state != "open")
    return page(request, "annotation/my_work.html", crumbs=[Crumb("My work")], places=places)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@own_place
def guideline(request: HttpRequest, place: Place) -> HttpResponse:
    """The guideline in force; confirming it (POST) leads on to the pairs."""
    if request.method == "POST":
        version = request.POST.get("version", "")
        try:
            read_guideline(place=place.row, version=int(version) if version.isdecimal() else 0)
        except TiebreakError as error:
            return refused(request, error, "guideline", place=place.address)
        return redirect("label", place=place.address)
    text = place.row.round.guidelines.filter(version=place.guideline_version).values_list("text", flat=True).first()
    return page(
        request,
        "annotation/guideline.html",
        crumbs=[*trail(place), Crumb("Guideline")],
        place=place,
        html=guideline_html(text or ""),
        changed=place.row.guideline_read > 0,
    )


@never_cache
@require_safe
@own_place
def pairs(request: HttpRequest, place: Place) -> HttpResponse:
    """The annotator's own pairs by state, each open to change until the round closes."""
    show = request.GET.get("show", "all")
    words, wanted = SHOWS.get(show, SHOWS["all"])
    found = Paginator(own_pairs(place.row).filter(**wanted), PER_PAGE)
    return page(
        request,
        "annotation/own_pairs.html",
        crumbs=[*trail(place), Crumb("Your labels")],
        place=place,
        progress=progress_of(place.row),
        shows=[(key, label) for key, (label, _) in SHOWS.items()],
        show=show if show in SHOWS else "all",
        words=words,
        rows=found.get_page(request.GET.get("page")),
    )


def trail(place: Place) -> list[Crumb]:
    """The way to a place's pages, in words that tell nothing of it."""
    return [Crumb("My work", reverse("my_work")), Crumb(f"{place.study}, {place.title}")]
