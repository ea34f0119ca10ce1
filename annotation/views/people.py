"""Who works in a study: members, invitations, and joining by a link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import UserCreationForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.enums import MemberRole
from annotation.errors import NotAllowed, TiebreakError
from annotation.forms import InvitationForm, MemberForm
from annotation.models import AuditEntry, Invitation, Membership, User
from annotation.pages import done, page, refused
from annotation.permissions import MANAGERS, Seat, roles_to_give, signed_in, study_page
from annotation.steps.invite import accept, invite, open_invitation
from annotation.steps.members import remove_member, set_member

ENTRIES = 200


if TYPE_CHECKING:
    _NewAccount = UserCreationForm[User]
else:
    _NewAccount = UserCreationForm


class AccountForm(_NewAccount):
    """A new account for somebody who follows an invitation."""

    class Meta:
        model = User
        fields = ("username",)


@require_safe
@study_page(*MANAGERS)
def people(request: HttpRequest, seat: Seat) -> HttpResponse:
    return _people(request, seat)


@require_POST
@study_page(*MANAGERS)
def add_member(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Give somebody who has an account a role in the study, or another role than before."""
    form = MemberForm(request.POST, roles=roles_to_give(seat))
    if not form.is_valid():
        return _people(request, seat, member_form=form, status=422)
    user = form.cleaned_data["username"]
    try:
        set_member(study=seat.study, user=user, role=MemberRole(form.cleaned_data["role"]), actor=seat.user)
    except TiebreakError as error:
        return refused(request, error, "people", slug=seat.study.slug)
    return done(request, f"{user} is a member now.", "people", slug=seat.study.slug)


@require_POST
@study_page(*MANAGERS)
def invite_member(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Make an invitation. Its link is shown this once; only its hash is stored."""
    form = InvitationForm(request.POST, roles=roles_to_give(seat))
    if not form.is_valid():
        return _people(request, seat, invitation_form=form, status=422)
    _, token = invite(
        study=seat.study,
        role=MemberRole(form.cleaned_data["role"]),
        by=seat.user,
        note=form.cleaned_data["note"],
        days=form.cleaned_data["days"],
    )
    return _people(request, seat, link=request.build_absolute_uri(reverse("join", kwargs={"token": token})))


@require_POST
@study_page(MemberRole.OWNER)
def end_membership(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    row = get_object_or_404(Membership, study=seat.study, pk=pk, removed_at__isnull=True)
    try:
        remove_member(membership=row, actor=seat.user)
    except TiebreakError as error:
        return refused(request, error, "people", slug=seat.study.slug)
    return done(request, f"{row.user} is no member any more. What they did is kept.", "people", slug=seat.study.slug)


@require_safe
@study_page(MemberRole.OWNER)
def audit_log(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Who did what, newest first."""
    entries = AuditEntry.objects.filter(study=seat.study).select_related("actor")[:ENTRIES]
    return page(request, "annotation/audit.html", seat=seat, tab="people", entries=entries, most=ENTRIES)


@never_cache
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Follow an invitation: with the account one is signed in with, or with a new one."""
    try:
        invitation = open_invitation(token)
    except NotAllowed as error:
        return render(request, "account/join.html", {"problem": error.message}, status=404)
    known = request.user.is_authenticated
    form = AccountForm(request.POST if request.method == "POST" and not known else None)
    context = {"invitation": invitation, "role": MemberRole(invitation.role), "known": known, "form": form}
    if request.method == "POST" and (known or form.is_valid()):
        try:
            user = signed_in(request) if known else form.save()
            accept(token=token, user=user)
        except TiebreakError as error:
            return render(request, "account/join.html", context | {"problem": error.message}, status=409)
        if not known:
            login(request, user)
        return redirect("home")
    return render(request, "account/join.html", context, status=422 if form.is_bound else 200)


def _people(
    request: HttpRequest,
    seat: Seat,
    *,
    member_form: MemberForm | None = None,
    invitation_form: InvitationForm | None = None,
    link: str = "",
    status: int = 200,
) -> HttpResponse:
    roles = roles_to_give(seat)
    members = Membership.objects.filter(study=seat.study).select_related("user").order_by("removed_at", "created_at")
    return page(
        request,
        "annotation/people.html",
        seat=seat,
        tab="people",
        members=members,
        invitations=Invitation.objects.filter(study=seat.study, used_at__isnull=True).select_related("by"),
        member_form=member_form or MemberForm(roles=roles),
        invitation_form=invitation_form or InvitationForm(roles=roles, initial={"role": MemberRole.ANNOTATOR}),
        is_owner=seat.role == MemberRole.OWNER,
        link=link,
        status=status,
    )
