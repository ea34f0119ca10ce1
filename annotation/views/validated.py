"""Validated splits: the tier report, every pair's status, and the hashed text itself."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from annotation.enums import ValidationStatus
from annotation.models import ValidatedPair, ValidatedSplit
from annotation.pages import Crumb, page
from annotation.permissions import BEHIND, Seat, study_page
from annotation.queries import tier_report

PER_PAGE = 50


@require_safe
@study_page(*BEHIND)
def validated_splits(request: HttpRequest, seat: Seat) -> HttpResponse:
    rows = ValidatedSplit.objects.filter(study=seat.study).defer("canonical").order_by("name", "-version")
    return page(request, "annotation/validated_splits.html", seat=seat, tab="validated_splits", rows=rows)


@require_safe
@study_page(*BEHIND)
def validated_split(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    here = get_object_or_404(ValidatedSplit.objects.defer("canonical"), study=seat.study, pk=pk)
    pairs = ValidatedPair.objects.filter(validated_split=here)
    status, tier = request.GET.get("status", ""), request.GET.get("tier", "")
    rows = pairs.select_related("pair").defer("pair__candidate_1", "pair__candidate_2", "pair__context")
    if status in ValidationStatus.values():
        rows = rows.filter(status=status)
    if tier:
        rows = rows.filter(constructed_tier=tier)
    list_url = reverse("validated_splits", kwargs={"slug": seat.study.slug})
    return page(
        request,
        "annotation/validated_split.html",
        seat=seat,
        tab="validated_splits",
        crumbs=[Crumb("Validated splits", list_url), Crumb(str(here))],
        split=here,
        rounds=here.rounds.defer("scheme"),
        report=tier_report(pairs),
        statuses=ValidationStatus.choices(),
        shown_status=status,
        tier=tier,
        rows=Paginator(rows.order_by("pair__position"), PER_PAGE).get_page(request.GET.get("page")),
    )


@require_safe
@study_page(*BEHIND)
def validated_text(_request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """The very text whose SHA-256 is the split's hash."""
    here = get_object_or_404(ValidatedSplit, study=seat.study, pk=pk)
    response = HttpResponse(here.canonical, content_type="application/x-ndjson; charset=utf-8")
    name = f"{slugify(here.name) or 'validated'}-v{here.version}.jsonl"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
