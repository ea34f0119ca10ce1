"""From label records to an agreement report."""

from __future__ import annotations

from typing import Any

import pytest

from analysis.agreement.categories import UNSEEN_ROLE, Categories, as_number
from analysis.agreement.of_labels import LabelAgreement, labels_agreement
from analysis.stats.agreement import agreement_report
from annotation import schemes
from annotation.errors import InputFileError
from annotation.records import LabelRecord

PREFERENCE = ("first", "second", "Tie", "Unclear")


def label(pair: str, annotator: str, label: Any, *, row: int = 2, **more: Any) -> LabelRecord:
    return LabelRecord(pair_id=pair, annotator=annotator, label=label, row=row, **more)


def report(*records: LabelRecord, categories: Categories | None = None, **options: Any) -> LabelAgreement:
    return labels_agreement(
        records, file="labels.csv", categories=categories or Categories(listed=PREFERENCE), **options
    )


def problems(*records: LabelRecord, **options: Any) -> str:
    with pytest.raises(InputFileError) as caught:
        report(*records, **options)
    return caught.value.message


TWO_BY_THREE = (
    label("p1", "ann", "first"), label("p1", "bob", "first"),
    label("p2", "ann", "Tie"), label("p2", "bob", "second"),
    label("p3", "ann", "second"), label("p3", "bob", "second"),
)  # fmt: skip


def test_labels_become_the_coefficients_of_their_matrix() -> None:
    found = report(*TWO_BY_THREE)
    matrix = [["first", "Tie", "second"], ["first", "second", "second"]]
    assert found.coefficients == agreement_report(matrix, categories=PREFERENCE, unit="pair")
    assert (found.n_items, found.n_pairable, found.annotators) == (3, 3, ("ann", "bob"))
    assert (found.categories, found.declared) == (PREFERENCE, True)
    assert found.pairwise == {}


def test_order_of_rows_changes_nothing() -> None:
    assert report(*TWO_BY_THREE) == report(*TWO_BY_THREE[::-1])


def test_only_labels_and_third_opinions_count() -> None:
    others = [label("p2", f"by {kind}", "first", kind=kind) for kind in ("adjudication", "gold", "training", "repeat")]
    assert report(*TWO_BY_THREE, *others) == report(*TWO_BY_THREE)
    third = report(*TWO_BY_THREE, label("p2", "cas", "second", kind="third"))
    assert third.annotators == ("ann", "bob", "cas")
    assert list(third.pairwise) == [("ann", "bob"), ("ann", "cas"), ("bob", "cas")]


def test_the_highest_revision_is_the_last_word() -> None:
    revised = [label("p2", "bob", "Tie", revision=2), *TWO_BY_THREE]
    assert report(*revised).coefficients["raw"].value == 1
    assert report(*TWO_BY_THREE, label("p2", "bob", "Tie")).coefficients["raw"].value == 1


def test_sides_become_roles_before_they_are_compared() -> None:
    records = (
        label("p1", "ann", "A", shown_as_a="plain"), label("p1", "bob", "B", shown_as_a="cited"),
        label("p2", "ann", "A", shown_as_a="plain"), label("p2", "bob", "A", shown_as_a="cited"),
    )  # fmt: skip
    found = report(*records, categories=Categories(listed=("plain", "cited", "Tie")))
    assert found.coefficients["raw"].value == 0.5


def test_without_shown_as_a_sides_are_categories_as_they_stand() -> None:
    records = (label("p1", "ann", "A"), label("p1", "bob", "A"))
    assert report(*records, categories=Categories(listed=("A", "B"))).coefficients["raw"].value == 1


def test_role_of_b_is_told_by_the_pair_then_by_the_file_then_by_the_option() -> None:
    alone = label("p1", "ann", "B", shown_as_a="plain")
    assert "no row names it" in problems(alone, categories=Categories(listed=("plain", "cited")))
    elsewhere = label("p2", "ann", "A", shown_as_a="cited")
    assert report(alone, elsewhere, categories=Categories(listed=("plain", "cited"))).n_items == 2
    named = Categories(listed=("plain", "cited"), roles=("plain", "cited"))
    assert report(alone, categories=named).n_items == 1
    three = (
        label("p1", "ann", "B", shown_as_a="a"), label("p1", "bob", "B", shown_as_a="b"),
        label("p2", "ann", "A", shown_as_a="c"),
    )  # fmt: skip
    assert report(*three, categories=Categories(listed=("a", "b", "c"))).coefficients["raw"].value == 0


