"""Agreement of a round by question, and the items behind every figure."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from annotation import schemes
from annotation.enums import MemberRole
from annotation.errors import Refused
from annotation.models import Round
from annotation.permissions import BEHIND, Seat, study_page
from annotation.round_figures import ItemRow, item_rows
from annotation.steps.agree import agreement_of
from annotation.views.rounds import round_of, round_tab

PER_PAGE = 50
#: Coefficients of the agreement table, with the words over their columns.
SHOWN = {
    "raw": "Raw",
    "pabak": "PABAK",
    "brennan_prediger": "Brennan-Prediger",
    "ac1": "AC1",
    "cohen_kappa": "Cohen's kappa",
    "fleiss_kappa": "Fleiss' kappa",
    "alpha_nominal": "Alpha, nominal",
    "alpha_ordinal": "Alpha, ordinal",
}


@require_safe
@study_page(*BEHIND)
def agreement(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """Every coefficient of every question, with intervals; what is undefined says why."""
    here = round_of(seat, pk)
    tier = request.GET.get("tier", "")
    tiers = sorted({row or "" for row in here.items.values_list("pair__tier", flat=True).distinct().order_by()})
    return round_tab(
        request,
        seat,
        here,
        "annotation/agreement.html",
        "agreement",
        names=SHOWN,
        questions=_questions(here, tier or None),
        tiers=[each for each in tiers if each],
        tier=tier,
        confusion=_confusion(item_rows(here)),
    )


@require_safe
@study_page(MemberRole.OWNER, MemberRole.COORDINATOR, MemberRole.RESEARCHER)
def items(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """The round's pairs with everybody's answers; ``?show=`` keeps one state, ``?said=a|b`` two given answers."""
    here = round_of(seat, pk)
    show, said = request.GET.get("show", ""), request.GET.get("said", "")
    rows = item_rows(here)
    states = Counter(row.state for row in rows)
    if show:
        rows = [row for row in rows if row.state == show or (show == "differ" and row.is_disputed)]
    if said:
        rows = [row for row in rows if sorted(each.category for each in row.labels) == sorted(said.split("|"))]
    return round_tab(
        request,
        seat,
        here,
        "annotation/items.html",
        "items",
        rows=Paginator(rows, PER_PAGE).get_page(request.GET.get("page")),
        n_found=len(rows),
        states=states,
        show=show,
        said=said,
        annotators=list(here.annotators.values_list("name", flat=True)),
    )


def _questions(here: Round, tier: str | None) -> list[dict[str, Any]]:
    scheme = schemes.from_canonical(here.scheme)
    found: list[dict[str, Any]] = []
    for question in scheme.questions:
        row: dict[str, Any] = {"question": question, "primary": question.name == scheme.primary}
        try:
            row["estimates"] = agreement_of(here, question.name, tier=tier)
        except Refused as error:
            row["undefined"] = error.message
        found.append(row)
    return found


def _confusion(rows: list[ItemRow]) -> dict[str, Any] | None:
    """How often which two answers met, over pairs with exactly two labels; None for a scheme without a category."""
    met: Counter[tuple[str, str]] = Counter()
    for row in rows:
        if len(row.labels) == 2 and row.labels[0].category:
            first, second = sorted(label.category for label in row.labels)
            met[first, second] += 1
    names = sorted({name for both in met for name in both})
    if not names:
        return None
    table = [[met[min(a, b), max(a, b)] for b in names] for a in names]
    return {"names": names, "rows": list(zip(names, table, strict=True)), "n": sum(met.values())}
