"""The detector of citation-like display: what it finds, what it leaves alone, and that stripping restores the text."""

from __future__ import annotations

from itertools import pairwise

import pytest

from annotation.construction.display import Display, display_amount, display_kinds, find_display, strip_display


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The mill closed in 1932 [1].", Display.MARKER),
        ("The mill closed.[2] It is a museum.", Display.MARKER),
        ("The mill closed [1, 3] in autumn.", Display.MARKER),
        ("The mill closed [S2] in autumn.", Display.MARKER),
        ("The mill closed [^4].", Display.MARKER),
        ("The mill closed \u30101\u2020source\u3011.", Display.MARKER),
        ("The mill closed.\u00b2", Display.MARKER),
        ("The mill closed [citation needed].", Display.MARKER),
        ("The mill closed (p1.s3).", Display.SENTENCE_ID),
        ("The mill closed (sentence 3).", Display.SENTENCE_ID),
        ("The mill closed [doc 2].", Display.SENTENCE_ID),
        ("The mill closed (paragraph 2, sentence 4).", Display.SENTENCE_ID),
        ("The mill closed (Source: Town chronicle).", Display.SOURCE_LABEL),
        ("The mill closed (Hale, 1932).", Display.SOURCE_LABEL),
        ("The mill closed (Hale et al., 1932).", Display.SOURCE_LABEL),
        ("According to the provided passage, the mill closed.", Display.SOURCE_LABEL),
        ("As stated in the document, the mill closed.", Display.SOURCE_LABEL),
        ("The mill closed.\n\nSources:\n[1] Town chronicle\n[2] Parish book", Display.SOURCE_LIST),
        ("The mill closed.\n\n**References**\n- Town chronicle", Display.SOURCE_LIST),
        ("The mill closed.\n\nSources: Town chronicle; Parish book", Display.SOURCE_LIST),
        ("The mill closed.\n\n### Retrieved passages\nTown chronicle: it closed.", Display.SOURCE_LIST),
        ("The mill closed.\n\n[1] Town chronicle, page 3", Display.SOURCE_LIST),
        ("The mill closed.\n\nVerification: all statements were checked.", Display.VERIFICATION),
        ("The mill closed.\n\nVerified: yes, against the chronicle.", Display.VERIFICATION),
        ("The mill closed. \u2713 Verified against the chronicle", Display.VERIFICATION),
        ("The mill closed.\n> The mill shut its gates.", Display.SNIPPET),
        ("The mill closed, see https://example.org/mill.", Display.LINK),
        ("The mill closed, see [the chronicle](https://example.org/mill).", Display.LINK),
    ],
)
def test_display_of_each_kind_is_found(text: str, kind: Display) -> None:
    assert kind in display_kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "The mill closed in 1932, after 128 years (and one flood).",
        "Final answer: `[3, 5, 7]`",
        "The list is ```[1]``` and `items[2]` is printed.",
        "He was born (1 May 1890) in Ribble.",
        "The source of the river lies in the hills; references to it are old.",
        "Revenue was $ 120 (2019), $ 96 (2018).",
        "The condition reads a < b or (b < c and a > c).",
        "It verified nothing and cited nobody.",
        "The area is 5 km\u00b2 wide.",
    ],
)
def test_plain_prose_and_code_show_no_display(text: str) -> None:
    assert find_display(text) == ()
    assert strip_display(text) == text


def test_stripping_gives_back_the_plain_text() -> None:
    plain = "The mill closed in 1932. It is a museum.\n\nBoth facts answer the question.\n\nFinal answer: 1932"
    cited = (
        "The mill closed in 1932. [1] It is a museum. [2]\n\nBoth facts answer the question.\n\nFinal answer: 1932"
        "\n\nSources:\n[1] Chronicle, sentence 1: \u201cThe mill closed in 1932.\u201d\n[2] Chronicle, sentence 2: "
        "\u201cIt is a museum.\u201d\n\nVerification: each statement agrees with its source."
    )
    assert strip_display(cited) == plain


def test_stripping_twice_changes_nothing_more() -> None:
    cited = "The mill closed [1] in 1932 (Source: Chronicle).\n\nSources: Chronicle\n\nVerified: yes."
    assert strip_display(strip_display(cited)) == strip_display(cited)
    assert find_display(strip_display(cited)) == ()


def test_spans_are_ordered_and_do_not_overlap() -> None:
    text = "One [1]. Two (p1.s2).\n\nSources:\n[1] A, see https://example.org\n\nVerified: yes."
    spans = find_display(text)
    assert [text[span.start : span.end] for span in spans] == [span.text for span in spans]
    assert all(one.end <= other.start for one, other in pairwise(spans))


def test_the_amount_grows_with_every_marker_and_line() -> None:
    amounts = [
        display_amount(text) for text in ("A.", "A [1].", "A [1]. B [2].", "A [1]. B [2].\n\nSources:\n[1] X\n[2] Y")
    ]
    assert amounts == sorted(set(amounts))
    assert amounts[0] == 0
