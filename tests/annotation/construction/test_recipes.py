"""The promise of each recipe, asserted by other means than its own check; and that the check sees tampering."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from annotation.construction.answers import answers_match, final_answer
from annotation.construction.content import names, numbers, tokens
from annotation.construction.display import find_display, strip_display
from annotation.construction.extractive import METHODS, extractive_summary
from annotation.construction.from_outputs import documents_from, draws_from, labelled_from
from annotation.construction.items import DocumentItem, DrawsItem, LabelledSummary
from annotation.construction.recipe import Recipe, sides
from annotation.construction.recipes.ablations import VARIANTS
from annotation.construction.registry import recipe_named
from annotation.construction.sentences import split_sentences
from annotation.records import Excluded, PairRecord
from tests.annotation.construction.material import (
    DOCUMENT,
    all_items,
    build,
    finqa_item,
    hotpot_item,
    labelled_item,
    output_item,
)


def pair_of(recipe: str, item: str, part: str = "") -> PairRecord:
    return next(one for one in build(recipe)[0] if one.cluster.endswith(item) and one.pair_id.endswith(part))


def item_of(pair: PairRecord) -> object:
    return next(item for item in all_items() if item.item_id == pair.source_id)  # type: ignore[attr-defined]


def broken_by(pair: PairRecord, first: str | None = None, second: str | None = None, **changes: object) -> list[str]:
    """What the recipe's check says when a side or a field is tampered with."""
    plain, cited = sides(pair)
    candidates = (plain if first is None else first, cited if second is None else second)
    tampered = replace(pair, candidates=candidates, **changes)  # type: ignore[arg-type]
    return recipe_named(str(pair.meta["recipe"])).check(tampered, item_of(pair))


def excluded(recipe: Recipe, item: object) -> str:
    """Why the recipe makes nothing of the item."""
    (only,) = recipe.build([item], n=None, seed=1)
    assert isinstance(only, Excluded)
    return only.reason


def test_mechanical_pairs_differ_in_display_alone() -> None:
    for pair in build("mechanical")[0]:
        plain, cited = sides(pair)
        assert not find_display(plain)
        assert strip_display(cited) == plain
        assert names(strip_display(cited)) == names(plain)
        assert len(cited) > len(plain)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("1862", "1863", "answers"),
        ("Thames", "Seine", "cannot be recovered"),
        ("Sources", "Sauces", "words of its own"),
    ],
)
def test_mechanical_check_sees_changed_content(old: str, new: str, complaint: str) -> None:
    pair = pair_of("mechanical", "own-year")
    cited = re.sub(
        r"\n\n(?:Sources|References|Retrieved evidence|Supporting sources):\n", "\n\nSources:\n", sides(pair)[1]
    )
    assert broken_by(pair, second=cited) == []
    assert any(complaint in one for one in broken_by(pair, second=cited.replace(old, new)))


def test_mechanical_check_sees_a_number_smuggled_into_the_display() -> None:
    pair = pair_of("mechanical", "own-year")
    assert any("1234567" in one for one in broken_by(pair, second=sides(pair)[1] + " 1234567"))


def test_ablations_add_what_their_names_say() -> None:
    by_variant = {pair.artifact_kind: sides(pair) for pair in build("ablations")[0] if pair.cluster == "own-country"}
    plain = by_variant["full_citation"][0]
    assert all(shown[0] == plain for shown in by_variant.values())
    added = {variant: shown[1].removeprefix(plain).strip() for variant, shown in by_variant.items()}
    assert added["evidence_only"] == plain.split("\n\n")[0]
    assert added["source_only"].split("\n")[1:] == ["- Analytical Engine", "- Charles Babbage"]
    slots = by_variant["empty_shell"][1].split("\n\n")[-1].split("\n")[1:]
    assert [re.sub(r"\[S?\d\] ", "", slot) for slot in slots] == ["\u2014"] * 3
    assert re.findall(r"\(p\d\.s\d\)", by_variant["sentence_id_only"][1]) == ["(p1.s1)", "(p2.s1)", "(p2.s2)"]
    full, control = len(tokens(by_variant["full_citation"][1])), len(tokens(by_variant["length_control"][1]))
    assert abs(control - full) <= 0.05 * full
    assert not find_display(by_variant["length_control"][1])


