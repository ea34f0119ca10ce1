"""Who labels what: rounds, their guideline versions, annotators, items and the slots made ahead."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.enums import AnnotatorState, AssignmentState, LabelKind, ResolutionRule, RoundKind, RoundState
from annotation.models.pairs import Pair, Split
from annotation.models.people import Study, User, opaque_id


class Round(models.Model):
    """Pairs labelled under one scheme and guideline by named annotators. Changed only by steps.assign."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="rounds", db_index=False)
    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="rounds")
    name = models.CharField(max_length=120)
    scheme_name = models.CharField(max_length=60)
    scheme_version = models.CharField(max_length=24)
    scheme_hash = models.CharField(max_length=64)
    scheme = models.TextField(help_text="The scheme when the round was made: the canonical JSON that was hashed")
    state = models.CharField(max_length=24, choices=RoundState.choices(), default=RoundState.DRAFT)
    kind = models.CharField(max_length=24, choices=RoundKind.choices(), default=RoundKind.MAIN)
    # Set on a main round: whoever labels here must first reach the pass mark there.
    training = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="trains_for")
    pass_mark = models.FloatField(null=True, help_text="Share of training items to be right, 0 to 1")
    labels_per_pair = models.PositiveSmallIntegerField(default=2)
    shared_pool = models.BooleanField(default=False, help_text="Slots are claimed one by one instead of given ahead")
    n_repeats = models.PositiveSmallIntegerField(
        default=0, help_text="Pairs that each annotator gets a second time, blind, to measure their consistency"
    )
    seed = models.BigIntegerField(default=0)
    resolution_rule = models.CharField(
        max_length=24, choices=ResolutionRule.choices(), default=ResolutionRule.UNANIMOUS
    )
    # Provenance: where the labels come from, exported with them.
    recruitment = models.TextField(blank=True, default="")
    language = models.CharField(max_length=60, blank=True, default="")
    expected_hours = models.DecimalField(max_digits=8, decimal_places=2, null=True)
    actual_hours = models.DecimalField(max_digits=8, decimal_places=2, null=True)
    pay_basis = models.TextField(blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("created_at", "pk")
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="round_name_is_unique_in_its_study"),
            models.CheckConstraint(
                condition=Q(labels_per_pair__gte=1), name="a_round_wants_at_least_one_label_per_pair"
            ),
            models.CheckConstraint(condition=Q(state__in=RoundState.values()), name="round_state_is_known"),
            models.CheckConstraint(condition=Q(kind__in=RoundKind.values()), name="round_kind_is_known"),
            models.CheckConstraint(
                condition=~Q(kind=RoundKind.TRAINING) | Q(pass_mark__gte=0, pass_mark__lte=1),
                name="a_training_round_has_a_pass_mark",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Guideline(models.Model):
    """One version of a round's guideline, in Markdown. A new text is a new version."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="guidelines", db_index=False)
    version = models.PositiveIntegerField()
    text = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("version",)
        constraints = [
            models.UniqueConstraint(fields=["round", "version"], name="guideline_version_is_unique_in_its_round")
        ]

    def __str__(self) -> str:
        return f"{self.round} guideline {self.version}"


class RoundAnnotator(models.Model):
    """A person, or a name from an imported file, who labels in a round."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="annotators", db_index=False)
    user = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="round_places")
    name = models.CharField(max_length=150, help_text="Stable name within the round; exports use it")
    state = models.CharField(max_length=24, choices=AnnotatorState.choices(), default=AnnotatorState.ACTIVE)
    reason = models.TextField(blank=True, default="")
    # Counted along by the steps, so that showing progress costs the same in a round of any size.
    n_assigned = models.PositiveIntegerField(default=0)
    n_submitted = models.PositiveIntegerField(default=0)
    lead = models.JSONField(
        default=dict, help_text="Shared pools: by tier, how often role 1 was on side A more than role 2"
    )
    guideline_read = models.PositiveIntegerField(default=0, help_text="Last guideline version they confirmed")

    class Meta:
        ordering = ("pk",)
        constraints = [
            models.UniqueConstraint(fields=["round", "name"], name="annotator_name_is_unique_in_its_round"),
            models.UniqueConstraint(
                fields=["round", "user"],
                condition=Q(user__isnull=False),
                name="one_place_per_person_and_round",
            ),
            models.CheckConstraint(condition=Q(state__in=AnnotatorState.values()), name="annotator_state_is_known"),
        ]

    def __str__(self) -> str:
        return self.name


