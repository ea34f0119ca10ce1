"""Every published example: values, standard errors, intervals and p values."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analysis.stats.agreement import Ratings, coefficient, point
from tests.analysis.stats.agreement.published import DATA, example, our_name, ratings_of
from tests.shared import shared_path

CASES = [
    pytest.param(one, row, id=f"{one['id']}-{row[0]}-{row[1] if isinstance(row[1], str) else 'custom'}")
    for one in DATA["examples"]
    for row in one["coefficients"]
]


def weights_for(name: str, weights: Any) -> dict[str, Any]:
    return {} if name == "pabak" else {"weights": weights}


@pytest.mark.parametrize(("published", "row"), CASES)
def test_coefficient_equals_published_example(published: dict[str, Any], row: list[Any]) -> None:
    printed, weights, value, se, low, high, p = row
    name = our_name(printed)
    estimate = coefficient(ratings_of(published), name, **weights_for(name, weights))
    assert estimate.value == pytest.approx(value, abs=1e-9)
    if se is not None:
        assert estimate.se == pytest.approx(se, abs=1e-8)
    if se:
        assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=1e-7)
        assert estimate.p == pytest.approx(p, abs=1e-9)


@pytest.mark.parametrize("key", list(DATA["four_category_tables"]))
def test_four_category_tables_reproduce_the_printed_agreement_row(key: str) -> None:
    table = DATA["four_category_tables"][key]
    ratings = Ratings.from_table(table["witness"])
    for printed, (value, se) in table["computed"].items():
        estimate = coefficient(ratings, our_name(printed))
        assert estimate.value == pytest.approx(value, abs=1e-9)
        assert estimate.se == pytest.approx(se, abs=1e-8)
    assert round(100 * coefficient(ratings, "raw").value, 1) == table["printed"]["raw_pct"]
    assert round(coefficient(ratings, "pabak").value, 3) == table["printed"]["pabak"]
    assert round(coefficient(ratings, "ac1").value, 3) == table["printed"]["ac1"]


def test_numeric_categories_are_scores_in_any_declared_order() -> None:
    first, second = [0, 1, 5, 0, 1, 5, 0, 0], [0, 1, 1, 0, 5, 5, 1, 0]
    for categories in ([0, 1, 5], [5, 0, 1]):
        ratings = Ratings.from_matrix([first, second], categories=categories)
        assert coefficient(ratings, "ac2").value == pytest.approx(0.57743, abs=5e-6)


def test_words_are_ranks_in_declared_order() -> None:
    words = {0: "low", 1: "mid", 5: "high"}
    first = [words[score] for score in [0, 1, 5, 0, 1, 5, 0, 0]]
    second = [words[score] for score in [0, 1, 1, 0, 5, 5, 1, 0]]
    ratings = Ratings.from_matrix([first, second], categories=["low", "mid", "high"])
    assert coefficient(ratings, "ac2").value == pytest.approx(0.73333, abs=5e-6)
    alphabetical = Ratings.from_matrix([first, second], categories=["high", "low", "mid"])
    assert coefficient(alphabetical, "ac2").value == pytest.approx(0.2, abs=5e-6)


def test_fleiss_and_ac1_average_category_shares_over_items_with_a_single_rating_too() -> None:
    ratings = ratings_of(example("gwet2014_raw4raters"))
    assert ratings.n_items == 12
    assert ratings.n_pairable == 11
    # Over items with two ratings or more they would be 0.7751517 and 0.7624831.
    assert coefficient(ratings, "ac1").value == pytest.approx(0.7754441, abs=5e-8)
    assert coefficient(ratings, "fleiss_kappa").value == pytest.approx(0.7611693, abs=5e-8)


@pytest.mark.shared
def test_every_reference_coefficient_within_tolerance() -> None:
    reference = json.loads(shared_path("reference/agreement_golden.json").read_text(encoding="utf-8"))
    fields = {"ratings": "ratings_raters_by_items", "table": "table_rows_rater_A"}
    checked = 0
    for one in reference["agreement_examples"]:
        data = one[fields.get(one["kind"], "counts_items_by_categories")]
        ratings = ratings_of({**one, "data": data})
        for row in one["coefficients"]:
            name = our_name(row["coefficient"])
            weights = weights_for(name, row.get("agreement_weights", row["weights"]))
            found = point(ratings, name, **weights)
            assert found is not None
            assert found.value == pytest.approx(row["value"], abs=1e-9)
            if row["se"] is not None:
                assert found.se == pytest.approx(row["se"], abs=1e-8)
            if "pa" in row:
                assert (found.pa, found.pe) == pytest.approx((row["pa"], row["pe"]), abs=1e-9)
                assert found.df == row["df"]
            if "ci95_z" in row:
                normal = coefficient(ratings, name, interval="normal", **weights)
                expected = (row["ci95_z"][0], min(1.0, row["ci95_z"][1]))
                assert (normal.low, normal.high) == pytest.approx(expected, abs=1e-7)
            if "ci95_exact_po_mapped" in row:
                exact = coefficient(ratings, name, interval="exact", **weights)
                assert (exact.low, exact.high) == pytest.approx(row["ci95_exact_po_mapped"], abs=1e-7)
            checked += 1
    assert checked == sum(len(one["coefficients"]) for one in reference["agreement_examples"])
