"""What people said of each pair, from a labels frame or from a validated split, in one shape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pandas as pd

from annotation.enums import AGREEMENT_KINDS, LabelKind
from annotation.targets import category_target, human_target, is_unanimous, settle


@dataclass(frozen=True, slots=True)
class HumanPair:
    """``categories``: each annotator's answer as a role, "tie" or "unclear"; ``target`` None leaves the pair out of
    the validated basis for the reason given; ``unanimous`` needs two annotators or more."""

    categories: tuple[str, ...]
    target: str | None
    status: str
    reason: str
    unanimous: bool


def human_pairs(
    pairs: pd.DataFrame, labels: pd.DataFrame | None, validated: pd.DataFrame | None
) -> dict[str, HumanPair]:
    """By pair id. ``labels`` has pair_id, annotator, label (a category; roles, not A or B) and maybe kind and
    revision; ``validated`` has pair_id, target, status, reason and unanimous and has the last word on targets."""
    said = {} if labels is None else _from_labels(pairs, labels)
    if validated is None:
        return said
    for row in validated.to_dict("records"):
        pair = str(row["pair_id"])
        before = said.get(pair)
        said[pair] = HumanPair(
            before.categories if before else (),
            _text(row.get("target")),
            str(row.get("status") or ""),
            str(row.get("reason") or ""),
            bool(row.get("unanimous", before.unanimous if before else False)),
        )
    return said


def _from_labels(pairs: pd.DataFrame, labels: pd.DataFrame) -> dict[str, HumanPair]:
    known = {
        str(row["pair_id"]): (_text(row.get("tier")), _text(row.get("target")), (row["role_1"], row["role_2"]))
        for row in pairs.to_dict("records")
    }
    return {
        pair: _one_pair(*known[pair], answers=answers, adjudicated=adjudicated)
        for pair, (answers, adjudicated) in _latest(labels).items()
        if pair in known
    }


def _one_pair(
    tier: str | None, target: str | None, roles: tuple[str, str], *, answers: Iterable[str], adjudicated: str | None
) -> HumanPair:
    categories = [_meaning(answer, roles) for answer in answers]
    final = None if adjudicated is None else _meaning(adjudicated, roles)
    result = human_target(
        tier=tier, categories=categories, settled=settle(categories, adjudicated=final), constructed=target, roles=roles
    )
    return HumanPair(tuple(categories), result.target, result.status.value, result.reason, is_unanimous(categories))


def _meaning(category: str, roles: tuple[str, str]) -> str:
    """Equivalent and Tie are one answer; a category that means nothing here stays as it was written."""
    return category_target(category, roles=roles) or category


def _latest(labels: pd.DataFrame) -> dict[str, tuple[list[str], str | None]]:
    """Each pair's independent answers (one an annotator, by name) and the adjudicator's, last revisions only."""
    kept: dict[tuple[str, bool, str], tuple[float, str, str]] = {}
    for row in labels.to_dict("records"):
        kind = _text(row.get("kind")) or LabelKind.LABEL.value
        independent = kind in AGREEMENT_KINDS
        if not independent and kind != LabelKind.ADJUDICATION:
            continue
        # a label and a third opinion of one annotator are one answer; of equal revisions none depends on the row order
        key = (str(row["pair_id"]), independent, str(row["annotator"]))
        word = (float(_text(row.get("revision")) or 0), kind, str(row["label"]))
        kept[key] = max(kept.get(key, word), word)
    found: dict[str, tuple[list[str], list[str]]] = {}
    for (pair, independent, _), (_, _, label) in sorted(kept.items()):
        answers, adjudications = found.setdefault(pair, ([], []))
        if independent:
            answers.append(label)
        else:
            adjudications.append(label)
    return {
        pair: (answers, adjudications[-1] if adjudications else None)
        for pair, (answers, adjudications) in found.items()
        if answers or adjudications
    }


def _text(value: object) -> str | None:
    return None if value is None or value is pd.NA or value != value or value == "" else str(value)


def status_counts(human: Mapping[str, HumanPair]) -> dict[str, int]:
    """How many labelled pairs are confirmed, contradicted, undecided, excluded."""
    counts: dict[str, int] = {}
    for said in human.values():
        counts[said.status] = counts.get(said.status, 0) + 1
    return dict(sorted(counts.items()))
