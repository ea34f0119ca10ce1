"""What annotators differ on, worst first, and settling it: informed, or after a blind answer of one's own."""

from __future__ import annotations

import secrets
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation import schemes
from annotation.controls import answers_from, controls
from annotation.enums import MemberRole
from annotation.errors import TiebreakError
from annotation.forms import SettleForm
from annotation.models import Item, Round
from annotation.pages import Crumb, done, refused
from annotation.permissions import BEHIND, SETTLERS, Seat, study_page
from annotation.steps.adjudicate import Disagreement, disagreements, latest_resolutions, settle
from annotation.steps.in_force import labels_in_force
from annotation.steps.label import as_blind_pair, assignment_of, submit_label
from annotation.steps.reveal import begin_blind, show_labels
from annotation.views.rounds import round_of, round_tab


@require_safe
@study_page(*SETTLERS)
def queue(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """The pairs in dispute. The answers are not on this page: who adjudicates blind must be able to read it."""
    here = round_of(seat, pk)
    found = disagreements(here)
    return round_tab(
        request,
        seat,
        here,
        "annotation/disagreements.html",
        "disagreements",
        open=[_row(each) for each in found if each.settled is None],
        settled=[_row(each) for each in found if each.settled is not None],
        may_answer_blind=seat.role == MemberRole.ADJUDICATOR,
    )


@require_safe
@study_page(*BEHIND)
def item_page(request: HttpRequest, seat: Seat, pk: int, item: int) -> HttpResponse:
    """One pair with its roles, every answer and comment in the order its author saw, and the means to settle it."""
    here = round_of(seat, pk)
    return _item_page(request, seat, here, _item(here, item))


@require_POST
@study_page(*SETTLERS)
def settle_item(request: HttpRequest, seat: Seat, pk: int, item: int) -> HttpResponse:
    """Settle one pair and go on to the next in dispute."""
    here = round_of(seat, pk)
    found = _item(here, item)
    form = SettleForm(request.POST, scheme=schemes.from_canonical(here.scheme), roles=found.pair.roles)
    if not form.is_valid():
        return _item_page(request, seat, here, found, form=form)
    answer = show_labels(item=found, to=seat.user)
    try:
        settle(item=found, by=seat.user, answer=answer, independent=answer is not None, **form.cleaned_data)
    except TiebreakError as error:
        form.add_error(None, error.message)
        return _item_page(request, seat, here, found, form=form)
    words = f"{found.pair.pair_id} is settled as {form.cleaned_data['category']}."
    following = next((each.item_id for each in disagreements(here, settled=False)), None)
    if following is None:
        return done(request, f"{words} Nothing is left in dispute.", "disagreements", slug=seat.study.slug, pk=pk)
    target = "blind_answer" if answer is not None else "item"
    return done(request, words, target, slug=seat.study.slug, pk=pk, item=following)


@require_http_methods(["GET", "HEAD", "POST"])
@study_page(MemberRole.ADJUDICATOR)
def blind_answer(request: HttpRequest, seat: Seat, pk: int, item: int) -> HttpResponse:
    """The adjudicator's own blind answer, given like an annotator's; then the labels are shown."""
    here = round_of(seat, pk)
    try:
        begun = begin_blind(item=_item(here, item), adjudicator=seat.user)
    except TiebreakError as error:
        return refused(request, error, "item", slug=seat.study.slug, pk=pk, item=item)
    assignment = assignment_of(user=seat.user, public_id=begun.public_id)
    pair = as_blind_pair(assignment)
    given = answers_from(request.POST, pair.questions) if request.method == "POST" else dict(pair.answers)
    problem = ""
    if request.method == "POST":
        try:
            submit_label(
                user=seat.user,
                public_id=begun.public_id,
                answers=given,
                client_key=request.POST.get("client_key", "")[:64] or secrets.token_urlsafe(16),
                comment=request.POST.get("comment", ""),
            )
            return redirect("item", slug=seat.study.slug, pk=pk, item=item)
        except TiebreakError as error:
            problem = error.message
    return round_tab(
        request,
        seat,
        here,
        "annotation/blind_answer.html",
        "disagreements",
        *_trail(seat, here, "Blind answer"),
        pair=pair,
        controls=controls(pair.questions, given),
        client_key=secrets.token_urlsafe(16),
        problem=problem,
        status=422 if problem else 200,
    )


def _row(found: Disagreement) -> dict[str, Any]:
    """A line of the queue: how far apart the answers are, but not what they are."""
    return {
        "item_id": found.item_id,
        "pair_id": found.pair_id,
        "n_labels": len(found.labels),
        "n_answers": len({label.category for label in found.labels}),
        "n_comments": sum(bool(label.comment) for label in found.labels),
        "settled": found.settled,
    }


def _item_page(
    request: HttpRequest, seat: Seat, here: Round, item: Item, *, form: SettleForm | None = None
) -> HttpResponse:
    scheme = schemes.from_canonical(here.scheme)
    found = disagreements(here)
    order = [each.item_id for each in found if each.settled is None or each.item_id == item.pk]
    at = order.index(item.pk) if item.pk in order else None
    return round_tab(
        request,
        seat,
        here,
        "annotation/item.html",
        "disagreements",
        *_trail(seat, here, item.pair.pair_id),
        item=item,
        questions=scheme.questions,
        labels=[label for label in labels_in_force(here) if label.item_id == item.pk],
        blind=show_labels(item=item, to=seat.user),
        settled=latest_resolutions(here).get(item.pk),
        form=(form or SettleForm(scheme=scheme, roles=item.pair.roles)) if seat.settles else None,
        previous=order[at - 1] if at else None,
        following=order[at + 1] if at is not None and at + 1 < len(order) else None,
        n_open=sum(each.settled is None for each in found),
        status=422 if form is not None and form.errors else 200,
    )


def _item(here: Round, pk: int) -> Item:
    return get_object_or_404(Item.objects.select_related("pair", "round__study"), round=here, pk=pk)


def _trail(seat: Seat, here: Round, words: str) -> list[Crumb]:
    url = reverse("disagreements", kwargs={"slug": seat.study.slug, "pk": here.pk}) if seat.settles else ""
    return [Crumb("Disagreements", url), Crumb(words)]
