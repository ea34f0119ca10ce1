"""Workbooks: blind, real Excel files, text unchanged, imported back whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from annotation.errors import InputFileError
from annotation.formats.xlsx_rows import unescaped
from annotation.models import Assignment, Label, Round, RoundAnnotator, User
from annotation.steps.assign import close_round
from annotation.workbooks.annotator import PAIRS, read_workbook, write_workbook
from annotation.workbooks.coordinator import write_round_workbook
from annotation.workbooks.sheets import escaped, put
from tests.material import Material, pair_row, say

HOSTILE = [
    '=HYPERLINK("x")', "+1", "-1", "@SUM(1)", "007", "None", "NA", "null", "TRUE", "1e5", "2024-01-02", "",
    "a\nb", "a\r\nb\rc", "tab\there", "\ufeffbom", "\u202eright", "שלום", "🙂",
    "_x0041_", "_x000D_", " padded ", "\x07bell",
]  # fmt: skip


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")))
def test_escapes_undo_each_other(text: str) -> None:
    assert unescaped(escaped(text)) == text


@pytest.mark.parametrize("text", HOSTILE)
def test_text_comes_back_from_a_real_file_unchanged_and_never_as_a_formula(text: str, tmp_path: Path) -> None:
    book = Workbook()
    put(book.active, 1, 1, text)
    put(book.active, 1, 2, "end")
    book.save(tmp_path / "t.xlsx")
    cell = load_workbook(tmp_path / "t.xlsx").active["A1"]
    assert cell.data_type != "f"
    assert unescaped(cell.value or "") == text


@pytest.fixture
def round_(material: Material) -> Round:
    rows = [
        pair_row(n, candidates={"plain": f"{text} plain {n}", "cited": f"{text} cited {n}"}, task=text or "Empty?")
        for n, text in enumerate(HOSTILE)
    ]
    material.pairs(rows)
    return material.round()


def place_and_user(round_: Round) -> tuple[RoundAnnotator, User]:
    place = round_.annotators.select_related("round", "user").order_by("pk")[0]
    assert place.user is not None
    return place, place.user


def fill(path: Path, answers: dict[int, list[str]]) -> None:
    """Type answers into rows (2 is the first pair) as somebody would in Excel."""
    book = load_workbook(path)
    sheet = book[PAIRS]
    for row, values in answers.items():
        for column, value in enumerate(values, 6):
            sheet.cell(row=row, column=column).value = value
    book.save(path)


COMPLETE = ["Yes", "Same", "Same", "No", "A", "because"]


def test_workbook_shows_own_pairs_in_own_order_and_nothing_else(round_: Round, tmp_path: Path) -> None:
    place, _ = place_and_user(round_)
    path = tmp_path / "mine.xlsx"
    write_workbook(place, path)
    book = load_workbook(path)
    assert book.sheetnames == [PAIRS, "Choices", "Guideline"]
    assert book["Choices"].sheet_state == "hidden"
    sheet = book[PAIRS]
    own = list(Assignment.objects.filter(annotator=place).order_by("position").select_related("item__pair"))
    assert [sheet.cell(row=row, column=1).value for row in range(2, len(own) + 2)] == [each.public_id for each in own]
    for row, each in enumerate(own, 2):
        pair = each.item.pair
        shown = [unescaped(sheet.cell(row=row, column=column).value or "") for column in (4, 5)]
        roles = [each.shown_as_a, pair.role_2 if each.shown_as_a == pair.role_1 else pair.role_1]
        assert shown == [pair.text_of(role) for role in roles]
    everything = " ".join(str(cell.value) for ws in book for line in ws.iter_rows() for cell in line)
    for hidden in ("moderate", "p001", "main", round_.name, "more_complete_support"):
        assert hidden not in everything
    assert len(sheet.data_validations.dataValidation) == 5


def test_labels_made_in_excel_come_back_and_the_same_file_twice_changes_nothing(round_: Round, tmp_path: Path) -> None:
    place, user = place_and_user(round_)
    path = tmp_path / "mine.xlsx"
    write_workbook(place, path)
    fill(path, {2: COMPLETE, 4: [*COMPLETE[:4], "Tie", ""]})
    taken = read_workbook(place, path, user=user)
    assert (taken.submitted, taken.unchanged, taken.empty) == (2, 0, len(HOSTILE) - 2)
    first = Assignment.objects.get(annotator=place, position=0)
    label = Label.objects.get(assignment=first)
    assert (label.category, label.comment) == (first.shown_as_a, "because")
    again = read_workbook(place, path, user=user)
    assert (again.submitted, again.unchanged) == (0, 2)
    assert Label.objects.count() == 2


def test_one_bad_row_takes_nothing_and_is_named(round_: Round, tmp_path: Path) -> None:
    place, user = place_and_user(round_)
    path = tmp_path / "mine.xlsx"
    write_workbook(place, path)
    fill(path, {2: COMPLETE, 3: [*COMPLETE[:4], "", ""]})
    with pytest.raises(
        InputFileError, match=r"mine.xlsx, row 3, item .*: “Which answer is better\?” has no answer yet"
    ):
        read_workbook(place, path, user=user)
    fill(path, {3: [*COMPLETE[:4], "Neither", ""]})
    with pytest.raises(InputFileError, match=r"row 3, Which answer is better\?: is 'Neither'. Use one of A, B, Tie"):
        read_workbook(place, path, user=user)
    assert Label.objects.count() == 0


def test_anothers_workbook_is_refused(round_: Round, tmp_path: Path) -> None:
    place, _ = place_and_user(round_)
    path = tmp_path / "mine.xlsx"
    write_workbook(place, path)
    fill(path, {2: COMPLETE})
    other = round_.annotators.select_related("round", "user").order_by("pk")[1]
    assert other.user is not None
    with pytest.raises(InputFileError, match="is none of your pairs"):
        read_workbook(other, path, user=other.user)


def test_the_rounds_workbook_holds_labels_orders_settlements_and_no_account(round_: Round, tmp_path: Path) -> None:
    for each in Assignment.objects.select_related("annotator__user"):
        say(each, ("plain", "Tie")[each.item_id % 2], comment="=1+1")
    close_round(round=round_, actor=None)
    path = tmp_path / "round.xlsx"
    write_round_workbook(round_, path)
    book = load_workbook(path)
    assert book.sheetnames == ["About", "Guideline", "Items", "Labels", "Annotators", "Agreement"]
    rows = list(book["Labels"].iter_rows(values_only=True))
    assert len(rows) == 1 + 2 * len(HOSTILE)
    assert {row[4] for row in rows[1:]} == {"plain", "Tie"}
    values = {(row[0], row[1]): row[2] for row in book["Agreement"].iter_rows(values_only=True)}
    assert values["preference", "raw"] == 1
    everything = " ".join(str(cell.value) for sheet in book for line in sheet.iter_rows() for cell in line)
    for place in round_.annotators.select_related("user"):
        assert place.user is not None
        assert place.user.username not in everything