def test_scheme_declares_its_categories_for_the_roles_of_the_file() -> None:
    graded = Categories(scheme=schemes.load("graded"))
    records = (
        label("p1", "ann", "A", shown_as_a="plain"), label("p1", "bob", "Tie", shown_as_a="cited"),
    )  # fmt: skip
    assert set(report(*records, categories=graded).categories) == {"plain", "cited", "Tie", "Unclear"}
    words = (label("p1", "ann", "plain"), label("p1", "bob", "Tie"))
    assert report(*words, categories=graded).categories == ("plain", UNSEEN_ROLE, "Tie", "Unclear")
    ordered = Categories(scheme=schemes.load("graded"), roles=("plain", "cited"))
    assert report(*words, categories=ordered).categories == ("plain", "cited", "Tie", "Unclear")


def test_scheme_reads_roles_out_of_its_own_category_names() -> None:
    natural = Categories(scheme=schemes.load("natural"))
    found = report(label("p1", "ann", "base_more_correct"), label("p1", "bob", "equivalent"), categories=natural)
    assert len(found.categories) == 4
    assert {"base_more_correct", "equivalent", "unclear"} <= set(found.categories)


def test_scheme_without_sides_or_without_the_question_or_category_is_refused() -> None:
    graded = Categories(scheme=schemes.load("graded"))
    assert "no question 'mood'" in problems(label("p1", "ann", "x", question="mood"), categories=graded)
    natural = Categories(scheme=schemes.load("natural"))
    assert "single category" in problems(label("p1", "ann", "date", question="mismatches"), categories=natural)
    many = [label(f"p{k}", "ann", f"role{k}") for k in range(3)]
    assert "no declared category" in problems(*many, categories=graded)


def test_numbers_in_a_text_file_are_scores() -> None:
    first, second = [0, 1, 5, 0, 1, 5, 0, 0], [0, 1, 1, 0, 5, 5, 1, 0]
    records = [label(f"p{k}", "ann", str(score)) for k, score in enumerate(first)]
    records += [label(f"p{k}", "bob", f"{score}.0") for k, score in enumerate(second)]
    found = report(*records, categories=Categories(listed=("0", "1", "5")))
    assert found.categories == (0, 1, 5)
    assert found.coefficients["ac2"].value == pytest.approx(0.57743, abs=5e-6)
    assert "scores 0, 1, 5" in found.coefficients["ac2"].method


def test_nothing_declared_keeps_what_does_not_depend_on_it() -> None:
    found = report(*TWO_BY_THREE, categories=Categories())
    assert (found.categories, found.declared) == (("Tie", "first", "second"), False)
    assert "none are declared" in found.coefficients["ac1"].undefined
    assert found.coefficients["raw"].value == pytest.approx(2 / 3)


def test_several_questions_with_none_chosen_are_listed() -> None:
    records = (label("p1", "ann", "Tie", question="better"), label("p1", "ann", "Tie", question="fluent"))
    assert "none chosen: better, fluent" in problems(*records)
    assert report(*records, question="better").question == "better"


def test_the_same_pair_in_several_rounds_needs_a_choice() -> None:
    records = (label("p1", "ann", "Tie", round="pilot"), label("p1", "ann", "first", round="main"))
    assert "several rounds: main, pilot" in problems(*records)
    assert report(*records, round="pilot").n_items == 1
    assert "Rounds: main, pilot" in problems(*records, round="final")


def test_every_undeclared_label_is_named_with_its_row() -> None:
    told = problems(label("p1", "ann", "Tei", row=2), label("p2", "ann", "frist", row=7))
    assert "labels.csv, row 2, label: 'Tei' is no declared category." in told
    assert "labels.csv, row 7, label: 'frist'" in told
    assert "Declared are first, second, Tie, Unclear." in told


def test_multi_select_answers_and_doubled_categories_are_refused() -> None:
    assert "no one category" in problems(label("p1", "ann", ("first", "Tie")))
    doubled = Categories(listed=("1", "1.0"))
    assert "named twice" in problems(label("p1", "ann", "1"), categories=doubled)


def test_no_labels_at_all_are_undefined_not_an_error() -> None:
    found = report()
    assert found.n_items == 0
    assert all(estimate.undefined for estimate in found.coefficients.values())


def test_numbers_are_read_as_people_write_them_and_long_ones_exactly() -> None:
    assert as_number("1.0") == 1
    assert as_number("1_000") is None
    assert as_number("12345678901234567891") == 12345678901234567891
    assert as_number("inf") is as_number("1e400") is None
