"""Agreement with the original extractors on public completions, and every difference on record."""

from __future__ import annotations

import pytest

from tests.judging.extractor.public_completions import DIFFERENCES, counts, differences, llmbar, vicuna_blog

pytestmark = pytest.mark.shared


def test_llmbar_completions_are_read_as_the_original_reads_them_or_withheld() -> None:
    assert counts(llmbar()) == {"same": 2610, "withheld": 245, "neither gives a label": 34, "opposite": 5}


def test_vicuna_reviews_are_scored_as_the_original_scores_them_or_withheld() -> None:
    assert counts(vicuna_blog()) == {"same": 1030, "withheld": 8, "same winner, other scores": 2}


def test_a_label_is_never_given_where_the_original_found_none() -> None:
    assert "label where the original gives none" not in counts([*llmbar(), *vicuna_blog()])


def test_every_difference_is_on_record() -> None:
    assert differences([*llmbar(), *vicuna_blog()]) == DIFFERENCES.read_text(encoding="utf-8")
