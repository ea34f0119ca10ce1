"""The frontier report: figure first, then plain words, then every number, each leading to its rows."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from analysis.frontier.cache import figure_svg, has_verdicts, is_ready, report_text
from analysis.frontier.cache import report as whole_report
from analysis.frontier.findings import judges_of, main_rows, plain_words
from analysis.frontier.tables import rows_csv
from annotation.pages import Crumb, page
from annotation.permissions import BEHIND, Seat, study_page
from judging.models import Verdict

PER_PAGE = 50
#: Comparisons between conditions that the page lists: what was asked of the gap and the even tiers.
PAIRED_OUTCOMES = ("tie", "target_win")
#: The filters of the rows behind a figure, and the field each narrows.
FILTERS = {
    "judge": "condition__judge__name",
    "protocol": "condition__protocol",
    "level": "condition__level",
    "probe": "condition__probe",
    "attack": "condition__attack",
    "split": "pair__split__name",
    "tier": "pair__tier",
    "outcome": "outcome",
}


@require_safe
@study_page(*BEHIND)
def report(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The report of one judge at a time. Where it is not made yet, the page says so and fetches it when it is."""
    context: dict[str, Any] = {"judges": [], "has_verdicts": has_verdicts(seat.study)}
    if context["has_verdicts"] and (is_ready(seat.study) or "now" in request.GET):
        context |= _of_judge(seat, request.GET.get("judge", ""))
    return page(request, "analysis/report.html", seat=seat, tab="report", **context)


@require_safe
@study_page(*BEHIND)
def figure(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The frontier figure as SVG, of one judge (``?judge=``) or of all."""
    svg = figure_svg(seat.study, request.GET.get("judge", ""))
    response = HttpResponse(svg, content_type="image/svg+xml")
    # An SVG opened by itself is a document; this keeps whatever a name in it says from running.
    response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    return response


@require_safe
@study_page(*BEHIND)
def rows(_request: HttpRequest, seat: Seat) -> HttpResponse:
    return _download(rows_csv(whole_report(seat.study)["rows"]), "text/csv", f"{seat.study.slug}-frontier.csv")


@require_safe
@study_page(*BEHIND)
def as_json(_request: HttpRequest, seat: Seat) -> HttpResponse:
    return _download(report_text(seat.study), "application/json", f"{seat.study.slug}-frontier.json")


@require_safe
@study_page(*BEHIND)
def verdicts(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The verdicts behind a figure, kept to what its link names."""
    wanted = {name: request.GET[name] for name in FILTERS if name in request.GET}
    found = Verdict.objects.filter(pair__study=seat.study, **{FILTERS[name]: wanted[name] for name in wanted})
    found = (
        found.select_related("condition__judge", "pair")
        .defer("pair__candidate_1", "pair__candidate_2", "pair__context", "pair__task")
        .prefetch_related("comparison__wanted_by__run")
        .order_by("pair__position", "condition_id", "order", "repeat")
    )
    return page(
        request,
        "analysis/verdicts.html",
        seat=seat,
        tab="report",
        crumbs=[Crumb("Report", reverse("report", kwargs={"slug": seat.study.slug})), Crumb("Verdicts")],
        wanted=wanted,
        query=urlencode(wanted),
        rows=Paginator(found, PER_PAGE).get_page(request.GET.get("page")),
    )


def _of_judge(seat: Seat, chosen: str) -> dict[str, Any]:
    whole = whole_report(seat.study)
    judges = judges_of(whole["rows"])
    judge = chosen if chosen in judges else (judges[0] if judges else "")
    main = main_rows(whole["rows"], judge)
    for row in main:
        row["link"] = _link(seat, row)
    return {
        "judges": judges,
        "judge": judge,
        "words": plain_words(main),
        "rows": main,
        "simulated": any(row["simulated"] for row in main),
        "sources": whole["sources"],
        "validation": whole["validation"],
        "options": whole["options"],
        "ties": [row for row in whole["ties"] if row["judge"] == judge],
        "paired": [row for row in whole["paired"] if row["judge"] == judge and row["outcome"] in PAIRED_OUTCOMES],
        "humans": [row for row in whole["agreement_with_humans"] if row["judge"] == judge],
        "sensitivity": [row for row in whole["sensitivity"] if row["judge"] == judge],
        "anchoring": [row for row in whole["anchoring"] if row["judge"] == judge],
        "ranking": [row for row in whole["ranking"] if row["judge"] == judge],
    }


def _link(seat: Seat, row: dict[str, Any]) -> str:
    """The address of the verdicts that a row counts."""
    named = {name: row[name] for name in ("judge", "protocol", "level", "probe", "attack", "split", "tier")}
    query = urlencode({name: value for name, value in named.items() if value})
    return f"{reverse('report_verdicts', kwargs={'slug': seat.study.slug})}?{query}"


def _download(text: str, content_type: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type=f"{content_type}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
