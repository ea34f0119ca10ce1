"""The pair classifier: its proposal for every tier, and the evidence it gives."""

from __future__ import annotations

import pytest

from annotation.construction.arithmetic import arithmetic_holds
from annotation.construction.classify import propose
from annotation.records import PairRecord
from tests.annotation.construction.material import build


def pair(first: str | None, second: str | None, **more: object) -> PairRecord:
    return PairRecord(pair_id="p", task="t", roles=("plain", "cited"), candidates=(first, second), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "recipe", ["mechanical", "identical", "equal_content", "conflicts", "reverse_conflicts", "natural"]
)
def test_built_pairs_are_proposed_the_tier_they_have(recipe: str) -> None:
    pairs = [one for one in build(recipe)[0] if one.domain != "code" and one.context is None]
    proposals = [propose(one) for one in pairs]
    right = sum(
        proposal.tier.value == one.tier
        for proposal, one in zip(proposals, pairs, strict=True)
        if proposal.target is not None
    )
    assert right == sum(proposal.target is not None for proposal in proposals)
    assert right >= len(pairs) / 2


@pytest.mark.parametrize("recipe", ["moderate", "finqa_moderate", "soft"])
def test_graded_pairs_are_mostly_proposed_their_tier(recipe: str) -> None:
    pairs, _ = build(recipe)
    hits = sum(propose(one).tier.value == one.tier and propose(one).target == one.target for one in pairs)
    assert hits >= 0.75 * len(pairs)


def test_a_proposed_conflict_side_is_never_the_wrong_one() -> None:
    for recipe in ("conflicts", "reverse_conflicts"):
        for one in build(recipe)[0]:
            if one.domain != "code":
                assert propose(one).target in {one.target, None}


def test_a_known_answer_settles_the_side() -> None:
    found = propose(pair("So.\n\nFinal answer: 1932", "So. [1]\n\nFinal answer: 1942"), gold="1942")
    assert (found.tier.value, found.target) == ("reverse_conflict", "cited")
    assert "The known answer is '1942'." in found.evidence


def test_polar_conflicts_are_left_to_people() -> None:
    found = propose(pair("Both are rivers.\n\nFinal answer: yes", "Both are rivers.\n\nFinal answer: no"))
    assert (found.tier.value, found.target) == ("conflict", None)


def test_texts_without_answers_are_left_to_people() -> None:
    long = "This text goes on about the mill and the river and the wheel and never declares what the answer might be."
    found = propose(pair(long, long.replace("mill", "boat") + " Really."))
    assert (found.tier.value, found.target) == ("preference", None)


def test_a_missing_text_is_no_error() -> None:
    assert propose(pair(None, "x")).target is None


def test_every_proposal_gives_evidence() -> None:
    for recipe in ("mechanical", "conflicts", "moderate", "soft", "natural", "identical", "workflow"):
        assert all(propose(one).evidence for one in build(recipe)[0])


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Dividing 6 by 4 gives 1.5.", True),
        ("Subtracting 96 from 120 gives 24. Dividing 24 by 96 gives 0.25, or 25%.", True),
        ("Dividing 6 by 4 gives 1.9.", False),
        ("6 / 4 = 1.5 and 2 * 3 = 6", True),
        ("6 + 4 = 11", False),
        ("No sum here.", None),
    ],
)
def test_written_sums_are_checked(text: str, holds: bool | None) -> None:
    assert arithmetic_holds(text) is holds
