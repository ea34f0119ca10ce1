"""Signing in and out, one's account, the way from the front door, and help."""

from __future__ import annotations

from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_safe

from annotation.pages import Crumb, done, page
from annotation.permissions import seats_of, signed_in
from annotation.places import places_of


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Annotators go to their work, members of one study to it, everybody else to the list of their studies."""
    behind = [seat for seat in seats_of(signed_in(request)) if seat.sees_behind]
    if not behind:
        return redirect("my_work")
    if len(behind) == 1 and not places_of(signed_in(request)):
        return redirect("study", slug=behind[0].study.slug)
    return redirect("studies")


@require_safe
def studies(request: HttpRequest) -> HttpResponse:
    """The studies of which the reader sees more than pairs to label."""
    return page(
        request,
        "annotation/studies.html",
        crumbs=[Crumb("Studies")],
        places=places_of(signed_in(request)),
    )


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    behind = any(seat.sees_behind for seat in seats_of(signed_in(request)))
    return page(request, "annotation/help.html", crumbs=[Crumb("Help")], behind=behind)


@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """Who is signed in, and a new password."""
    user = signed_in(request)
    form = PasswordChangeForm(user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        form.save()
        update_session_auth_hash(request, user)
        return done(request, "Your new password is in force.", "account")
    status = 422 if form.is_bound else 200
    return page(request, "account/account.html", crumbs=[Crumb("Account")], form=form, status=status)
