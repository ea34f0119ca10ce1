"""The tables of the people's part, described on one page in docs/data_model.md."""

from annotation.models.labels import Draft, Label, Resolution
from annotation.models.pairs import ImportReport, Pair, Split
from annotation.models.people import Amendment, AuditEntry, Invitation, Membership, Study, User, opaque_id
from annotation.models.rounds import Assignment, Guideline, Item, Round, RoundAnnotator
from annotation.models.validated import ValidatedPair, ValidatedSplit

__all__ = [
    "Amendment",
    "Assignment",
    "AuditEntry",
    "Draft",
    "Guideline",
    "ImportReport",
    "Invitation",
    "Item",
    "Label",
    "Membership",
    "Pair",
    "Resolution",
    "Round",
    "RoundAnnotator",
    "Split",
    "Study",
    "User",
    "ValidatedPair",
    "ValidatedSplit",
    "opaque_id",
]
