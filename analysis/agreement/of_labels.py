"""From label records to an agreement report: one question, each annotator's last word, in declared categories."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from analysis.agreement.categories import Categories
from analysis.stats.agreement import Ratings, agreement_report, pairwise
from analysis.stats.agreement.coefficients import DEFAULT_AC2_WEIGHTS
from analysis.stats.agreement.inference import Interval
from analysis.stats.bootstrap import DEFAULT_LEVEL, DEFAULT_RESAMPLES, DEFAULT_SEED
from analysis.stats.estimate import Estimate
from annotation.enums import AGREEMENT_KINDS
from annotation.errors import InputFileError, Problem
from annotation.records import LabelRecord

UNIT = "pair"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementOptions:
    """How the coefficients are made. ``weights`` are AC2's."""

    weights: str = DEFAULT_AC2_WEIGHTS
    interval: Interval = "t"
    level: float = DEFAULT_LEVEL
    resamples: int = DEFAULT_RESAMPLES
    seed: int = DEFAULT_SEED


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAgreement:
    """The agreement on one question. ``pairwise`` holds Cohen's kappa of every two of three or more annotators.

    ``categories`` are the declared ones, or those that occur where none are declared (``declared`` False).
    """

    question: str
    n_items: int
    n_pairable: int
    annotators: tuple[str, ...]
    categories: tuple[Hashable, ...]
    declared: bool
    coefficients: Mapping[str, Estimate]
    pairwise: Mapping[tuple[str, str], Estimate] = field(default_factory=dict)


def labels_agreement(
    records: Iterable[LabelRecord],
    *,
    file: str,
    categories: Categories,
    question: str | None = None,
    round: str | None = None,
    options: AgreementOptions | None = None,
) -> LabelAgreement:
    """The coefficients over the labels and third opinions among ``records``.

    Raises InputFileError, naming ``file``, row and field: several questions or rounds with none chosen, a
    multi-select answer, a label outside the declared categories, A or B whose role cannot be told.
    """
    options = options or AgreementOptions()
    asked = _of_one_question(_independent(records, file=file, round=round), file=file, question=question)
    latest = _last_words(asked, file=file)
    labels = categories.read(latest, file=file)
    annotators, matrix = _matrix(latest, labels.values)
    ratings = Ratings.from_matrix(matrix, categories=labels.declared)
    by_pair: dict[tuple[str, str], Estimate] = {}
    if ratings.n_raters > 2:
        found = pairwise(ratings, interval=_analytic(options.interval), level=options.level, unit=UNIT)
        by_pair = {(annotators[first], annotators[second]): estimate for (first, second), estimate in found.items()}
    return LabelAgreement(
        question=asked[0].question if asked else question or "",
        n_items=ratings.n_items,
        n_pairable=ratings.n_pairable,
        annotators=tuple(annotators),
        categories=ratings.categories,
        declared=ratings.declared,
        coefficients=agreement_report(
            ratings,
            weights=options.weights,
            interval=options.interval,
            level=options.level,
            resamples=options.resamples,
            seed=options.seed,
            unit=UNIT,
        ),
        pairwise=by_pair,
    )


def _independent(records: Iterable[LabelRecord], *, file: str, round: str | None) -> list[LabelRecord]:
    independent = [record for record in records if record.kind in AGREEMENT_KINDS]
    rounds = sorted({record.round for record in independent})
    if round is not None and round not in rounds:
        listed = ", ".join(name or "(unnamed)" for name in rounds) or "none"
        raise InputFileError([Problem(file, None, "round", f"No label is of round {round!r}.", f"Rounds: {listed}.")])
    return [record for record in independent if round is None or record.round == round]


def _of_one_question(records: Sequence[LabelRecord], *, file: str, question: str | None) -> list[LabelRecord]:
    questions = sorted({record.question for record in records})
    if question is None and len(questions) > 1:
        listed = ", ".join(name or "(unnamed)" for name in questions)
        problem = Problem(file, None, "question", f"Several questions and none chosen: {listed}.", "Use --question.")
        raise InputFileError([problem])
    return [record for record in records if question is None or record.question == question]


def _last_words(records: Sequence[LabelRecord], *, file: str) -> list[LabelRecord]:
    """One record per pair and annotator: the highest revision, of equal ones the last row."""
    latest: dict[tuple[str, str], LabelRecord] = {}
    rounds: set[str] = set()
    for record in records:
        key = (record.pair_id, record.annotator)
        before = latest.get(key)
        if before is not None and before.round != record.round:
            rounds |= {before.round, record.round}
        if before is None or (record.revision or 0) >= (before.revision or 0):
            latest[key] = record
    if rounds:
        listed = ", ".join(name or "(unnamed)" for name in sorted(rounds))
        message = f"An annotator labelled the same pair in several rounds: {listed}."
        raise InputFileError([Problem(file, None, "round", message, "Choose one with --round.")])
    return list(latest.values())


def _matrix(
    records: Sequence[LabelRecord], values: Sequence[Hashable]
) -> tuple[list[str], list[list[Hashable | None]]]:
    """Annotators by name, and annotators x pairs labels with None where one is missing."""
    annotators = sorted({record.annotator for record in records})
    row = {name: place for place, name in enumerate(annotators)}
    pairs = {record.pair_id: None for record in records}
    column = {pair: place for place, pair in enumerate(pairs)}
    matrix: list[list[Hashable | None]] = [[None] * len(pairs) for _ in annotators]
    for record, value in zip(records, values, strict=True):
        matrix[row[record.annotator]][column[record.pair_id]] = value
    return annotators, matrix


def _analytic(interval: Interval) -> Interval:
    """Many pairs of annotators are not resampled one by one."""
    return "t" if interval in {"percentile", "bca"} else interval