def test_ablations_come_six_an_item_in_order() -> None:
    kinds = [pair.artifact_kind for pair in build("ablations")[0]]
    assert kinds[:6] == list(VARIANTS)
    assert kinds == kinds[:6] * (len(kinds) // 6)


def test_ablation_check_sees_a_length_that_is_off() -> None:
    pair = pair_of("ablations", "own-country", "length_control")
    assert any(
        "away from that" in one for one in broken_by(pair, second=sides(pair)[1] + " So it goes, one might say." * 9)
    )


@pytest.mark.parametrize("recipe", ["conflicts", "reverse_conflicts"])
def test_conflicts_have_one_right_side_and_the_same_evidence(recipe: str) -> None:
    for pair in build(recipe)[0]:
        plain, cited = sides(pair)
        content = strip_display(cited)
        assert plain.split("\n\n")[0] == content.split("\n\n")[0]
        answers = {"plain": final_answer(plain) or "", "cited": final_answer(content) or ""}
        assert not answers_match(answers["plain"], answers["cited"])
        right, wrong = str(pair.meta["answer"]).strip("`"), str(pair.meta["wrong_answer"]).strip("`")
        assert answers[str(pair.target)] == right
        assert answers[({"plain", "cited"} - {pair.target}).pop()] == wrong
        assert pair.target == ("plain" if recipe == "conflicts" else "cited")


def test_conflicts_declare_each_perturbation() -> None:
    declared = {str(pair.meta["perturbation"]) for pair in build("conflicts")[0]}
    assert declared == {"yes_no_flip", "distractor_entity", "number_change", "date_shift", "output_slip"}
    assert {pair.domain for pair in build("conflicts")[0]} == {"multi-hop QA", "financial", "code"}


@pytest.mark.parametrize(
    ("item", "wrong", "complaint"),
    [
        ("own-year", "the 1862", "should be wrong"),
        ("own-year", "Paris", "written differently"),
        ("own-polar", "maybe", "yes or no"),
        ("own-person", "Ada Lovelace", "not from the item's context"),
        ("own-state", "Slater Mill", "on a list"),
        ("page_1.pdf-1", "18", "written differently"),
        ("page_1.pdf-1", "0.25", "should be wrong"),
    ],
)
def test_conflict_check_sees_answers_that_do_not_conflict(item: str, wrong: str, complaint: str) -> None:
    pair = pair_of("conflicts", item)
    cited = re.sub(r"(?m)^Final answer: .*$", f"Final answer: {wrong}", sides(pair)[1])
    assert any(complaint in one for one in broken_by(pair, second=cited))


def test_moderate_pairs_lack_exactly_one_hop() -> None:
    pairs = build("moderate")[0]
    assert {str(pair.meta["omission"]) for pair in pairs} == {"dropped", "weakened"}
    for pair in pairs:
        plain, cited = sides(pair)
        statements = split_sentences(plain.split("\n\n")[0])
        kept = [statement for statement in statements if statement in strip_display(cited)]
        assert 0 < len(kept) < len(statements)
        assert final_answer(plain) == final_answer(strip_display(cited)) == pair.meta["answer"]


def test_moderate_keeps_the_hop_that_holds_the_answer() -> None:
    for seed in range(6):
        pair = next(one for one in build("moderate", seed=seed)[0] if one.cluster == "own-year")
        assert pair.meta["omitted_hop"] == "Composed upon Westminster Bridge"


def test_moderate_check_sees_a_hop_too_many_or_too_few() -> None:
    pair = pair_of("moderate", "own-year")
    whole = pair_of("mechanical", "own-year")
    assert any("lacks 0 hops" in one for one in broken_by(pair, second=sides(whole)[1]))
    assert any("lacks 2 hops" in one for one in broken_by(pair, second="So. [1]\n\nSo.\n\nFinal answer: 1862"))


def test_finqa_moderate_omits_one_step_and_keeps_number_and_evidence() -> None:
    for pair in build("finqa_moderate")[0]:
        plain, cited = sides(pair)
        first, second = plain.split("\n\n"), strip_display(cited).split("\n\n")
        assert (first[0], first[2]) == (second[0], second[2])
        assert len(numbers(second[1])) < len(numbers(first[1]))


def test_finqa_moderate_check_sees_the_step_that_was_to_be_omitted() -> None:
    pair = pair_of("finqa_moderate", "page_1.pdf-1")
    reasoning = sides(pair)[0].split("\n\n")[1]
    told = sides(pair)[1].replace(strip_display(sides(pair)[1]).split("\n\n")[1], reasoning)
    assert any("shows 2 of 2 steps" in one for one in broken_by(pair, second=told))


def test_soft_pairs_differ_in_reasoning_alone() -> None:
    for pair in build("soft")[0]:
        first, second = sides(pair)[0].split("\n\n"), strip_display(sides(pair)[1]).split("\n\n")
        assert (first[0], first[2]) == (second[0], second[2])
        assert first[1] != second[1]
        assert len(second[1]) < 70


def test_soft_check_sees_reasoning_that_is_not_generic() -> None:
    pair = pair_of("soft", "own-year")
    specific = sides(pair_of("mechanical", "own-year"))[1]
    assert broken_by(pair, second=specific) == ["the cited side's reasoning is not generic"]


def test_workflow_has_six_pairs_a_query_and_four_systems() -> None:
    pairs = [pair for pair in build("workflow")[0] if pair.cluster == "own-country"]
    assert len(pairs) == 6
    assert len({pair.roles for pair in pairs}) == 6
    texts: dict[str, set[str]] = {}
    for pair in pairs:
        for role, text in zip(pair.roles, sides(pair), strict=True):
            texts.setdefault(role, set()).add(text)
    assert {role: len(found) for role, found in texts.items()} == dict.fromkeys(
        ("answer_only", "plain_full", "cited_full", "cited_partial"), 1
    )
    assert texts["answer_only"] == {"Final answer: England"}


def test_workflow_shares_its_texts_with_mechanical_pairs_of_one_seed() -> None:
    full = next(
        pair
        for pair in build("workflow")[0]
        if pair.cluster == "own-year" and pair.roles == ("plain_full", "cited_full")
    )
    assert full.candidates == pair_of("mechanical", "own-year").candidates


def test_identical_pairs_are_identical_and_the_check_sees_a_space() -> None:
    pair = pair_of("identical", "own-year")
    assert pair.candidates[0] == pair.candidates[1]
    assert broken_by(pair, second=sides(pair)[1] + " ")


def test_equal_content_states_the_same_in_other_words() -> None:
    pair = pair_of("equal_content", "own-country")
    first, second = sides(pair)
    assert first != second
    assert numbers(first) == numbers(second)
    assert sorted(split_sentences(first.split("\n\n")[0])) == sorted(split_sentences(second.split("\n\n")[0]))
    assert any("statement" in one for one in broken_by(pair, second=second.replace("London", "Leeds")))


def test_equal_content_takes_draws_and_refuses_copies() -> None:
    recipe = recipe_named("equal_content")
    draw = DrawsItem(item_id="d", task="Say it.", texts=("One 5.", "One 5!"), model="m")
    assert "are the same" in excluded(recipe, draw)
    changed = replace(draw, texts=("It is 5.", "It was 6."), relation="paraphrases")
    assert "numbers differ" in excluded(recipe, changed)
    assert isinstance(next(iter(recipe.build([replace(changed, relation="draws")], n=None, seed=1))), PairRecord)


def test_relabel_changes_labels_and_nothing_else() -> None:
    pairs = build("relabel")[0]
    assert len({pair.candidates for pair in pairs}) == 1
    shown = {pair.meta["labelling"]: pair.meta["labels"] for pair in pairs}
    assert shown == {
        "truth": {"subject": "LLM", "opponent": "extractive"},
        "flip": {"subject": "extractive", "opponent": "LLM"},
        "same": {"subject": "LLM", "opponent": "LLM"},
        "blind": {"subject": "", "opponent": ""},
    }
    named = replace(labelled_item(), subject="An LLM wrote this.")
    assert "names a label itself" in excluded(recipe_named("relabel"), named)


def test_natural_pairs_match_in_answer_and_differ_in_display() -> None:
    pairs = build("natural")[0]
    assert [pair.meta["systems"] for pair in pairs] == [{"plain": "bare", "cited": "citing"}]
    assert pairs[0].candidates == (output_item().outputs["bare"], output_item().outputs["citing"])
    assert pairs[0].meta["display"]["cited"] == ["marker", "source_list"]


@pytest.mark.parametrize(
    ("outputs", "why"),
    [
        ({"a": "Final answer: 5", "b": "So [1].\n\nFinal answer: 6"}, "answers differ"),
        ({"a": "So.\n\nFinal answer: 5", "b": "Thus.\n\nFinal answer: 5"}, "do not differ in citation-like display"),
        ({"a": "word " * 20, "b": "So [1].\n\nFinal answer: 6"}, "declares no final answer"),
        ({"a": "Final answer: 5"}, "fewer than two outputs"),
    ],
)
def test_outputs_that_make_no_natural_pair_say_why(outputs: dict[str, str], why: str) -> None:
    item = replace(output_item(), outputs=outputs)
    found = list(recipe_named("natural").build([item], n=None, seed=1))
    assert len(found) == 1
    assert isinstance(found[0], Excluded)
    assert why in found[0].reason


@pytest.mark.parametrize("method", METHODS)
def test_extractive_summaries_are_the_documents_own_sentences(method: str) -> None:
    pytest.importorskip("sumy")
    summary = extractive_summary(DOCUMENT, method, sentences=2)
    chosen = split_sentences(summary)
    document = split_sentences(DOCUMENT)
    assert len(chosen) == 2
    assert [document.index(sentence) for sentence in chosen] == sorted(document.index(sentence) for sentence in chosen)


def test_summaries_pair_each_method_with_the_llms_and_match_its_length() -> None:
    pytest.importorskip("sumy")
    pairs = build("summaries")[0]
    assert [pair.artifact_kind for pair in pairs] == list(METHODS)
    assert {sides(pair)[0] for pair in pairs} == {"A corn mill of 1804 worked until 1932. It is now a museum."}
    assert all(pair.context == DOCUMENT and pair.source_licence == "CC0-1.0" for pair in pairs)
    assert any("not the document's sentences" in one for one in broken_by(pairs[0], second="Made up. It closed."))


def test_outputs_become_documents_draws_and_labelled_texts() -> None:
    item = replace(output_item(), context=DOCUMENT)
    documents = list(documents_from([item], systems=["bare", "citing"]))
    assert isinstance(documents[0], DocumentItem)
    assert documents[0].summaries == (item.outputs["bare"], item.outputs["citing"])
    draws = list(draws_from([item], systems=("bare", "citing"), model="m"))
    assert isinstance(draws[0], DrawsItem)
    labelled = list(labelled_from([item], subject="bare", opponent="citing", labels=("human", "LLM")))
    assert isinstance(labelled[0], LabelledSummary)
    missing = list(documents_from([item], systems=["nobody"]))
    assert missing == [Excluded("query", "it has no output of nobody")]


def test_items_of_one_paragraph_or_without_a_step_are_excluded_by_name() -> None:
    reasons = {one.item_id: one.reason for one in build("moderate")[1]}
    assert "all of one paragraph" in reasons["own-one-paragraph"]
    reasons = {one.item_id: one.reason for one in build("finqa_moderate")[1]}
    assert "no denominator, base or conversion" in reasons[finqa_item("-8").item_id]
    assert hotpot_item("own-one-paragraph").titles == ("Volga",)
