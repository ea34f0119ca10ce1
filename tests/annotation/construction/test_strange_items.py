"""Whatever a file holds, an item becomes a sound pair or is excluded by name; nothing crashes."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.construction.display import find_display, strip_display
from annotation.construction.items import Fact, FinqaItem, HotpotItem, Paragraph
from annotation.construction.program import ProgramError, parse_program, run_program
from annotation.construction.registry import recipe_named
from annotation.records import Excluded, PairRecord
from tests.annotation.construction.material import finqa_item, hotpot_item

RECIPES = ["mechanical", "ablations", "conflicts", "reverse_conflicts", "moderate", "soft", "workflow", "equal_content"]
ODD = " .,;:()[]{}\"'\u201c?!-\n[1]Aa1e\u0301\u2028$%\\*+^|"
LETTERS = st.one_of(st.sampled_from(list(ODD)), st.characters(codec="utf-8"))
TEXTS = st.text(alphabet=LETTERS, min_size=1, max_size=60).filter(lambda text: bool(text.strip()))
KINDS = st.sampled_from(["bridge", "comparison", ""])
CALM = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
FORMS = ["25%", "25 %", "$ 25", "0.25", "0.3", "25.00%", ".25", "(25%)", "25% increase", "about 25", ""]


@CALM
@given(st.lists(TEXTS, min_size=4, max_size=4), TEXTS, TEXTS, KINDS, st.sampled_from(RECIPES))
def test_strange_hotpot_items(sentences: list[str], title: str, answer: str, kind: str, recipe: str) -> None:
    paragraphs = (
        Paragraph(title, tuple(sentences[:2])),
        Paragraph(title + " two", tuple(sentences[2:])),
        Paragraph("Other", ("Other is a town in Ohio.",)),
    )
    item = HotpotItem(
        item_id="strange",
        question=sentences[0],
        answer=answer.strip(),
        kind=kind,
        level="",
        facts=(Fact(title, 0), Fact(title + " two", 1)),
        paragraphs=paragraphs,
    )
    made = list(recipe_named(recipe).build([item], n=None, seed=1))
    assert made
    assert all(isinstance(one, PairRecord | Excluded) for one in made)


@CALM
@given(TEXTS, TEXTS, TEXTS, st.sampled_from(["mechanical", "conflicts", "finqa_moderate"]))
def test_strange_finqa_items(label: str, cell: str, printed: str, recipe: str) -> None:
    base = finqa_item("-1")
    table = (base.table[0], (label, "$ 120", "$ 96", cell), *base.table[2:])
    item = replace(base, table=table, printed_answer=printed, question=label)
    made = list(recipe_named(recipe).build([item], n=None, seed=1))
    assert len(made) == 1


@pytest.mark.parametrize("answer", FORMS)
def test_printed_answers_of_many_forms(answer: str) -> None:
    item: FinqaItem = replace(finqa_item("-1"), printed_answer=answer)
    made = list(recipe_named("mechanical").build([item], n=None, seed=1))
    assert len(made) == 1


@CALM
@given(TEXTS)
def test_stripping_display_is_stable(text: str) -> None:
    once = strip_display(text)
    assert len(once) <= len(text)
    spans = find_display(text)
    assert all(text[span.start : span.end] == span.text for span in spans)


@CALM
@given(TEXTS)
def test_programs_run_or_say_why(text: str) -> None:
    with suppress(ProgramError):
        results = run_program(parse_program(text), [["a", "1"]])
        assert results


def test_a_text_that_already_cites_is_excluded() -> None:
    item = hotpot_item("own-year")
    cites = Paragraph("Westminster Bridge", ("It is old [1].", "The present bridge was opened in 1862 [2].", "Green."))
    item = replace(item, paragraphs=(item.paragraphs[0], cites))
    (only,) = recipe_named("mechanical").build([item], n=None, seed=1)
    assert isinstance(only, Excluded)
    assert "already shows citation-like display: '[2]'" in only.reason
