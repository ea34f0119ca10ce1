"""Cue labels by probe, and their way onto the screen in either order."""

from __future__ import annotations

import pytest

from annotation.errors import Refused
from judging.cues import CUES_VERSION, displayed_cues, plan_cues

ROLES = ("llm", "extractive")
LABELS = {"llm": "by a model", "extractive": "by extraction"}


def test_blind_displays_nothing_and_favours_nobody() -> None:
    plan = plan_cues("blind", roles=ROLES, labels=LABELS)
    assert (plan.first, plan.revealed, plan.favours) == (None, None, "")


def test_truth_displays_each_roles_own_label_and_favours_the_first_role() -> None:
    plan = plan_cues("truth", roles=ROLES, labels=LABELS)
    assert (plan.first, plan.favours, plan.version) == (LABELS, "llm", CUES_VERSION)


def test_flip_exchanges_the_labels_and_with_them_who_is_favoured() -> None:
    plan = plan_cues("flip", roles=ROLES, labels=LABELS)
    assert plan.first == {"llm": "by extraction", "extractive": "by a model"}
    assert (plan.revealed, plan.favours) == (None, "extractive")


def test_placebo_gives_the_badge_to_the_side_named_and_says_so() -> None:
    plan = plan_cues("placebo", roles=ROLES, favours="extractive", badge="checked", no_badge="not checked")
    assert (plan.first, plan.favours) == ({"extractive": "checked", "llm": "not checked"}, "extractive")


def test_reveal_after_shows_the_flipped_labels_first_and_the_true_ones_afterwards() -> None:
    plan = plan_cues("reveal_after", roles=ROLES, labels=LABELS)
    assert plan.first == plan_cues("flip", roles=ROLES, labels=LABELS).first
    assert plan.revealed == LABELS


def test_roles_without_a_declared_label_are_called_by_their_default_or_their_name() -> None:
    plan = plan_cues("truth", roles=("llm", "house_system"))
    assert plan.first == {"llm": "written by a large language model", "house_system": "house system"}


def test_equal_labels_are_refused_since_nothing_could_be_flipped() -> None:
    with pytest.raises(Refused, match="give each its own label"):
        plan_cues("flip", roles=ROLES, labels=dict.fromkeys(ROLES, "same"))


def test_a_cue_cannot_favour_a_role_the_pair_does_not_have() -> None:
    with pytest.raises(Refused, match="llm and extractive"):
        plan_cues("placebo", roles=ROLES, favours="cited")


@pytest.mark.parametrize(("shown_as_a", "expected"), [("llm", ("x", "y")), ("extractive", ("y", "x"))])
def test_displayed_cues_follow_the_order(shown_as_a: str, expected: tuple[str, str]) -> None:
    assert displayed_cues({"llm": "x", "extractive": "y"}, roles=ROLES, shown_as_a=shown_as_a) == expected
    assert displayed_cues(None, roles=ROLES, shown_as_a=shown_as_a) is None
