"""From categories to targets: the table of cases a frozen split rests on."""

from __future__ import annotations

import pytest

from annotation.targets import category_target, human_target, is_unanimous, settle

ROLES = ("plain", "cited")


@pytest.mark.parametrize(
    ("tier", "categories", "constructed", "target", "status"),
    [
        ("moderate", ["plain", "plain"], "plain", "plain", "confirmed"),
        ("moderate", ["cited", "cited"], "plain", "cited", "contradicted"),
        ("moderate", ["Tie", "Tie"], "plain", "tie", "contradicted"),
        ("moderate", ["plain", "Tie"], "plain", None, "undecided"),
        ("moderate", ["plain", "Tie", "plain"], "plain", "plain", "confirmed"),
        ("moderate", ["Unclear", "Unclear"], "plain", None, "excluded"),
        ("soft", ["Tie", "plain"], None, "boundary", "confirmed"),
        ("soft", ["plain", "plain"], None, "plain", "contradicted"),
        ("soft", ["plain", "cited"], None, None, "undecided"),
        ("natural", ["Equivalent", "equivalent"], None, "tie", "confirmed"),
        ("natural", ["Equivalent", "cited"], None, None, "undecided"),
        ("natural", ["cited", "cited"], None, "cited", "contradicted"),
        ("preference", ["plain"], None, "plain", "confirmed"),
        (None, ["plain", "plain"], None, "plain", "confirmed"),
        ("moderate", [], "plain", None, "undecided"),
        ("moderate", ["purple", "purple"], "plain", None, "excluded"),
    ],
)
def test_target_and_status_of_settled_labels(
    tier: str | None, categories: list[str], constructed: str | None, target: str | None, status: str
) -> None:
    meanings = [category_target(category, roles=ROLES) or category for category in categories]
    found = human_target(
        tier=tier, categories=categories, settled=settle(meanings), constructed=constructed, roles=ROLES
    )
    assert (found.target, found.status.value) == (target, status)
    assert found.reason


def test_target_of_soft_is_boundary_whatever_was_settled() -> None:
    target, status, _ = human_target(tier="soft", categories=["Tie", "plain", "plain"], settled="plain")
    assert (target, status) == ("boundary", "confirmed")


def test_target_settled_as_unclear_is_excluded() -> None:
    assert human_target(tier="moderate", categories=["plain", "Tie"], settled="Unclear").status == "excluded"


def test_target_follows_the_schemes_own_mapping() -> None:
    mapping = {"first_better": "plain", "no_difference": "tie", "skip": "unclear"}
    found = human_target(tier="natural", categories=["no_difference"], settled="no_difference", mapping=mapping)
    assert (found.target, found.status) == ("tie", "confirmed")
    assert human_target(tier="natural", categories=["x"], settled="x", mapping=mapping).target is None


def test_settle_prefers_the_adjudicator_then_unanimity_then_a_strict_majority() -> None:
    assert settle(["a", "a"], adjudicated="b") == "b"
    assert settle(["a", "a"]) == "a"
    assert settle(["a", "a", "b"]) == "a"
    assert settle(["a", "b"]) is None
    assert settle(["a", "a", "b", "b"]) is None
    assert settle([]) is None


def test_unanimity_needs_two_annotators() -> None:
    assert is_unanimous(["a", "a"])
    assert not is_unanimous(["a"])
    assert not is_unanimous(["a", "b"])


def test_category_meanings_without_roles_take_any_other_word_for_a_role() -> None:
    assert category_target("plain") == "plain"
    assert category_target(" TIE ") == "tie"
    assert category_target("") is None
    assert category_target("other", roles=ROLES) is None
