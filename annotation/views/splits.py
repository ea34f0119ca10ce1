"""A study's splits: what is in them, and bringing pairs in."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from annotation.enums import MemberRole
from annotation.errors import InputFileError
from annotation.forms import ImportPairsForm
from annotation.models import ImportReport, Pair, Split
from annotation.pages import Crumb, done, page
from annotation.permissions import BEHIND, Seat, study_page
from annotation.queries import splits_of, tiers_of
from annotation.steps.ingest import import_pairs
from annotation.uploads import on_disk

PER_PAGE = 50
BRINGERS = (MemberRole.OWNER, MemberRole.COORDINATOR, MemberRole.RESEARCHER)


@require_safe
@study_page(*BEHIND)
def splits(request: HttpRequest, seat: Seat) -> HttpResponse:
    return page(
        request,
        "annotation/splits.html",
        seat=seat,
        tab="splits",
        splits=splits_of(seat.study),
        reports=ImportReport.objects.filter(study=seat.study)[:PER_PAGE],
        may_bring=seat.role in BRINGERS,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@study_page(*BRINGERS)
def bring_pairs(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Import a pairs file: all of it or nothing, with every problem named by row and field."""
    form = ImportPairsForm(request.POST, request.FILES) if request.method == "POST" else ImportPairsForm()
    refusal: InputFileError | None = None
    if form.is_valid():
        try:
            with on_disk(form.cleaned_data["file"]) as path:
                report = import_pairs(study=seat.study, path=path, split=form.cleaned_data["split"], actor=seat.user)
            return done(request, f"{report.rows_kept} pairs kept.", "import_report", slug=seat.study.slug, pk=report.pk)
        except InputFileError as error:
            refusal = error
    return page(
        request,
        "annotation/bring_pairs.html",
        seat=seat,
        tab="splits",
        crumbs=[_splits_crumb(seat), Crumb("Bring pairs")],
        form=form,
        refusal=refusal,
        status=422 if form.is_bound else 200,
    )


@require_safe
@study_page(*BEHIND)
def import_report(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """What one file brought: rows read and kept, what was left out and why, what is odd."""
    report = get_object_or_404(ImportReport, study=seat.study, pk=pk)
    return page(
        request,
        "annotation/import_report.html",
        seat=seat,
        tab="splits",
        crumbs=[_splits_crumb(seat), Crumb(report.file_name)],
        report=report,
    )


@require_safe
@study_page(*BEHIND)
def split_page(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    split = get_object_or_404(Split, study=seat.study, pk=pk)
    tier = request.GET.get("tier", "")
    pairs = Pair.objects.filter(split=split).only("pair_id", "tier", "target", "role_1", "role_2", "domain", "task")
    if tier:
        pairs = pairs.filter(tier__isnull=True) if tier == "none" else pairs.filter(tier=tier)
    return page(
        request,
        "annotation/split.html",
        seat=seat,
        tab="splits",
        crumbs=[_splits_crumb(seat), Crumb(split.name)],
        split=split,
        tiers=tiers_of(split),
        tier=tier,
        rows=Paginator(pairs.order_by("position"), PER_PAGE).get_page(request.GET.get("page")),
    )


@require_safe
@study_page(*BEHIND)
def pair_page(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """One pair as it was imported, with its roles, tier and target."""
    pair = get_object_or_404(Pair.objects.select_related("split"), study=seat.study, pk=pk)
    keys = {"slug": seat.study.slug, "pk": pair.split_id}
    crumbs = [_splits_crumb(seat), Crumb(pair.split.name, reverse("split", kwargs=keys)), Crumb(pair.pair_id)]
    return page(request, "annotation/pair.html", seat=seat, tab="splits", crumbs=crumbs, pair=pair)


def _splits_crumb(seat: Seat) -> Crumb:
    return Crumb("Splits", reverse("splits", kwargs={"slug": seat.study.slug}))
