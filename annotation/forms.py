"""The forms of the study's pages: they check what was typed and hand it to one step."""

from __future__ import annotations

from typing import Any, cast

from django import forms

from annotation import schemes
from annotation.enums import AnnotatorState, MemberRole, ResolutionRule, RoundKind, RoundState, Tier
from annotation.models import Membership, Round, RoundAnnotator, Split, Study, User
from annotation.schemes import Scheme

Choices = list[tuple[str, str]]


class ImportPairsForm(forms.Form):
    file = forms.FileField(help_text="JSONL, CSV or XLSX in the pairs format, or a public test set that is recognised.")
    split = forms.CharField(
        max_length=120, required=False, help_text="Where to put the pairs. Empty: the split that each row names."
    )


class ImportLabelsForm(forms.Form):
    """Labels that people gave elsewhere, as a closed round of their own."""

    file = forms.FileField(help_text="JSONL, CSV or XLSX in the labels format.")
    round_name = forms.CharField(max_length=120, label="Name of the round")
    scheme = forms.ChoiceField(label="Label scheme")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["scheme"]).choices = scheme_choices()


class RoundForm(forms.Form):
    """A new round: what is labelled, by which questions, how often, and where the labels come from."""

    name = forms.CharField(max_length=120, help_text="For you and your colleagues; annotators never read it.")
    split = forms.ModelChoiceField(Split.objects.none(), empty_label=None)
    scheme = forms.ChoiceField(label="Label scheme")
    tiers = forms.MultipleChoiceField(
        required=False,
        choices=Tier.choices(),
        widget=forms.CheckboxSelectMultiple,
        help_text="None ticked: pairs of every tier.",
    )
    subset = forms.IntegerField(
        required=False, min_value=1, help_text="Only so many pairs, drawn by the seed. Empty: all."
    )
    labels_per_pair = forms.IntegerField(initial=2, min_value=1, max_value=20, label="Labels per pair")
    repeats = forms.IntegerField(
        initial=0,
        min_value=0,
        label="Blind repeats",
        help_text="Pairs that each annotator meets a second time, unannounced; kept out of agreement.",
    )
    resolution_rule = forms.ChoiceField(choices=ResolutionRule.choices(), label="Settled when")
    training = forms.ModelChoiceField(Round.objects.none(), required=False, label="Training to pass first")
    seed = forms.IntegerField(initial=0, min_value=0, help_text="The same seed gives the same order again.")
    guideline = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 12}), help_text="Markdown. Shown before the first pair."
    )
    recruitment = forms.CharField(required=False, help_text="How the annotators were found.")
    language = forms.CharField(required=False, max_length=60)
    expected_hours = forms.DecimalField(required=False, min_value=0, max_digits=8, decimal_places=2)
    pay_basis = forms.CharField(required=False, label="Pay")

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        splits = Split.objects.filter(study=study)
        trainings = Round.objects.filter(study=study, kind=RoundKind.TRAINING)
        cast("forms.ModelChoiceField[Split]", self.fields["split"]).queryset = splits
        cast("forms.ModelChoiceField[Round]", self.fields["training"]).queryset = trainings
        cast(forms.ChoiceField, self.fields["scheme"]).choices = scheme_choices()

    def step_arguments(self) -> dict[str, Any]:
        """The cleaned fields as ``steps.assign.create_round`` takes them."""
        given = dict(self.cleaned_data)
        given["tiers"] = given["tiers"] or None
        given["resolution_rule"] = ResolutionRule(given["resolution_rule"])
        return given


class AnnotatorsForm(forms.Form):
    """Which annotators of the study label in a round: those who are not in it yet."""

    annotators = forms.ModelMultipleChoiceField(User.objects.none(), widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, round: Round, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        blind = Membership.objects.filter(
            study=round.study_id, role=MemberRole.ANNOTATOR, removed_at__isnull=True
        ).values("user")
        free = User.objects.filter(pk__in=blind).exclude(round_places__round=round).order_by("username")
        cast("forms.ModelMultipleChoiceField[User]", self.fields["annotators"]).queryset = free


class EndPlaceForm(forms.Form):
    place = forms.ModelChoiceField(RoundAnnotator.objects.none(), label="Annotator")
    state = forms.ChoiceField(
        label="What happened",
        choices=[
            (AnnotatorState.LEFT, "Left: their labels keep counting"),
            (AnnotatorState.EXCLUDED, "Excluded: their labels stop counting"),
        ],
    )
    reason = forms.CharField()

    def __init__(self, *args: Any, round: Round, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        active = RoundAnnotator.objects.filter(round=round, state=AnnotatorState.ACTIVE)
        cast("forms.ModelChoiceField[RoundAnnotator]", self.fields["place"]).queryset = active


class GuidelineForm(forms.Form):
    text = forms.CharField(
        label="Guideline",
        widget=forms.Textarea(attrs={"rows": 18}),
        strip=False,
        help_text="Saving a changed text makes a new version, which everybody reads before their next pair.",
    )


class SettleForm(forms.Form):
    """Settle one pair: a category of its scheme, and the reason."""

    category = forms.ChoiceField(widget=forms.RadioSelect)
    reason = forms.CharField(widget=forms.Textarea(attrs={"rows": 3}), max_length=10_000)

    def __init__(self, *args: Any, scheme: Scheme, roles: tuple[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        declared = scheme.categories(scheme.primary, roles) if scheme.primary else []
        cast(forms.ChoiceField, self.fields["category"]).choices = [(each, each) for each in declared]


class FreezeForm(forms.Form):
    name = forms.CharField(max_length=240, help_text="A second freeze under the same name becomes its next version.")
    rounds = forms.ModelMultipleChoiceField(Round.objects.none(), widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        closed = Round.objects.filter(study=study, state=RoundState.CLOSED, kind=RoundKind.MAIN)
        cast("forms.ModelMultipleChoiceField[Round]", self.fields["rounds"]).queryset = closed


class MemberForm(forms.Form):
    """Somebody who has an account, and the role they get. ``roles``: those that the asker may give."""

    username = forms.CharField(max_length=150, label="Name they sign in with")
    role = forms.ChoiceField()

    def __init__(self, *args: Any, roles: tuple[MemberRole, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["role"]).choices = _choices(roles)

    def clean_username(self) -> User:
        user = User.objects.filter(username=self.cleaned_data["username"]).first()
        if user is None:
            raise forms.ValidationError("Nobody signs in under this name. Invite them by a link instead.")
        return user


class InvitationForm(forms.Form):
    role = forms.ChoiceField()
    note = forms.CharField(required=False, max_length=200, label="For whom", help_text="In your own words.")
    days = forms.IntegerField(initial=7, min_value=1, max_value=90, label="Valid for days")

    def __init__(self, *args: Any, roles: tuple[MemberRole, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["role"]).choices = _choices(roles)


def scheme_choices() -> Choices:
    """(name, title) of every scheme there is."""
    return [(name, schemes.load(name).title) for name in schemes.available()]


def _choices(roles: tuple[MemberRole, ...]) -> Choices:
    return [(role.value, role.words) for role in roles]
