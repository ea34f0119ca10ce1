"""From the labels people gave a pair to the target a sound judge should name. Pure; one place for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from annotation.enums import DEFAULT_TARGETS, TARGET_BOUNDARY, TARGET_TIE, Tier, ValidationStatus

#: Categories that mean "neither candidate is better", compared in lower case.
TIE_CATEGORIES = frozenset({"tie", "equivalent", "equal"})
#: Categories by which an annotator declines to say.
UNCLEAR_CATEGORIES = frozenset({"unclear", "cannot tell", "can't tell", "unsure"})

#: What a category maps to where the annotators' answer cannot be used as a target.
UNCLEAR = "unclear"


class HumanTarget(NamedTuple):
    """``target`` is a role, "tie", "boundary" or None; ``reason`` says in words how it came about."""

    target: str | None
    status: ValidationStatus
    reason: str


def human_target(
    *,
    tier: str | None,
    categories: Sequence[str],
    settled: str | None,
    constructed: str | None = None,
    roles: Sequence[str] | None = None,
    mapping: Mapping[str, str] | None = None,
) -> HumanTarget:
    """The human target of one pair.

    ``categories`` are the independent annotators' answers (one each), ``settled`` the category their
    resolution ended in, None where nobody settled it. ``constructed`` is the target the pair was built with;
    without it the tier's default stands in. ``mapping`` (category -> role, "tie", "boundary" or "unclear")
    is the scheme's; without it a role maps to itself and the words of TIE_CATEGORIES and UNCLEAR_CATEGORIES
    to a tie and to no answer. ``roles``, where given, are the only categories that may become a role.

    In the soft tier any annotator's Tie makes the target "boundary", whatever was settled (TRACE 5.3).
    """
    expected = constructed or DEFAULT_TARGETS.get(Tier(tier)) if tier else constructed
    if not categories and settled is None:
        return HumanTarget(None, ValidationStatus.UNDECIDED, "nobody labelled this pair")
    meanings = [category_target(category, roles=roles, mapping=mapping) for category in categories]
    settled_target = None if settled is None else category_target(settled, roles=roles, mapping=mapping)
    if tier == Tier.SOFT and not {TARGET_TIE, TARGET_BOUNDARY}.isdisjoint((*meanings, settled_target)):
        return _compared(TARGET_BOUNDARY, expected, "an annotator chose Tie in the soft tier")
    if settled is None:
        if set(meanings) == {UNCLEAR}:
            return HumanTarget(None, ValidationStatus.EXCLUDED, "every annotator found the pair unclear")
        return HumanTarget(None, ValidationStatus.UNDECIDED, "the annotators differ and nobody settled it")
    if settled_target == UNCLEAR:
        return HumanTarget(None, ValidationStatus.EXCLUDED, "the pair was settled as unclear")
    if settled_target is None:
        return HumanTarget(None, ValidationStatus.EXCLUDED, f"the settled category {settled!r} names no target")
    return _compared(settled_target, expected, f"settled as {settled!r}")


def category_target(
    category: str, *, roles: Sequence[str] | None = None, mapping: Mapping[str, str] | None = None
) -> str | None:
    """What a category says of the pair: a role, "tie", "boundary", "unclear", or None (says nothing)."""
    if mapping is not None:
        return mapping.get(category)
    if roles is not None and category in roles:
        return category
    word = category.strip().lower()
    if word in TIE_CATEGORIES:
        return TARGET_TIE
    if word in UNCLEAR_CATEGORIES:
        return UNCLEAR
    return category if roles is None and word else None


def settle(categories: Sequence[str], *, adjudicated: str | None = None) -> str | None:
    """The settled category: the adjudicator's, else the unanimous one, else a strict majority's."""
    if adjudicated is not None:
        return adjudicated
    if not categories:
        return None
    category, votes = Counter(categories).most_common(1)[0]
    return category if 2 * votes > len(categories) else None


def is_unanimous(categories: Sequence[str]) -> bool:
    """Whether two or more annotators answered and all gave the same category."""
    return len(categories) >= 2 and len(set(categories)) == 1


def _compared(target: str, expected: str | None, reason: str) -> HumanTarget:
    if expected is None:
        return HumanTarget(target, ValidationStatus.CONFIRMED, f"{reason}; the pair was built without a target")
    status = ValidationStatus.CONFIRMED if target == expected else ValidationStatus.CONTRADICTED
    return HumanTarget(target, status, f"{reason}; built as {expected!r}")
