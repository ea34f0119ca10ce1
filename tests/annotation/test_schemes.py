"""Label schemes: what each offers, how screens map to roles and back, and how bad files are refused."""

from __future__ import annotations

import itertools

import pytest

from annotation import schemes
from annotation.errors import InputFileError, Refused
from annotation.schemes import Scheme

ROLES = ("plain", "cited")

MINIMAL = """
name = "mine"
version = "1"
title = "Mine"
primary = "best"

[[questions]]
name = "best"
ask = "Which is best?"
kind = "single"
choices = [
  { value = "A", side = "A", words = "A", key = "a" },
  { value = "B", side = "B", words = "B", key = "b" },
  { value = "Tie", words = "Tie", key = "t" },
]

[targets.default]
"{role}" = "role"
Tie = "tie"
"""


@pytest.fixture(params=schemes.available())
def scheme(request: pytest.FixtureRequest) -> Scheme:
    return schemes.load(request.param)


def complete_answers(scheme: Scheme, pick: int) -> dict[str, object]:
    """Every question answered with its ``pick``-th possibility (round again where there are fewer)."""
    answers: dict[str, object] = {}
    for question in scheme.questions:
        if question.kind == "scale":
            number = question.low + pick % (question.high - question.low + 1)
            answers[question.name] = {"A": number, "B": question.low} if question.per_candidate else number
        elif question.kind == "single":
            answers[question.name] = question.choices[pick % len(question.choices)].value
        elif question.kind == "multi":
            answers[question.name] = [question.choices[pick % len(question.choices)].value]
    return answers


def test_every_scheme_survives_being_kept_by_a_round(scheme: Scheme) -> None:
    assert schemes.from_canonical(scheme.canonical) == scheme
    assert schemes.from_canonical(scheme.canonical).digest == scheme.digest


@pytest.mark.parametrize("shown_as_a", ROLES)
def test_screen_answers_come_back_from_roles_unchanged(scheme: Scheme, shown_as_a: str) -> None:
    for pick in range(6):
        cleaned = scheme.clean(complete_answers(scheme, pick))
        stored = scheme.to_roles(cleaned, roles=ROLES, shown_as_a=shown_as_a)
        assert scheme.to_sides(stored, roles=ROLES, shown_as_a=shown_as_a) == cleaned


def test_the_same_opinion_is_stored_alike_in_both_orders(scheme: Scheme) -> None:
    if scheme.primary_question is None:
        return
    sided = [choice for choice in scheme.primary_question.choices if choice.side]
    for choice in sided:
        other = next(each for each in sided if each is not choice)
        said = [
            scheme.to_roles({scheme.primary: value}, roles=ROLES, shown_as_a=shown)[scheme.primary]
            for value, shown in ((choice.value, "plain"), (other.value, "cited"))
        ]
        assert said[0] == said[1]


def test_every_primary_category_has_a_target_in_every_tier(scheme: Scheme) -> None:
    if not scheme.primary:
        return
    for tier in (None, "soft", "moderate", "natural"):
        meanings = scheme.meanings(ROLES, tier=tier)
        assert set(scheme.categories(scheme.primary, ROLES)) == set(meanings)
        assert set(meanings.values()) <= {*ROLES, "tie", "boundary", "unclear"}


def test_graded_declares_four_categories_as_the_printed_coefficients_need() -> None:
    assert schemes.load("graded").categories("preference", ROLES) == ["plain", "cited", "Tie", "Unclear"]


def test_natural_names_its_categories_as_the_paper_does() -> None:
    assert schemes.load("natural").categories("verdict", ROLES) == [
        "equivalent",
        "base_more_correct",
        "citation_more_correct",
        "unclear",
    ]


def test_a_question_that_is_not_shown_needs_and_keeps_no_answer() -> None:
    preference = schemes.load("preference")
    assert preference.clean({"preference": "Tie", "strength": "strong"}) == {"preference": "Tie"}
    assert preference.clean({"preference": "A", "strength": "strong"})["strength"] == "strong"


def test_multi_select_is_kept_in_declared_order_and_once() -> None:
    natural = schemes.load("natural")
    answers = {"verdict": "equivalent", "added_content": "no", "display_could_sway": "no"}
    given = natural.clean({**answers, "mismatches": ["date", "final_answer", "date"]})
    assert given["mismatches"] == ["final_answer", "date"]


@pytest.mark.parametrize("bad", [True, 0, 6, "five", {"A": 3}, [3], 3.0])
def test_a_scale_takes_only_its_numbers(bad: object) -> None:
    likert = schemes.load("likert")
    answers = {question.name: {"A": 3, "B": 3} for question in likert.questions}
    with pytest.raises(Refused):
        likert.clean({**answers, "completeness": {"A": bad, "B": 3}})


@pytest.mark.parametrize(
    ("old", "new", "row", "message"),
    [
        ('kind = "single"', 'kind = "sinlge"', 8, "'sinlge' is no kind of question"),
        ('primary = "best"', 'primary = "worst"', 5, "There is no question 'worst'"),
        ('key = "b"', 'key = "a"', 8, "uses 'a' twice"),
        ('side = "B"', 'side = "C"', 13, "'C' is no side"),
        ('value = "B", side = "B"', 'value = "B"', 13, "B without a side cannot be mapped"),
        ('Tie = "tie"', "", 17, "Category 'Tie' has no target"),
        ('Tie = "tie"', 'Tie = "draw"', 14, "'draw' is no target"),
        ("[targets.default]", "[targets.default", 17, "Correct the syntax"),
        ('ask = "Which is best?"', 'aks = "Which is best?"', 9, "No question has this key"),
    ],
)
def test_a_bad_scheme_file_is_refused_with_line_and_reason(old: str, new: str, row: int, message: str) -> None:
    text = MINIMAL.replace(old, new, 1)
    assert text != MINIMAL
    with pytest.raises(InputFileError) as caught:
        schemes.parse(text, source="mine.toml")
    told = [problem for problem in caught.value.problems if message in str(problem)]
    assert told, caught.value.message
    assert told[0].file == "mine.toml"
    assert told[0].row == row


def test_any_change_of_content_changes_the_digest() -> None:
    base = schemes.parse(MINIMAL, source="a")
    changed = [
        schemes.parse(MINIMAL.replace(old, new), source="a")
        for old, new in (
            ("Which is best", "Which is better"),
            ('key = "t"', 'key = "x"'),
            ('version = "1"', 'version = "2"'),
        )
    ]
    digests = {base.digest, *(each.digest for each in changed)}
    assert len(digests) == 4
    assert all(a != b for a, b in itertools.combinations(digests, 2))
