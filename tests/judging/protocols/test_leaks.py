"""The leak scan finds source display that survived masking, and leaves the answer's own entities alone."""

from __future__ import annotations

import pytest

from judging.protocols.leaks import IDENTIFIER, MARKER, SOURCE_COUNT, TITLE, displayed_titles, scan

TASK = "Where did the Mascogos settle?"
PLAIN = "The Mascogos settled in Coahuila."


def kinds(value: str, *, texts: tuple[str, str] = (PLAIN, PLAIN)) -> set[str]:
    record = {"A": {"support_facts": [value], "final_answer": "Coahuila"}, "B": {"final_answer": "Coahuila"}}
    return {leak.kind for leak in scan(record, task=TASK, texts=texts)}


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("They settled in Coahuila [1].", MARKER),
        ("They settled there [2, 3]", MARKER),
        ("They settled there [S1]", MARKER),
        ("They settled there 【4†source】", MARKER),
        ("They settled there (Source: Mascogos)", MARKER),
        ("They settled there (Miller, 2003)", MARKER),
        ("They settled there¹", MARKER),
        ("Evidence block: they settled", MARKER),
        ("According to the cited source they settled", MARKER),
        ("passage 3 says they settled", IDENTIFIER),
        ("doc_12 says they settled", IDENTIFIER),
        ("see https://example.org/a", IDENTIFIER),
        ("sentence id: 4 says so", IDENTIFIER),
        ("(s2) they settled", IDENTIFIER),
        ("Two sources agree", SOURCE_COUNT),
        ("backed by 3 retrieved passages", SOURCE_COUNT),
        ("sources: 2", SOURCE_COUNT),
    ],
)
def test_scan_finds_display_by_kind(value: str, kind: str) -> None:
    assert kind in kinds(value)


@pytest.mark.parametrize(
    "value",
    [
        "The Mascogos settled in Coahuila in 1852.",
        "Revenue rose from 9.5 to 10.2 (7.4 percent).",
        "The answer names Coahuila but not the bridge between the two groups.",
        "No unsupported claim.",
        "The document type is a treaty.",
        "He scored 3 goals [sic].",
    ],
)
def test_scan_leaves_plain_records_alone(value: str) -> None:
    assert kinds(value) == set()


def test_scan_finds_a_title_that_only_the_display_mentions() -> None:
    cited = PLAIN + "\nSource: Encyclopedia of Border Peoples"
    assert kinds("As the Encyclopedia of Border Peoples has it, they settled", texts=(PLAIN, cited)) == {TITLE}


def test_scan_does_not_take_an_entity_of_the_answer_for_a_title() -> None:
    cited = PLAIN + "\nSource: Mascogos; Coahuila"
    assert displayed_titles(cited) == ("Mascogos", "Coahuila")
    assert kinds("The Mascogos settled in Coahuila", texts=(PLAIN, cited)) == set()


def test_scan_finds_an_entity_that_is_shown_as_a_title() -> None:
    cited = PLAIN + "\n[1] Source: Mascogos"
    assert TITLE in kinds("Source: Mascogos", texts=(PLAIN, cited))


def test_scan_says_side_and_field_of_each_leak_once() -> None:
    record = {"B": {"reasoning_links": ["x [1]", "y [1]"]}}
    found = scan(record, task=TASK, texts=(PLAIN, PLAIN))
    assert [(leak.side, leak.field, leak.text) for leak in found] == [("B", "reasoning_links", "[1]")]


@pytest.mark.parametrize(
    ("display", "titles"),
    [
        ("[Ed Wood] he was", ("Ed Wood",)),
        ("[1] Ed Wood: he was", ("Ed Wood",)),
        ("(Source: Ed Wood, Scott Derrickson)", ("Ed Wood", "Scott Derrickson")),
        ("Sources: Ed Wood (s0); Scott Derrickson (s1)", ("Ed Wood", "Scott Derrickson")),
        ("He was born in 1924.", ()),
    ],
)
def test_displayed_titles_reads_the_usual_displays(display: str, titles: tuple[str, ...]) -> None:
    assert displayed_titles(display) == titles
