"""A study as files in the public formats: what went in, what people and judges said, and the frozen targets."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from analysis.frames.from_database import labels_frame, verdict_rows
from analysis.frontier.of_study import newest_validated
from annotation.enums import LabelKind
from annotation.models import Pair, Round, Split, Study
from annotation.steps.in_force import LabelInForce, labels_in_force

#: Fields of a verdict that are left out where they say nothing.
_OPTIONAL = {
    "protocol_version", "level", "paraphrase", "probe", "attack", "attacked_role", "cue_favours", "cue", "offered",
    "winner", "reason", "rationale", "n_calls", "prompt_tokens", "completion_tokens", "usd", "latency_ms",
}  # fmt: skip


def export_study(study: Study, folder: Path) -> list[Path]:
    """Write pairs, verdicts, labels, answers (.jsonl) and validated/*.jsonl into ``folder``; returns what was written.

    labels.jsonl holds every answer in force of every round, annotators under the round's own names for them.
    answers.jsonl holds, of the frozen rounds, each primary answer and settlement as a role, Tie or Unclear: with it
    ``manage.py frontier`` gives the report of the database.
    """
    folder.mkdir(parents=True, exist_ok=True)
    splits = list(Split.objects.filter(study=study).order_by("name"))
    written = [
        _write(folder / "pairs.jsonl", (_pair(pair) for pair in _pairs(study))),
        _write(folder / "verdicts.jsonl", sorted(_verdicts(study, splits), key=_verdict_order)),
    ]
    validated = newest_validated(study)
    rounds = Round.objects.filter(validated_splits__in=validated).distinct().order_by("name")
    answers = labels_frame(rounds)
    lines = (dict(zip(answers.columns, row, strict=True)) for row in answers.itertuples(index=False, name=None))
    written.append(_write(folder / "answers.jsonl", lines))
    written.append(_write(folder / "labels.jsonl", _labels(study)))
    for frozen in validated:
        path = folder / "validated" / f"{frozen.name}-v{frozen.version}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text(frozen.canonical, encoding="utf-8")
        written.append(path)
    return written


def _pairs(study: Study) -> Iterable[Pair]:
    return Pair.objects.filter(study=study).select_related("split").order_by("split__name", "position").iterator()


def _pair(pair: Pair) -> dict[str, Any]:
    row: dict[str, Any] = {
        "pair_id": pair.pair_id,
        "task": pair.task,
        "roles": list(pair.roles),
        "candidates": {pair.role_1: pair.candidate_1, pair.role_2: pair.candidate_2},
        "split": pair.split.name,
        "cluster": pair.cluster,
    }
    if pair.context is not None:
        row["context"] = pair.context
    if pair.tier is not None:
        row |= {"tier": pair.tier, "target": pair.target}
    elif pair.target is not None:
        row["target"] = pair.target
    if pair.artifact_kind:
        row["artifact"] = {"kind": pair.artifact_kind, "role": pair.artifact_role}
    if pair.domain:
        row["domain"] = pair.domain
    source = {"dataset": pair.source_dataset, "id": pair.source_id, "licence": pair.source_licence}
    if any(source.values()):
        row["source"] = source
    if pair.meta:
        row["meta"] = pair.meta
    return row


def _labels(study: Study) -> Iterator[dict[str, Any]]:
    for round_ in Round.objects.filter(study=study).order_by("created_at", "pk"):
        for label in labels_in_force(round_, kinds=LabelKind.values()):
            for question, given in label.answers.items():
                if isinstance(given, dict):  # one number for each candidate
                    for role, number in given.items():
                        yield _label(round_, label, f"{question} ({role})", str(number))
                else:
                    yield _label(round_, label, question, given if isinstance(given, list) else str(given))


def _label(round_: Round, label: LabelInForce, question: str, given: Any) -> dict[str, Any]:
    row = {
        "pair_id": label.pair_id,
        "annotator": label.annotator,
        "question": question,
        "label": given,
        "kind": label.kind,
        "round": round_.name,
    }
    if label.shown_as_a:
        row["shown_as_a"] = label.shown_as_a
    if label.seconds is not None:
        row["seconds"] = label.seconds
    if label.comment:
        row["comment"] = label.comment
    return row


def _verdicts(study: Study, splits: list[Split]) -> Iterable[dict[str, Any]]:
    for row in verdict_rows(study=study, splits=splits):
        said = row._asdict().items()
        line = {name: value for name, value in said if name not in _OPTIONAL or value not in {"", None}}
        if "cue" in line:
            line["cue"] = json.loads(line["cue"])
        if "offered" in line:
            line["offered"] = line["offered"].split(",")
        yield line


def _verdict_order(line: Mapping[str, Any]) -> str:
    return json.dumps(line, sort_keys=True, ensure_ascii=False)


def _write(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return path
