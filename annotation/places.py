"""An annotator's places: the rounds they label in, under neutral titles and opaque addresses.

A round's name may tell its tiers, so no annotator reads it: they see the study's name and "Round 1", "Round 2" in
their own order. The address is a keyed digest, which tells nothing and differs for every annotator.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, F, Max, OuterRef, QuerySet, Subquery, Window
from django.db.models.functions import RowNumber
from django.utils.crypto import salted_hmac

from annotation.enums import AnnotatorState, MemberRole, RoundKind, RoundState
from annotation.models import Guideline, Membership, RoundAnnotator, User
from annotation.prepared import Prepared
from annotation.queries import Progress, progress_of


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
        return progress_of(self.row)

    @property
    def is_done(self) -> bool:
        """Whether every pair given to this annotator is labelled; in a shared pool only its end can tell."""
        return 0 < self.progress.total <= self.progress.done

    @property
    def state(self) -> str:
        return state_of(self.row)

    @property
    def guideline_is_new(self) -> bool:
        return self.row.guideline_read < self.guideline_version


def state_of(row: RoundAnnotator) -> str:
    """``open``, ``closed`` or ``ended``: what is told before a pair is asked for."""
    if row.state != AnnotatorState.ACTIVE:
        return "ended"
    return "open" if row.round.state == RoundState.OPEN else "closed"


def places_of(user: User) -> list[Place]:
    """The places of ``user`` in studies where they are an annotator now, in the order they came. One query."""
    latest = Guideline.objects.filter(round=OuterRef("round")).values("round").annotate(v=Max("version")).values("v")
    rows = (
        _open_to(user.pk)
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


def row_called(*, user: User, address: str) -> RoundAnnotator | None:
    """The bare row of a place with its round, for whoever needs no title. One query once the address is known."""
    pk = _seen.get(address)
    if pk is None:
        mine = RoundAnnotator.objects.filter(user=user).values_list("pk", flat=True)
        pk = next((each for each in mine if address_of(each) == address), None)
        if pk is None:
            return None
        _remember(address, pk)
    return _ROW.first(user=user.pk, pk=pk)


def address_of(place_id: int) -> str:
    """The opaque name of a place in addresses."""
    return salted_hmac("annotation.place", str(place_id), algorithm="sha256").hexdigest()[:20]


#: Whose place an address is never changes, so what was found once need not be searched for again.
_seen: dict[str, int] = {}
_MOST_SEEN = 10_000
_COLUMNS = (
    "state", "user", "name", "guideline_read", "n_submitted", "n_assigned", "round__state", "round__kind",
    "round__scheme", "round__study", "round__training", "round__shared_pool",
)  # fmt: skip


def _remember(address: str, pk: int) -> None:
    if len(_seen) >= _MOST_SEEN:
        _seen.clear()
    _seen[address] = pk


def _open_to(user: int) -> QuerySet[RoundAnnotator]:
    """The places of ``user`` (an id) in opened rounds of studies where they are an annotator now."""
    present = Membership.objects.filter(
        study=OuterRef("round__study"), user=user, role=MemberRole.ANNOTATOR, removed_at__isnull=True
    )
    return RoundAnnotator.objects.filter(Exists(present), user=user).exclude(round__state=RoundState.DRAFT)


_ROW = Prepared(
    lambda user, pk: _open_to(user).filter(pk=pk).select_related("round").only(*_COLUMNS).order_by(), user=int, pk=int
)
