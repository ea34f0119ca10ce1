"""An annotator's places: the rounds they label in, under neutral titles and opaque addresses.

A round's name may tell its tiers, so no annotator reads it: they see the study's name and "Round 1", "Round 2" in
their own order. The address is a keyed digest, which tells nothing and differs for every annotator.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F, Max, OuterRef, Subquery, Window
from django.db.models.functions import RowNumber
from django.utils.crypto import salted_hmac

from annotation.enums import AnnotatorState, MemberRole, RoundKind, RoundState
from annotation.models import Guideline, RoundAnnotator, User
from annotation.queries import Progress


@dataclass(frozen=True, slots=True)
class Place:
    """One annotator in one round: what their pages need to know of it, and nothing that tells a tier."""

    row: RoundAnnotator
    address: str
    study: str
    number: int
    guideline_version: int

    @property
    def title(self) -> str:
        return f"Training {self.number}" if self.is_training else f"Round {self.number}"

    @property
    def is_training(self) -> bool:
        return self.row.round.kind == RoundKind.TRAINING

    @property
    def progress(self) -> Progress:
        """As it was when the place was read."""
        return Progress(done=self.row.n_submitted, total=0 if self.row.round.shared_pool else self.row.n_assigned)

    @property
    def is_done(self) -> bool:
        """Whether every pair given to this annotator is labelled; in a shared pool only its end can tell."""
        return 0 < self.progress.total <= self.progress.done

    @property
    def state(self) -> str:
        """``open``, ``closed`` or ``ended``: what a page shows before it asks for a pair."""
        if self.row.state != AnnotatorState.ACTIVE:
            return "ended"
        return "open" if self.row.round.state == RoundState.OPEN else "closed"

    @property
    def guideline_is_new(self) -> bool:
        return self.row.guideline_read < self.guideline_version


def places_of(user: User) -> list[Place]:
    """The places of ``user`` in studies where they are an annotator now, in the order they came. One query."""
    latest = Guideline.objects.filter(round=OuterRef("round")).values("round").annotate(v=Max("version")).values("v")
    rows = (
        RoundAnnotator.objects.filter(
            user=user,
            round__study__memberships__user=user,
            round__study__memberships__role=MemberRole.ANNOTATOR,
            round__study__memberships__removed_at__isnull=True,
        )
        .exclude(round__state=RoundState.DRAFT)
        .select_related("round__study")
        .defer("round__scheme")
        .annotate(
            number=Window(RowNumber(), partition_by=[F("round__study_id"), F("round__kind")], order_by="pk"),
            guideline_latest=Subquery(latest),
        )
        .order_by("pk")
    )
    return [
        Place(
            row=row,
            address=address_of(row.pk),
            study=row.round.study.name,
            number=row.number,
            guideline_version=row.guideline_latest or 0,
        )
        for row in rows
    ]


def place_called(*, user: User, address: str) -> Place | None:
    """The place of ``user`` that has this address; None for anybody else's."""
    return next((place for place in places_of(user) if place.address == address), None)


def address_of(place_id: int) -> str:
    """The opaque name of a place in addresses."""
    return salted_hmac("annotation.place", str(place_id), algorithm="sha256").hexdigest()[:20]
