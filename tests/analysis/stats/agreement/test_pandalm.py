"""PandaLM's human test set: 999 items, three annotators, first / second / tie (arXiv:2306.05087)."""

from __future__ import annotations

import json

import pytest

from analysis.stats.agreement import Ratings, coefficient, pairwise
from tests.shared import shared_path


@pytest.mark.shared
def test_pandalm_agreement_equals_the_published_figures() -> None:
    items = json.loads(shared_path("data/pandalm/raw/testset-v1.json").read_text(encoding="utf-8"))
    matrix = [[item[f"annotator{number}"] for item in items] for number in (1, 2, 3)]
    ratings = Ratings.from_matrix(matrix, categories=[0, 1, 2])
    assert ratings.n_items == 999
    assert round(coefficient(ratings, "raw").value, 4) == 0.9199
    assert round(coefficient(ratings, "alpha_nominal").value, 4) == 0.8642
    assert [round(estimate.value, 2) for estimate in pairwise(ratings).values()] == [0.85, 0.88, 0.86]
