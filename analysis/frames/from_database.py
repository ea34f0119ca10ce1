"""The one reader of the database for reports: plain frames in the columns of the public file formats."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from annotation import schemes
from annotation.enums import TARGET_TIE, LabelKind, ResolutionMethod
from annotation.models import Pair, Round, Split, Study, ValidatedPair, ValidatedSplit
from annotation.steps.adjudicate import latest_resolutions
from annotation.steps.in_force import labels_in_force
from annotation.targets import UNCLEAR
from judging.models import Verdict
from judging.sides import screen_winner

NANO = 1_000_000_000
PAIR_COLUMNS = (
    "pair_id", "role_1", "role_2", "split", "tier", "target", "cluster", "domain", "artifact_kind", "artifact_role",
)  # fmt: skip
BY_A_PERSON = frozenset({ResolutionMethod.ADJUDICATED, ResolutionMethod.IMPORTED})
LABEL_COLUMNS = ("pair_id", "annotator", "label", "kind", "revision")
VALIDATED_COLUMNS = ("pair_id", "target", "status", "reason", "unanimous")


class VerdictRow(NamedTuple):
    """One verdict in the columns of the verdicts format; ``cue`` is JSON text, ``offered`` joined by commas."""

    pair_id: str
    judge: str
    protocol: str
    protocol_version: str
    level: str
    paraphrase: str
    probe: str
    attack: str
    attacked_role: str
    cue_favours: str
    cue: str
    repeat: int
    phase: str
    shown_as_a: str
    offered: str
    outcome: str
    winner: str
    reason: str
    rationale: str
    n_calls: int | None
    prompt_tokens: int | None
    completion_tokens: int | None
    usd: float | None
    latency_ms: int | None
    source: str


@dataclass(frozen=True, slots=True)
class Frames:
    """What ``reports.frontier_report`` takes. ``labels`` and ``validated`` are None where nobody validated."""

    pairs: pd.DataFrame
    verdicts: pd.DataFrame
    labels: pd.DataFrame | None
    validated: pd.DataFrame | None


def frames_of(*, study: Study, splits: Sequence[Split], validated: Sequence[ValidatedSplit] = ()) -> Frames:
    """Everything judged and labelled over ``splits``; with ``validated``, the people's targets frozen there."""
    rounds = list(Round.objects.filter(validated_splits__in=validated).distinct().order_by("name"))
    return Frames(
        pairs=pairs_frame(splits),
        verdicts=verdicts_frame(study=study, splits=splits),
        labels=labels_frame(rounds) if rounds else None,
        validated=validated_frame(validated) if validated else None,
    )


def pairs_frame(splits: Sequence[Split]) -> pd.DataFrame:
    """One row a pair, without its texts."""
    rows = Pair.objects.filter(split__in=splits).values_list(
        "pair_id", "role_1", "role_2", "split__name", "tier", "target", "cluster", "domain", "artifact_kind",
        "artifact_role",
    )  # fmt: skip
    return pd.DataFrame.from_records(list(rows.order_by().iterator()), columns=list(PAIR_COLUMNS))


def verdicts_frame(*, study: Study, splits: Sequence[Split]) -> pd.DataFrame:
    """One row a verdict, its winner in screen terms as in the verdicts format."""
    rows = verdict_rows(study=study, splits=splits)
    return pd.DataFrame.from_records([tuple(row) for row in rows], columns=list(VerdictRow._fields))


def verdict_rows(*, study: Study, splits: Sequence[Split]) -> Iterator[VerdictRow]:
    """The verdicts of a study over ``splits`` one by one, memory flat, in no particular order. One query."""
    rows = (
        Verdict.objects.filter(condition__judge__study=study, pair__split__in=splits)
        .values_list(
            "pair__pair_id", "condition__judge__name", "condition__seed", "condition__wave", "condition__options",
            "condition__protocol", "condition__protocol_version", "condition__level", "condition__paraphrase",
            "condition__probe", "condition__attack", "condition__attacked_role", "comparison__cue_favours",
            "repeat", "phase", "order",
            "pair__role_1", "pair__role_2", "tie_offered", "outcome", "winner", "reading__cue", "reading__reason",
            "reading__rationale", "n_calls", "prompt_tokens", "completion_tokens", "usd_nano", "latency_ms", "source",
            "ruled",
        )
        .order_by()
    )  # fmt: skip
    return (_verdict_row(*row) for row in rows.iterator(chunk_size=5_000))


def _verdict_row(
    pair_id: str, judge: str, seed: str, wave: str, options: str, protocol: str, version: str, level: str,
    paraphrase: str, probe: str, attack: str, attacked_role: str, cue_favours: str, repeat: int, phase: str,
    order: int, role_1: str, role_2: str, tie_offered: bool | None, outcome: str, winner: int | None,
    cue: dict[str, str], reason: str,
    rationale: str, n_calls: int | None, prompt_tokens: int | None, completion_tokens: int | None,
    usd_nano: int | None, latency_ms: int | None, source: str, ruled: bool,
) -> VerdictRow:  # fmt: skip
    return VerdictRow(
        pair_id=pair_id,
        # A seed, a wave or an option makes another measurement; the public format knows it by the judge's name.
        judge=judge + "".join(f" ({each})" for each in (seed and f"seed {seed}", wave, options) if each),
        protocol=protocol,
        protocol_version=version,
        level=level,
        paraphrase=paraphrase,
        probe=probe,
        attack=attack,
        attacked_role=attacked_role,
        cue_favours=cue_favours,
        cue=json.dumps(cue, sort_keys=True, ensure_ascii=False) if cue else "",
        repeat=repeat,
        phase=phase,
        shown_as_a=("", role_1, role_2)[order],
        offered="" if tie_offered is None else "A,B,Tie" if tie_offered else "A,B",
        outcome=outcome,
        winner=screen_winner(winner, order=order),
        reason=reason,
        rationale=rationale,
        n_calls=n_calls,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        usd=None if usd_nano is None else usd_nano / NANO,
        latency_ms=latency_ms,
        source="ruled" if ruled else source,
    )


def labels_frame(rounds: Iterable[Round]) -> pd.DataFrame:
    """One row an annotator's primary answer: a role, Tie or Unclear, by the round's own scheme.

    A settlement stands as an adjudication, so that a report from files settles alike.
    """
    words = {TARGET_TIE: "Tie", UNCLEAR: "Unclear"}
    rows = []
    for round_ in rounds:
        scheme = schemes.from_canonical(round_.scheme)
        for label in labels_in_force(round_):
            meaning = scheme.meanings(label.roles).get(label.category)
            if meaning is not None:
                said = words.get(meaning, meaning)
                rows.append((label.pair_id, f"{round_.name}/{label.annotator}", said, label.kind, 1))
        for settled in latest_resolutions(round_, with_pairs=True).values():
            pair = settled.item.pair
            meaning = scheme.meanings(pair.roles).get(settled.category)
            if settled.method in BY_A_PERSON and meaning is not None:
                said = words.get(meaning, meaning)
                rows.append((pair.pair_id, f"{round_.name}/settled", said, LabelKind.ADJUDICATION.value, 1))
    return pd.DataFrame.from_records(rows, columns=list(LABEL_COLUMNS))


def validated_frame(validated: Sequence[ValidatedSplit]) -> pd.DataFrame:
    """One row a validated pair: the target people settled on, and why there is none."""
    rows = ValidatedPair.objects.filter(validated_split__in=validated).values_list(
        "pair__pair_id", "human_target", "status", "reason", "unanimous"
    )
    return pd.DataFrame.from_records(list(rows.order_by()), columns=list(VALIDATED_COLUMNS))
