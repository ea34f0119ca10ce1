"""Loading the sample study: its labels go through the very steps that people's labels go through."""

from __future__ import annotations

import json
import secrets
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from annotation import formats, schemes
from annotation.enums import LabelKind, MemberRole, RoundState
from annotation.models import Assignment, Item, Round, Split, Study, User, ValidatedSplit
from annotation.records import LabelRecord
from annotation.steps.adjudicate import settle, settle_round
from annotation.steps.assign import close_round, create_round, open_round
from annotation.steps.freeze import freeze
from annotation.steps.ingest import import_pairs
from annotation.steps.label import submit_label
from annotation.steps.members import set_member

FOLDER = settings.BASE_DIR / "fixtures" / "sample_study"
NOTICE = "Sample data: pairs and labels were written for demonstration. This is not a human study."


@dataclass(frozen=True, slots=True)
class Sample:
    """The loaded study, its frozen split, and the sign-ins of its accounts ({username: password})."""

    study: Study
    split: Split
    validated: ValidatedSplit
    sign_ins: Mapping[str, str]


def load_sample(folder: Path = FOLDER) -> Sample:
    """Bring the sample study to its labelled, settled and frozen state; what is already there is kept."""
    declared = tomllib.loads((folder / "study.toml").read_text(encoding="utf-8"))
    study, _ = Study.objects.get_or_create(
        slug=declared["study"]["slug"], defaults={"name": declared["study"]["name"], "notice": NOTICE}
    )
    sign_ins = _sign_ins([account["username"] for account in declared["accounts"]])
    people = {each["username"]: _account(study, each, sign_ins[each["username"]]) for each in declared["accounts"]}
    name = declared["split"]["name"]
    import_pairs(study=study, path=folder / declared["study"]["pairs"], split=name)
    split = Split.objects.get(study=study, name=name)
    labels = _labels_by_round(folder / declared["study"]["labels"])
    for each in declared["rounds"]:
        if not Round.objects.filter(study=study, name=each["name"]).exists():
            with transaction.atomic():
                _label_round(split, each, people, labels.get(each["name"], []), folder)
    validated = ValidatedSplit.objects.filter(study=study, name=name).order_by("-version").first()
    if validated is None:
        closed = list(Round.objects.filter(study=study, state=RoundState.CLOSED))
        validated = freeze(study=study, name=name, rounds=closed, by=people["coordinator"])
    return Sample(study, split, validated, sign_ins)


def _sign_ins(usernames: list[str]) -> dict[str, str]:
    """A random password for each sample account, made once and kept beside the data, readable by its owner only."""
    path = settings.VAR_DIR / "sample_sign_ins.json"
    kept = json.loads(path.read_text()) if path.exists() else {}
    fresh = {name: kept.get(name) or secrets.token_urlsafe(9) for name in usernames}
    if fresh != kept:
        path.touch(mode=0o600)
        path.write_text(json.dumps(fresh))
    return fresh


def _account(study: Study, declared: Mapping[str, str], password: str) -> User:
    user, made = User.objects.get_or_create(
        username=declared["username"], defaults={"display_name": f"Sample {declared['username']}"}
    )
    if made or not user.check_password(password):
        user.set_password(password)
        user.save()
    if made:
        set_member(study=study, user=user, role=MemberRole(declared["role"]), actor=None)
    return user


def _labels_by_round(path: Path) -> dict[str, list[LabelRecord]]:
    found: dict[str, list[LabelRecord]] = defaultdict(list)
    for record in formats.read_labels(path):
        if isinstance(record, LabelRecord):
            found[record.round].append(record)
    return found


def _label_round(
    split: Split, declared: Mapping[str, Any], people: Mapping[str, User], labels: list[LabelRecord], folder: Path
) -> None:
    """Make one round; where the file has labels for it, submit them, settle what differs and close it."""
    round_ = create_round(
        split=split,
        name=declared["name"],
        scheme=declared["scheme"],
        actor=people["coordinator"],
        guideline=(folder / declared["guideline"]).read_text(encoding="utf-8"),
        tiers=declared["tiers"],
        labels_per_pair=declared["labels_per_pair"],
        recruitment="None: sample labels written for demonstration",
    )
    open_round(round=round_, annotators=[people[name] for name in declared["annotators"]], actor=people["coordinator"])
    if not labels:
        return
    _submit(round_, [each for each in labels if each.kind == LabelKind.LABEL])
    close_round(round=round_, actor=people["coordinator"])
    settle_round(round=round_, actor=people["coordinator"])
    for each in labels:
        if each.kind == LabelKind.ADJUDICATION and each.question == schemes.load(declared["scheme"]).primary:
            settle(
                item=Item.objects.get(round=round_, pair__pair_id=each.pair_id),
                category=str(each.label),
                reason=each.comment or "Sample adjudication.",
                by=people[declared["adjudicator"]],
            )


def _submit(round: Round, labels: list[LabelRecord]) -> None:
    scheme = schemes.load(round.scheme_name)
    given: dict[tuple[str, str], list[LabelRecord]] = defaultdict(list)
    for record in labels:
        given[(record.pair_id, record.annotator)].append(record)
    slots = Assignment.objects.filter(round=round).select_related("item__pair", "annotator__user")
    for slot in slots.order_by("position"):
        assert slot.annotator is not None and slot.annotator.user is not None  # noqa: S101, PT018 - opened just now
        user = slot.annotator.user
        records = given[(slot.item.pair.pair_id, user.username)]
        stored = {each.question: list(each.label) if isinstance(each.label, tuple) else each.label for each in records}
        submit_label(
            user=user,
            public_id=slot.public_id,
            answers=scheme.to_sides(stored, roles=slot.item.pair.roles, shown_as_a=slot.shown_as_a),
            client_key=f"sample-{slot.item.pair.pair_id}",
            comment=next((each.comment for each in records if each.comment), ""),
            seconds=next((each.seconds for each in records if each.seconds is not None), None),
        )
