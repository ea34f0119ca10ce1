"""Who may open which page. One decorator for a study's pages, one for an annotator's own place in a round.

Somebody who is no member learns nothing, not even that the study exists (404). A member of the wrong role is told
so (403). A membership that was ended counts as none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render

from annotation.enums import MemberRole
from annotation.errors import NotAllowed, TiebreakError
from annotation.models import Membership, RoundAnnotator, Study, User
from annotation.places import Place, place_called, row_called

Params = ParamSpec("Params")

MANAGERS = (MemberRole.OWNER, MemberRole.COORDINATOR)
SETTLERS = (*MANAGERS, MemberRole.ADJUDICATOR)
RESEARCHERS = (MemberRole.OWNER, MemberRole.RESEARCHER)
#: Everybody who sees roles, targets and labels; an annotator never does.
BEHIND = (MemberRole.OWNER, MemberRole.COORDINATOR, MemberRole.ADJUDICATOR, MemberRole.RESEARCHER)


@dataclass(frozen=True, slots=True)
class Seat:
    """A person in a study, under their role there."""

    study: Study
    user: User
    role: MemberRole

    @property
    def sees_behind(self) -> bool:
        return self.role in BEHIND

    @property
    def manages(self) -> bool:
        return self.role in MANAGERS

    @property
    def settles(self) -> bool:
        return self.role in SETTLERS

    @property
    def researches(self) -> bool:
        return self.role in RESEARCHERS


def signed_in(request: HttpRequest) -> User:
    """The account behind a request that LoginRequiredMiddleware let through."""
    return cast(User, request.user)


def seats_of(user: User) -> list[Seat]:
    """All studies of ``user`` with their present role, by name. One query."""
    rows = Membership.objects.filter(user=user, removed_at__isnull=True).select_related("study").order_by("study__name")
    return [Seat(row.study, user, MemberRole(row.role)) for row in rows]


def seat_in(user: User, slug: str) -> Seat:
    """The seat of ``user`` in the study called ``slug``; Http404 for whoever is no member now."""
    row = (
        Membership.objects.filter(user=user, study__slug=slug, removed_at__isnull=True).select_related("study").first()
    )
    if row is None:
        raise Http404("No such study.")
    return Seat(row.study, user, MemberRole(row.role))


def study_page(
    *roles: MemberRole,
) -> Callable[
    [Callable[Concatenate[HttpRequest, Seat, Params], HttpResponseBase]],
    Callable[Concatenate[HttpRequest, Params], HttpResponseBase],
]:
    """A page of one study (``slug`` in its address) for members of these roles; the view is given their seat."""

    def decorate(
        view: Callable[Concatenate[HttpRequest, Seat, Params], HttpResponseBase],
    ) -> Callable[Concatenate[HttpRequest, Params], HttpResponseBase]:
        @wraps(view)
        def page(request: HttpRequest, *args: Any, slug: str, **kwargs: Any) -> HttpResponseBase:
            seat = seat_in(signed_in(request), slug)
            if seat.role not in roles:
                raise PermissionDenied("Your role in this study does not open this page.")
            return _answered(request, lambda: view(request, seat, *args, **kwargs))

        return cast("Callable[Concatenate[HttpRequest, Params], HttpResponseBase]", page)

    return decorate


def own_place(
    view: Callable[Concatenate[HttpRequest, Place, Params], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, Params], HttpResponseBase]:
    """A page of an annotator's own place in a round (``place`` in its address); Http404 for anybody else's."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, place: str, **kwargs: Any) -> HttpResponseBase:
        found = place_called(user=signed_in(request), address=place)
        if found is None:
            raise Http404("No such place.")
        return _answered(request, lambda: view(request, found, *args, **kwargs))

    return cast("Callable[Concatenate[HttpRequest, Params], HttpResponseBase]", page)


def _answered(request: HttpRequest, view: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """What the view answers; what a step refuses and the view does not tell in its own way, on a page of its own."""
    try:
        return view()
    except NotAllowed as error:
        raise Http404(error.message) from error
    except TiebreakError as error:
        return render(request, "refused.html", {"message": error.message}, status=409)


def place_or_404(request: HttpRequest, address: str) -> RoundAnnotator:
    """The signed-in person's own place of that address, as the API needs it: the row with its round."""
    row = row_called(user=signed_in(request), address=address)
    if row is None:
        raise Http404("No such place.")
    return row


def roles_to_give(seat: Seat) -> tuple[MemberRole, ...]:
    """The roles a member may give to others: an owner every one, a coordinator that of annotator."""
    return tuple(MemberRole) if seat.role == MemberRole.OWNER else (MemberRole.ANNOTATOR,)
