"""The frame around every page: where the reader is, what else they may open, and how errors are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from annotation.enums import MemberRole
from annotation.errors import TiebreakError
from annotation.permissions import BEHIND, MANAGERS, Seat, seats_of, signed_in

#: (words, address name, who sees it). The address names of later parts are theirs; nothing of them is imported.
TABS: tuple[tuple[str, str, tuple[MemberRole, ...]], ...] = (
    ("Study", "study", BEHIND),
    ("Splits", "splits", BEHIND),
    ("Rounds", "rounds", BEHIND),
    ("Validated splits", "validated_splits", BEHIND),
    ("Judges and runs", "runs", BEHIND),
    ("Report", "report", BEHIND),
    ("People", "people", MANAGERS),
)


@dataclass(frozen=True, slots=True)
class Crumb:
    words: str
    url: str = ""


def page(
    request: HttpRequest,
    template: str,
    *,
    seat: Seat | None = None,
    tab: str = "",
    crumbs: Sequence[Crumb] = (),
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """Render ``template`` in its frame. ``tab`` names the study's tab it belongs to, ``crumbs`` follow the study."""
    trail = list(crumbs)
    if seat is not None and seat.sees_behind:
        url = "" if tab == "study" and not trail else reverse("study", kwargs={"slug": seat.study.slug})
        trail.insert(0, Crumb(seat.study.name, url))
    context |= {
        "seat": seat,
        "seats": [each for each in seats_of(signed_in(request)) if each.sees_behind],
        "tabs": _tabs(seat, tab) if seat else (),
        "crumbs": trail,
    }
    return render(request, template, context, status=status)


def refused(request: HttpRequest, error: TiebreakError, back: str, **kwargs: Any) -> HttpResponse:
    """Go back to the page named ``back`` and say what a step refused, and why."""
    messages.add_message(request, messages.ERROR, error.message, extra_tags="bad")
    return redirect(back, **kwargs)


def done(request: HttpRequest, words: str, back: str, **kwargs: Any) -> HttpResponse:
    """Go to the page named ``back`` and say what was done."""
    messages.success(request, words)
    return redirect(back, **kwargs)


def _tabs(seat: Seat, here: str) -> list[dict[str, object]]:
    return [
        {"words": words, "url": reverse(name, kwargs={"slug": seat.study.slug}), "here": name == here}
        for words, name, roles in TABS
        if seat.role in roles
    ]