class Item(models.Model):
    """A pair as it stands in a round. A blind repeat of the same pair is an item of its own."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="items", db_index=False)
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="items")
    kind = models.CharField(max_length=24, choices=LabelKind.choices(), default=LabelKind.LABEL)
    position = models.PositiveIntegerField()
    gold_category = models.CharField(max_length=60, blank=True, default="")
    gold_reason = models.TextField(blank=True, default="", help_text="Shown as feedback in training")

    class Meta:
        ordering = ("round_id", "position")
        constraints = [
            models.UniqueConstraint(fields=["round", "pair", "kind"], name="a_pair_stands_once_per_kind_in_a_round"),
            models.UniqueConstraint(fields=["round", "position"], name="a_place_in_a_round_holds_one_item"),
            models.CheckConstraint(
                condition=Q(kind__in=[LabelKind.LABEL, LabelKind.GOLD, LabelKind.TRAINING, LabelKind.REPEAT]),
                name="an_item_is_for_labels_gold_training_or_repeats",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round} #{self.position}"


class Assignment(models.Model):
    """One slot of an item: one annotator and one recorded order. Slots are made ahead, so the cap is structural.

    A slot of a shared pool has no annotator until it is claimed. Giving a slot to somebody else releases this row
    and makes a new one. An adjudicator's blind answer is an assignment too: unique (item, annotator) then keeps an
    independent adjudicator from being one of the pair's annotators.
    """

    public_id = models.CharField(max_length=24, unique=True, default=opaque_id)
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="assignments", db_index=False)
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="assignments", db_index=False)
    annotator = models.ForeignKey(
        RoundAnnotator, on_delete=models.PROTECT, null=True, related_name="assignments", db_index=False
    )
    slot = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=24, choices=LabelKind.choices(), default=LabelKind.LABEL)
    shown_as_a = models.CharField(
        max_length=60, blank=True, help_text="The role displayed on side A; empty: an import did not say"
    )
    position = models.PositiveIntegerField(help_text="Place in this annotator's own order")
    state = models.CharField(max_length=24, choices=AssignmentState.choices(), default=AssignmentState.PENDING)
    revision = models.PositiveIntegerField(default=0, help_text="The label revision in force; 0 before the first")
    leased_until = models.DateTimeField(null=True, help_text="Shared pools: when an idle claim ends")
    opened_at = models.DateTimeField(null=True)
    submitted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "kind", "slot"],
                condition=~Q(state=AssignmentState.RELEASED),
                name="a_slot_of_an_item_is_given_once",
            ),
            models.UniqueConstraint(fields=["item", "annotator"], name="nobody_labels_an_item_twice"),
            models.CheckConstraint(condition=Q(state__in=AssignmentState.values()), name="assignment_state_is_known"),
            models.CheckConstraint(condition=Q(kind__in=LabelKind.values()), name="assignment_kind_is_known"),
            models.CheckConstraint(
                condition=~Q(state=AssignmentState.SUBMITTED) | Q(revision__gte=1),
                name="a_submitted_assignment_has_a_label",
            ),
        ]
        indexes = [
            models.Index(fields=["annotator", "state", "position"], name="next_assignment_of_annotator"),
            models.Index(fields=["annotator", "state", "submitted_at"], name="last_submission_of_annotator"),
            models.Index(fields=["round", "state"], name="progress_of_a_round"),
            models.Index(
                fields=["round", "position"],
                condition=Q(annotator__isnull=True, state=AssignmentState.PENDING),
                name="next_slot_of_a_pool",
            ),
        ]

    def __str__(self) -> str:
        return self.public_id
