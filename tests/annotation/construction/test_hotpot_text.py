"""HotpotQA items in words: readable evidence, a chain that names its hops, and what a partial or generic body lacks."""

from __future__ import annotations

from dataclasses import replace

from annotation.construction.hotpot_text import answering_hops, full_body, generic_body, hops_of, partial_body
from annotation.construction.items import Fact, Paragraph
from tests.annotation.construction.material import hotpot_item


def test_a_leading_pronoun_becomes_the_name() -> None:
    item = replace(hotpot_item("own-choice"), facts=(Fact("Danube", 1), Fact("Rhine", 1)))
    assert [hop.text() for hop in hops_of(item)] == [
        "The Danube is 2,850 km long.",
        "The Rhine is about 1,230 km long.",
    ]


def test_an_it_that_means_nothing_is_not_replaced() -> None:
    item = hotpot_item("own-choice")
    danube = Paragraph("Danube", ("It is said that the water is cold.",))
    item = replace(item, paragraphs=(danube, item.paragraphs[1]), facts=(Fact("Danube", 0), Fact("Rhine", 1)))
    assert hops_of(item)[0].text() == "About Danube: It is said that the water is cold."


def test_fragments_of_a_split_sentence_are_joined() -> None:
    text = hops_of(hotpot_item("own-markup"))[1].text()
    assert (
        text
        == "Roofing at Barns & Sons Hall's roof was laid by the makers of the M.Sc. collection and is made of copper."
    )


def test_namesakes_keep_the_words_that_tell_them_apart() -> None:
    item = hotpot_item("own-polar")
    two = (Paragraph("Alien (film)", ("Alien is a film.",)), Paragraph("Alien (novel)", ("Alien is a novel.",)))
    item = replace(item, paragraphs=two, facts=(Fact("Alien (film)", 0), Fact("Alien (novel)", 0)))
    assert [hop.name for hop in hops_of(item)] == ["Alien (film)", "Alien (novel)"]


def test_the_reasoning_names_every_hop_and_the_answer() -> None:
    for name in ("own-country", "own-year", "own-polar", "own-choice"):
        item = hotpot_item(name)
        for seed in range(5):
            reasoning = full_body(item, seed=seed).reasoning
            assert all(hop.name in reasoning for hop in hops_of(item)), reasoning
            assert item.answer in reasoning


def test_a_bridge_ends_at_the_hop_that_holds_the_answer() -> None:
    item = hotpot_item("own-year")
    assert answering_hops(item, hops_of(item)) == (1,)
    reasoning = full_body(item, seed=1).reasoning
    assert reasoning.index("Composed upon") < reasoning.rindex("Westminster Bridge")


def test_a_partial_body_lacks_exactly_the_dropped_hop() -> None:
    item = hotpot_item("own-country")
    whole, partial = full_body(item, seed=3), partial_body(item, dropped=0, weakened=False, seed=3)
    assert {one.text for one in whole.statements} - {one.text for one in partial.statements} == {
        hops_of(item)[0].text()
    }
    assert "Analytical Engine" not in partial.reasoning
    assert partial.answer == whole.answer


def test_a_weakened_body_says_something_vague_where_the_hop_was() -> None:
    item = hotpot_item("own-country")
    dropped = partial_body(item, dropped=0, weakened=False, seed=3).reasoning
    weakened = partial_body(item, dropped=0, weakened=True, seed=3).reasoning
    assert weakened.startswith(dropped)
    assert len(weakened) > len(dropped)


def test_a_generic_body_keeps_evidence_and_answer_and_names_nothing() -> None:
    item = hotpot_item("own-country")
    whole, generic = full_body(item, seed=3), generic_body(item, seed=3)
    assert (generic.statements, generic.answer) == (whole.statements, whole.answer)
    assert not any(hop.name in generic.reasoning for hop in hops_of(item))
    assert item.answer not in generic.reasoning
