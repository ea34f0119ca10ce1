"""The closed vocabularies of pairs, rounds and labels, with the words shown for them. Imports nothing of ours."""

from __future__ import annotations

from enum import StrEnum


class Choice(StrEnum):
    """A string enum whose members carry display words: ``NAME = "value", "Words shown"``."""

    words: str

    def __new__(cls, value: str, words: str = "") -> Choice:
        member = str.__new__(cls, value)
        member._value_ = value
        member.words = words or value.replace("_", " ").capitalize()
        return member

    @classmethod
    def choices(cls) -> list[tuple[str, str]]:
        """(value, words) pairs, in declaration order, as Django's ``choices=`` takes them."""
        return [(member.value, member.words) for member in cls]

    @classmethod
    def values(cls) -> list[str]:
        return [member.value for member in cls]


class Tier(Choice):
    """How a pair was built. Never rewritten, whatever people later say of the pair."""

    EQUIVALENCE = "equivalence", "Equivalence"
    NATURAL = "natural", "Natural"
    SOFT = "soft", "Soft boundary"
    MODERATE = "moderate", "Moderate gap"
    CONFLICT = "conflict", "Conflict"
    REVERSE_CONFLICT = "reverse_conflict", "Reverse conflict"
    IDENTICAL = "identical", "Identical"
    RANKING = "ranking", "Ranking"
    PREFERENCE = "preference", "Preference"


#: Words a target may be besides one of the pair's two roles.
TARGET_TIE = "tie"
TARGET_BOUNDARY = "boundary"
RESERVED_ROLE_NAMES = frozenset({"tie", "Tie", "boundary", "A", "B", "unclear", "Unclear", ""})

#: The target a tier implies where the file names none; tiers not listed need a declared role or have no target.
DEFAULT_TARGETS: dict[Tier, str] = {
    Tier.EQUIVALENCE: TARGET_TIE,
    Tier.NATURAL: TARGET_TIE,
    Tier.IDENTICAL: TARGET_TIE,
    Tier.SOFT: TARGET_BOUNDARY,
}
#: Tiers whose target must be one of the pair's roles.
ROLE_TARGET_TIERS = frozenset({Tier.MODERATE, Tier.CONFLICT, Tier.REVERSE_CONFLICT})


class SplitPart(Choice):
    """Of a set divided by cluster, the part a split is: prompts tuned on development are reported on held out only."""

    DEVELOPMENT = "development", "Development"
    HELD_OUT = "held_out", "Held out"


class LabelKind(Choice):
    """Only ``label`` and ``third`` ever enter an agreement coefficient."""

    LABEL = "label", "Label"
    THIRD = "third", "Third opinion"
    ADJUDICATION = "adjudication", "Adjudication"
    GOLD = "gold", "Gold check"
    TRAINING = "training", "Training"
    REPEAT = "repeat", "Blind repeat"


#: The kinds whose labels are people's independent opinions.
AGREEMENT_KINDS = (LabelKind.LABEL, LabelKind.THIRD)


class MemberRole(Choice):
    OWNER = "owner", "Owner"
    COORDINATOR = "coordinator", "Coordinator"
    ADJUDICATOR = "adjudicator", "Adjudicator"
    RESEARCHER = "researcher", "Researcher"
    ANNOTATOR = "annotator", "Annotator"


class RoundKind(Choice):
    """A training round teaches and tests; its labels never enter a coefficient or a target."""

    MAIN = "main", "Labelling"
    TRAINING = "training", "Training"


class RoundState(Choice):
    DRAFT = "draft", "Draft"
    OPEN = "open", "Open"
    CLOSED = "closed", "Closed"


class AssignmentState(Choice):
    PENDING = "pending", "To do"
    SUBMITTED = "submitted", "Submitted"
    RELEASED = "released", "Released"


class AnnotatorState(Choice):
    ACTIVE = "active", "Active"
    LEFT = "left", "Left"
    EXCLUDED = "excluded", "Excluded"


class ResolutionRule(Choice):
    UNANIMOUS = "unanimous", "Unanimous, else adjudicated"
    MAJORITY = "majority", "Majority, else adjudicated"
    ADJUDICATED = "adjudicated", "Always adjudicated"


class ResolutionMethod(Choice):
    UNANIMOUS = "unanimous", "Unanimous"
    MAJORITY = "majority", "Majority"
    ADJUDICATED = "adjudicated", "Adjudicated"
    IMPORTED = "imported", "Settled in an imported file"


class ValidationStatus(Choice):
    CONFIRMED = "confirmed", "Confirmed"
    CONTRADICTED = "contradicted", "Contradicted"
    UNDECIDED = "undecided", "Undecided"
    EXCLUDED = "excluded", "Excluded"
