"""Studies to test on, made through the product's own steps."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

from annotation.enums import MemberRole
from annotation.models import Assignment, ImportReport, Label, Round, Split, Study, User
from annotation.steps.assign import create_round, open_round
from annotation.steps.ingest import import_pairs
from annotation.steps.label import submit_label
from annotation.steps.members import set_member

ROLES = ("plain", "cited")


def pair_row(
    number: int, *, tier: str | None = "moderate", target: str | None = "plain", **more: Any
) -> dict[str, Any]:
    """One row of the public pairs format, distinguishable by its number."""
    row: dict[str, Any] = {
        "pair_id": f"p{number:03d}",
        "task": f"Question number {number}?",
        "roles": list(ROLES),
        "candidates": {"plain": f"Plain answer {number}.", "cited": f"Cited answer {number} [1]."},
    }
    if tier is not None:
        row["tier"] = tier
    if target is not None:
        row["target"] = target
    return {**row, **more}


class Material:
    """A study and its people. Everything is made by steps, so what tests stand on is what users get."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.study = Study.objects.create(slug=f"study-{uuid4().hex[:8]}", name="A study")
        self.owner = self.member(MemberRole.OWNER)

    def member(self, role: MemberRole, name: str = "") -> User:
        user = User.objects.create_user(username=name or f"{role}-{uuid4().hex[:6]}", password="a long password")
        set_member(study=self.study, user=user, role=role, actor=None)
        return user

    def annotators(self, count: int) -> list[User]:
        return [self.member(MemberRole.ANNOTATOR) for _ in range(count)]

    def write(self, rows: Iterable[Mapping[str, Any]], name: str = "pairs.jsonl") -> Path:
        path = self.folder / name
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        return path

    def pairs(self, rows: Iterable[Mapping[str, Any]], *, split: str = "main") -> ImportReport:
        return import_pairs(study=self.study, path=self.write(rows, f"{uuid4().hex}.jsonl"), split=split)

    def split(self, name: str = "main") -> Split:
        return Split.objects.get(study=self.study, name=name)

    def round(
        self, *, scheme: str = "graded", annotators: list[User] | None = None, split: str = "main", **more: Any
    ) -> Round:
        """An open round over a split, with two annotators unless told otherwise."""
        made = create_round(
            split=self.split(split),
            name=more.pop("name", f"round-{uuid4().hex[:6]}"),
            scheme=scheme,
            actor=self.owner,
            guideline="Read both, then answer.",
            **more,
        )
        open_round(round=made, annotators=annotators or self.annotators(2), actor=self.owner)
        made.refresh_from_db()
        return made


#: A complete answer to the graded scheme, in screen terms, with the preference left to the caller.
GRADED = {
    "final_answers_equivalent": "yes",
    "more_complete_support": "same",
    "more_specific_reasoning": "same",
    "display_adds_substance": "no",
}


def side_of(assignment: Assignment, role: str) -> str:
    """A or B: where this annotator sees ``role``."""
    return "A" if assignment.shown_as_a == role else "B"


def say(assignment: Assignment, preference: str, **more: Any) -> Label:
    """Submit a graded label that prefers a role (or Tie / Unclear), as its annotator would on screen."""
    on_screen = side_of(assignment, preference) if preference in ROLES else preference
    assert assignment.annotator is not None
    assert assignment.annotator.user is not None
    return submit_label(
        user=assignment.annotator.user,
        public_id=assignment.public_id,
        answers={**GRADED, "preference": on_screen},
        client_key=more.pop("client_key", uuid4().hex),
        **more,
    )
