"""The sample study passes its own readers, is what its README says, and calls itself a sample."""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from annotation.formats import detect, read_labels, read_pairs
from annotation.records import LabelRecord, PairRecord
from annotation.schemes.load import load as load_scheme

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "sample_study"
TIERS = {
    "equivalence": 14,
    "natural": 12,
    "soft": 12,
    "moderate": 16,
    "conflict": 8,
    "reverse_conflict": 6,
    "identical": 6,
}
TARGETS = {"soft": "boundary", "moderate": "plain", "conflict": "plain", "reverse_conflict": "cited"}
PRIMARY = {"natural": "verdict", "graded": "preference"}


@pytest.fixture(scope="module")
def pairs() -> list[PairRecord]:
    records = list(read_pairs(FOLDER / "pairs.jsonl"))
    assert all(isinstance(record, PairRecord) for record in records), "the sample has oddities"
    return [record for record in records if isinstance(record, PairRecord)]


@pytest.fixture(scope="module")
def labels() -> list[LabelRecord]:
    records = list(read_labels(FOLDER / "labels.csv"))
    assert all(isinstance(record, LabelRecord) for record in records), "the sample has oddities"
    return [record for record in records if isinstance(record, LabelRecord)]


def test_sample_files_are_in_the_public_formats() -> None:
    assert (detect(FOLDER / "pairs.jsonl"), detect(FOLDER / "labels.csv")) == ("pairs", "labels")


def test_sample_pairs_cover_the_tiers_with_their_targets(pairs: list[PairRecord]) -> None:
    assert Counter(pair.tier for pair in pairs) == TIERS
    assert all(pair.target == TARGETS.get(pair.tier or "", "tie") for pair in pairs)
    assert {pair.roles for pair in pairs} == {("plain", "cited")}


def test_sample_pairs_name_source_cluster_and_domain(pairs: list[PairRecord]) -> None:
    assert {pair.source_dataset for pair in pairs} == {"tiebreak-sample"}
    assert all(pair.cluster == pair.source_id for pair in pairs)
    assert len({pair.domain for pair in pairs}) >= 10
    moderate = Counter(pair.domain == "finance" for pair in pairs if pair.tier == "moderate")
    assert moderate == {True: 8, False: 8}


def test_sample_candidates_have_realistic_lengths(pairs: list[PairRecord]) -> None:
    lengths = [len((text or "").split()) for pair in pairs for text in pair.candidates]
    assert min(lengths) >= 60
    assert max(lengths) <= 200


def test_sample_equivalence_twin_holds_every_sentence_of_the_plain_side(pairs: list[PairRecord]) -> None:
    for pair in (pair for pair in pairs if pair.tier == "equivalence"):
        plain, cited = pair.candidates
        at = 0
        for sentence in re.split(r"(?<=[.?!]) (?=[A-Z0-9])", plain or ""):
            found = (cited or "").find(sentence, at)
            assert found >= 0, (pair.pair_id, sentence)
            at = found + len(sentence)
        assert len(cited or "") > len(plain or "")


def test_sample_identical_sides_are_identical_and_no_others(pairs: list[PairRecord]) -> None:
    assert {pair.tier for pair in pairs if pair.candidates[0] == pair.candidates[1]} == {"identical"}
    assert all(pair.candidates[0] == pair.candidates[1] for pair in pairs if pair.tier == "identical")


def test_sample_moderate_and_conflict_pairs_say_how_they_were_made(pairs: list[PairRecord]) -> None:
    assert all(pair.meta.get("left_out") for pair in pairs if pair.tier == "moderate")
    assert all(pair.meta.get("perturbation") for pair in pairs if "conflict" in (pair.tier or ""))


def test_sample_annotators_label_every_pair_of_the_rounds(pairs: list[PairRecord], labels: list[LabelRecord]) -> None:
    rounds = {"natural": {"equivalence", "natural"}, "graded": {"soft", "moderate"}}
    for name, tiers in rounds.items():
        wanted = {pair.pair_id for pair in pairs if pair.tier in tiers}
        for annotator in ("annotator-1", "annotator-2"):
            primary = [
                label
                for label in labels
                if (label.annotator, label.round, label.question) == (annotator, name, PRIMARY[name])
            ]
            assert {label.pair_id for label in primary} == wanted
            assert Counter(label.shown_as_a for label in primary) == dict.fromkeys(("plain", "cited"), len(wanted) // 2)
            assert all(label.seconds for label in primary)


def test_sample_adjudicates_the_disagreements_and_nothing_else(labels: list[LabelRecord]) -> None:
    answers: dict[str, set[object]] = defaultdict(set)
    for label in labels:
        if label.kind == "label" and label.question == PRIMARY[label.round]:
            answers[label.pair_id].add(label.label)
    settled = [label for label in labels if label.kind == "adjudication"]
    assert {label.pair_id for label in settled} == {name for name, given in answers.items() if len(given) > 1}
    assert {label.annotator for label in settled} == {"adjudicator"}
    assert len(settled) == 10


def test_sample_study_declares_what_the_files_hold(pairs: list[PairRecord], labels: list[LabelRecord]) -> None:
    study = tomllib.loads((FOLDER / "study.toml").read_text(encoding="utf-8"))
    assert {pair.split for pair in pairs} == {study["split"]["name"]}
    tiers = [tier for round_ in study["rounds"] for tier in round_["tiers"]]
    assert sorted(tiers) == sorted({pair.tier for pair in pairs})
    assert {round_["name"] for round_ in study["rounds"]} - {label.round for label in labels} == {"try-it"}
    accounts = {account["username"] for account in study["accounts"]}
    assert accounts >= {label.annotator for label in labels} | {"coordinator", "researcher", "owner"}


@pytest.mark.parametrize("name", ["README.md", "study.toml"])
def test_sample_study_says_that_it_is_no_human_study(name: str) -> None:
    words = " ".join((FOLDER / name).read_text(encoding="utf-8").split())
    assert "not a human study" in words


def test_sample_labels_are_declared_categories_of_their_schemes(labels: list[LabelRecord]) -> None:
    for label in labels:
        scheme = load_scheme(label.round)
        assert label.label in scheme.categories(label.question, ("plain", "cited")), label


def test_sample_annotators_answer_every_required_question(labels: list[LabelRecord]) -> None:
    asked = {(label.pair_id, label.annotator, label.question) for label in labels}
    for label in labels:
        if label.kind == "label":
            required = [question.name for question in load_scheme(label.round).questions if question.required]
            assert all((label.pair_id, label.annotator, name) in asked for name in required)
