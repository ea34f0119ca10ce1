"""The planner's form: judges, protocols, orders and hard limits, as the plan step takes them."""

from __future__ import annotations

from typing import Any, cast

from django import forms

from annotation.models import Split, Study
from judging.models import Judge
from judging.protocols.registry import PROTOCOLS
from judging.steps.plan import ORDERS, Budget
from judging.steps.rule import RULINGS

_ORDER_WORDS = {"both": "Both orders", "first": "First role as A only", "second": "Second role as A only"}


class RunForm(forms.Form):
    """A run to plan. Planning sends nothing: it writes the comparisons down and estimates their cost."""

    name = forms.CharField(max_length=120)
    split = forms.ModelChoiceField(Split.objects.none(), empty_label=None)
    judges = forms.ModelMultipleChoiceField(
        Judge.objects.none(), required=False, widget=forms.CheckboxSelectMultiple, label="Judges of this study"
    )
    new_judges = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        label="More judges",
        help_text="One a line: baseline:longer, simulator, openai:MODEL or openai:MODEL@ADDRESS, then ;setting=value. "
        "A key is named by its environment variable and never stored.",
    )
    protocols = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)
    more_protocols = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        label="Protocols with their own levels, probes or attacks",
        help_text="One a line: ladder:L0,L4 or pbp;probe=truth or scot;attack=verbosity.",
    )
    orders = forms.ChoiceField(choices=[(name, _ORDER_WORDS.get(name, name)) for name in ORDERS])
    repeats = forms.IntegerField(initial=1, min_value=1, max_value=100)
    budget_calls = forms.IntegerField(required=False, min_value=0, label="Most calls")
    budget_tokens = forms.IntegerField(required=False, min_value=0, label="Most tokens")
    budget_usd = forms.DecimalField(required=False, min_value=0, label="Most dollars")

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast("forms.ModelChoiceField[Split]", self.fields["split"]).queryset = Split.objects.filter(study=study)
        cast("forms.ModelMultipleChoiceField[Judge]", self.fields["judges"]).queryset = Judge.objects.filter(
            study=study
        )
        cast(forms.MultipleChoiceField, self.fields["protocols"]).choices = [
            (f"{protocol.name}:all" if any(protocol.variants) else protocol.name, protocol.title)
            for protocol in PROTOCOLS
        ]

    @property
    def specs(self) -> list[str]:
        """The judges to declare, one text each."""
        return _lines(self.cleaned_data["new_judges"])

    @property
    def ways(self) -> list[str]:
        return [*self.cleaned_data["protocols"], *_lines(self.cleaned_data["more_protocols"])]

    @property
    def budget(self) -> Budget:
        given = self.cleaned_data
        return Budget(calls=given["budget_calls"], tokens=given["budget_tokens"], usd=given["budget_usd"])


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


class ImportVerdictsForm(forms.Form):
    """Verdicts that judges gave elsewhere, as a finished run of their own."""

    file = forms.FileField(help_text="JSONL or CSV in the verdicts format.")
    run_name = forms.CharField(max_length=120, required=False, label="Name of the run", help_text="Empty: the file's.")


class RulingForm(forms.Form):
    """What a person reads in a reply that the extractor could not."""

    ruling = forms.ChoiceField(choices=[(each, each) for each in RULINGS], widget=forms.RadioSelect)
    reason = forms.CharField(widget=forms.Textarea(attrs={"rows": 2}))
