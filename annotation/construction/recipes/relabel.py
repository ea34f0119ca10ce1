"""Relabel (CUE V-A, single-summary subset): one text under changing labels against one fixed opponent."""

from __future__ import annotations

from annotation.construction.items import LabelledSummary
from annotation.construction.recipe import Made, Recipe, Unfit, sides
from annotation.enums import Tier
from annotation.records import PairRecord

ROLES = ("subject", "opponent")
#: How the two labels are shown: as they are, exchanged, the same on both sides, and none at all.
LABELLINGS = ("truth", "flip", "same", "blind")

_MADE = Made(name="relabel", version=1)


def make(item: LabelledSummary, seed: int) -> list[PairRecord]:
    """Four pairs of one cluster, equal in every word; ``meta.labels`` says what each shows. No target."""
    if not item.subject.strip() or not item.opponent.strip():
        raise Unfit("one of the two texts is empty")
    if not item.subject_label or not item.opponent_label or item.subject_label == item.opponent_label:
        raise Unfit("it needs two different labels")
    return [
        _MADE.pair(
            item,
            seed=seed,
            task=item.task,
            context=item.context,
            roles=ROLES,
            candidates=(item.subject, item.opponent),
            tier=Tier.PREFERENCE,
            target=None,
            part=labelling,
            artifact_kind="provenance_label",
            artifact_role="subject",
            meta={"labelling": labelling, "labels": _labels(item, labelling)},
        )
        for labelling in LABELLINGS
    ]


def _labels(item: LabelledSummary, labelling: str) -> dict[str, str]:
    mine, theirs = item.subject_label, item.opponent_label
    shown = {"truth": (mine, theirs), "flip": (theirs, mine), "same": (mine, mine), "blind": ("", "")}[labelling]
    return dict(zip(ROLES, shown, strict=True))


def check(pair: PairRecord, item: LabelledSummary) -> list[str]:
    """The texts never change and do not name their own labels; the labels are those the labelling promises."""
    broken: list[str] = []
    if sides(pair) != (item.subject, item.opponent):
        broken.append("a text was changed")
    if pair.meta["labels"] != _labels(item, pair.meta["labelling"]):
        broken.append("the labels are not those of the labelling")
    for role, text in zip(ROLES, sides(pair), strict=True):
        if any(label.lower() in text.lower() for label in (item.subject_label, item.opponent_label)):
            broken.append(f"the {role} text names a label itself")
    return broken


RECIPE = Recipe(
    name=_MADE.name,
    version=_MADE.version,
    roles=ROLES,
    tier=Tier.PREFERENCE,
    accepts=(LabelledSummary,),
    source="a text and its opponent, each with its label",
    about="One text under changing labels, the opponent fixed: any change is the label's.",
    make=make,
    check=check,
)
