"""axe-core finds nothing on any page, in light, in dark and on a phone, and no page is wider than its window."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from annotation.enums import MemberRole
from annotation.models import Assignment, Item, RoundAnnotator
from annotation.places import address_of
from annotation.steps.adjudicate import settle_round
from annotation.steps.assign import close_round
from annotation.steps.freeze import freeze
from annotation.steps.invite import invite
from judging.models import Comparison
from judging.runner import run_to_end
from judging.steps.judges import declare_judge
from judging.steps.plan import plan_run
from tests.material import pair_row, say

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
}


@pytest.fixture
def pages(site: Any) -> dict[str, list[str]]:
    """Every page by who opens it, on a study that has something of everything."""
    site.pairs([pair_row(number) for number in range(1, 7)])
    people = site.annotators(2)
    open_, closed = (site.round(annotators=people, name=name) for name in ("open", "closed"))
    for number, slot in enumerate(Assignment.objects.filter(round=closed).order_by("item", "slot")):
        say(slot, "plain" if number % 3 else "Tie", comment="A remark.")
    close_round(round=closed, actor=site.owner)
    settle_round(round=closed, actor=site.owner)
    frozen = freeze(study=site.study, name="frozen", rounds=[closed], by=site.owner)
    judges = [declare_judge(study=site.study, spec=spec) for spec in ("simulator", "baseline:always_tie")]
    run = plan_run(study=site.study, split=site.split(), judges=judges, protocols=["ladder:L0,L4"], name="run")
    run_to_end(run)
    place = address_of(RoundAnnotator.objects.get(round=open_, user=people[0]).pk)
    done = address_of(RoundAnnotator.objects.get(round=closed, user=people[0]).pk)
    _, token = invite(study=site.study, role=MemberRole.ANNOTATOR, by=site.owner)
    study = f"/studies/{site.study.slug}/"
    item = Item.objects.filter(round=closed).order_by("position").first()
    comparison = Comparison.objects.filter(wanted_by__run=run).first()
    assert item is not None
    assert comparison is not None
    adjudicator = site.member(MemberRole.ADJUDICATOR)
    rounds = f"{study}rounds/{closed.pk}/"
    return {
        "": ["/sign-in/", f"/join/{token}/", "/join/no-such-token/"],
        people[0].username: [
            "/work/",
            f"/work/{place}/guideline/",
            f"/work/{place}/",
            f"/work/{place}/pairs/",
            f"/work/{done}/",
            f"/work/{done}/pairs/",
            "/account/",
            "/help/",
            "/no-such-page/",
        ],
        adjudicator.username: [f"{rounds}items/{item.pk}/blind/"],
        site.owner.username: [
            study,
            "/studies/",
            f"{study}splits/",
            f"{study}splits/new/",
            f"{study}splits/{site.split().pk}/",
            f"{study}imports/{site.study.imports.get().pk}/",
            f"{study}pairs/{item.pair_id}/",
            f"{study}rounds/",
            f"{study}rounds/new/",
            f"{study}rounds/{open_.pk}/",
            f"{study}rounds/{open_.pk}/set-up/",
            rounds,
            f"{rounds}agreement/",
            f"{rounds}items/",
            f"{rounds}disagreements/",
            f"{rounds}items/{item.pk}/",
            f"{study}validated/",
            f"{study}validated/{frozen.pk}/",
            f"{study}runs/",
            f"{study}runs/new/",
            f"{study}runs/{run.public_id}/",
            f"{study}runs/{run.public_id}/comparisons/",
            f"{study}runs/{run.public_id}/comparisons/{comparison.pk}/",
            f"{study}report/?now=1",
            f"{study}report/verdicts/?level=L0",
            f"{study}people/",
            f"{study}audit/",
        ],
    }


@pytest.mark.parametrize("look", list(LOOKS))
def test_no_page_has_a_serious_violation_or_overflows(look: str, pages: dict[str, list[str]], enter: Any) -> None:
    axe = Axe()
    wrong: list[str] = []
    for username, paths in pages.items():
        person = enter(username, **LOOKS[look])
        for path in paths:
            person.go(path)
            if "/guideline/" in path and (read := person.page.get_by_role("button", name="I have read it")).count():
                wrong += violations(axe, person, path)
                read.click()
                continue
            wrong += violations(axe, person, path)
            if person.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wrong.append(f"{path}: wider than the window")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", ["guideline", "help"])
def test_a_dialog_of_the_labelling_screen_has_no_serious_violation(
    name: str, pages: dict[str, list[str]], enter: Any
) -> None:
    annotator = next(username for username, paths in pages.items() if "/work/" in paths)
    person = enter(annotator, "/work/")
    person.start_labelling()
    person.page.locator(f"[data-{name}]").click()
    assert violations(Axe(), person, name) == []


def violations(axe: Axe, person: Any, path: str) -> list[str]:
    found = axe.run(person.page).response["violations"]
    return [
        f"{path}: {each['id']} ({each['impact']}) {each['nodes'][0]['target']} {each['nodes'][0]['html'][:120]}"
        for each in found
    ]
