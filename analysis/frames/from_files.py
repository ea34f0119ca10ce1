"""The public pairs, labels and verdicts files as the frames a report is made from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd

from annotation import schemes
from annotation.enums import TARGET_TIE
from annotation.errors import InputFileError, Problem
from annotation.formats import read_labels, read_pairs
from annotation.records import Excluded, LabelRecord, Oddity, PairRecord
from annotation.schemes import Scheme
from annotation.targets import UNCLEAR, category_target
from judging.formats.verdicts import read_verdicts
from judging.records import VerdictRecord

#: Text columns of a verdicts frame that repeat themselves: held as categories.
_CATEGORIES = (
    "pair_id", "judge", "protocol", "protocol_version", "level", "paraphrase", "probe", "cue", "cue_favours",
    "attack", "attacked_role", "phase", "shown_as_a", "offered", "outcome", "winner", "source",
)  # fmt: skip
_NUMBERS = ("n_calls", "prompt_tokens", "completion_tokens", "usd", "latency_ms")

VALIDATED_FORMAT = 1

Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class Frames:
    """What the files hold. ``notes`` tells, in words, what was kept though odd and what was left out."""

    pairs: pd.DataFrame
    verdicts: pd.DataFrame
    labels: pd.DataFrame | None
    validated: pd.DataFrame | None
    notes: tuple[str, ...]


def read_frames(
    *,
    pairs: str | Path,
    verdicts: str | Path,
    labels: str | Path | None = None,
    question: str | None = None,
    validated: str | Path | None = None,
    scheme: str | None = None,
) -> Frames:
    """Read the files whole. Raises InputFileError naming file, row, field and remedy for the first file that cannot
    be taken; labels of unknown pairs, and several questions with none chosen, are refused too."""
    notes: list[str] = []
    pair_rows = [pair_row(record) for record in _kept(read_pairs(pairs), PairRecord, notes)]
    pair_frame = pd.DataFrame(pair_rows)
    label_frame = None
    if labels is not None:
        records = _kept(read_labels(labels, question=question), LabelRecord, notes)
        loaded = None if scheme is None else schemes.load(scheme)
        label_frame = label_rows(records, pair_frame, file=Path(labels).name, scheme=loaded)
    verdict_frame = verdict_rows(_kept(read_verdicts(verdicts), VerdictRecord, notes))
    frozen = None if validated is None else validated_rows(Path(validated))
    return Frames(pair_frame, verdict_frame, label_frame, frozen, tuple(notes))


def validated_rows(path: Path) -> pd.DataFrame:
    """The frozen text of a validated split, as ``export_study`` writes it: a head line, then one pair a line."""
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
        if lines[0]["format"] != VALIDATED_FORMAT:
            raise ValueError(f"format {lines[0]['format']!r}")
        return pd.DataFrame(
            {
                "pair_id": [line["pair_id"] for line in lines[1:]],
                "target": [line["human_target"] for line in lines[1:]],
                **{name: [line[name] for line in lines[1:]] for name in ("status", "reason", "unanimous")},
            }
        )
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        problem = Problem(path.name, None, "file", f"is no frozen split ({error}).", "Use one that export_study wrote.")
        raise InputFileError([problem]) from error


def _kept(found: Iterable[object], kind: type[Kind], notes: list[str]) -> list[Kind]:
    """The records of one kind; whatever else the reader tells goes to the notes."""
    records = []
    for item in found:
        if isinstance(item, kind):
            records.append(item)
        elif isinstance(item, Excluded):
            notes.append(f"{item.item_id} is left out: {item.reason}")
        elif isinstance(item, Oddity):
            notes.append(item.message if item.row is None else f"Row {item.row}: {item.message}")
    return records


def pair_row(record: PairRecord) -> dict[str, Any]:
    """One pair as a row of the pairs frame."""
    return {
        "pair_id": record.pair_id, "role_1": record.roles[0], "role_2": record.roles[1], "split": record.split,
        "tier": record.tier or "", "target": record.target or "", "cluster": record.cluster, "domain": record.domain,
        "artifact_kind": record.artifact_kind, "artifact_role": record.artifact_role,
    }  # fmt: skip


def verdict_rows(records: Iterable[VerdictRecord]) -> pd.DataFrame:
    """Verdicts as a frame: ``offered`` as text, ``cue`` as JSON text, numbers with NaN where not recorded."""
    names = (*_CATEGORIES, *_NUMBERS, "repeat", "rationale", "row")
    table: dict[str, list[Any]] = {name: [] for name in names}
    for record in records:
        for name in names:
            table[name].append(_cell(record, name))
    frame = pd.DataFrame(table)
    for name in _CATEGORIES:
        frame[name] = frame[name].astype("category")
    for name in _NUMBERS:
        frame[name] = pd.to_numeric(frame[name])
    return frame


def _cell(record: VerdictRecord, name: str) -> Any:
    value = getattr(record, name)
    if name == "offered":
        return ",".join(value)
    if name == "cue":
        return json.dumps(dict(value), sort_keys=True, ensure_ascii=False) if value else ""
    return value


def label_rows(
    records: Iterable[LabelRecord], pairs: pd.DataFrame, *, file: str = "labels", scheme: Scheme | None = None
) -> pd.DataFrame:
    """Labels as a frame, A and B turned into the roles they stood for, a scheme's own categories into what they mean.

    A category that is no role, tie or unclear answer is refused: dropped in silence it would shrink a figure's n.
    """
    records = list(records)
    roles = dict(zip(pairs["pair_id"], zip(pairs["role_1"], pairs["role_2"], strict=True), strict=True))
    problems = [*_question_problems(records, file), *_label_problems(records, roles, file)]
    if not problems:
        said = [_meant(_role_label(record, roles[record.pair_id]), roles[record.pair_id], scheme) for record in records]
        problems = [
            Problem(
                file,
                record.row or None,
                "label",
                f"{record.label!r} is no role, tie or unclear answer.",
                f"Use {', '.join(roles[record.pair_id])}, Tie or Unclear, or name the --scheme.",
            )
            for record, meant in zip(records, said, strict=True)
            if meant is None
        ]
    if problems:
        raise InputFileError(problems[:50], more=max(0, len(problems) - 50))
    return pd.DataFrame(
        {
            "pair_id": [record.pair_id for record in records],
            "annotator": [record.annotator for record in records],
            "label": said,
            "kind": [record.kind for record in records],
            "revision": [record.revision for record in records],
        }
    )


def _question_problems(records: list[LabelRecord], file: str) -> Iterator[Problem]:
    asked = sorted({record.question for record in records})
    if len(asked) > 1:
        names = ", ".join(question or "(none)" for question in asked)
        yield Problem(file, None, "question", f"holds several questions: {names}.", "Choose one with --question.")


def _label_problems(records: list[LabelRecord], roles: dict[str, tuple[str, str]], file: str) -> Iterator[Problem]:
    for record in records:
        if record.pair_id not in roles:
            remedy = "Give the pairs file that holds it, or remove the row."
            yield Problem(file, record.row, "pair_id", f"{record.pair_id!r} is no pair of the pairs given.", remedy)
        elif record.shown_as_a and record.shown_as_a not in roles[record.pair_id]:
            message = f"{record.shown_as_a!r} is no role of the pair."
            yield Problem(file, record.row, "shown_as_a", message, "Name the role shown as A.")
        elif not isinstance(record.label, str):
            remedy = "Choose the question that asks for one category."
            yield Problem(file, record.row, "label", "chooses several options.", remedy)


def _role_label(record: LabelRecord, roles: tuple[str, str]) -> str:
    label = str(record.label)
    if record.shown_as_a and label in {"A", "B"}:
        return roles[roles.index(record.shown_as_a) ^ (label == "B")]
    return label


def _meant(label: str, roles: tuple[str, str], scheme: Scheme | None) -> str | None:
    """The label as a role, Tie, Unclear or another word for these; None where it means nothing."""
    meaning = scheme.meanings(roles).get(label) if scheme else None
    if meaning is not None:
        return {TARGET_TIE: "Tie", UNCLEAR: "Unclear"}.get(meaning, meaning)
    return None if category_target(label, roles=roles) is None else label
