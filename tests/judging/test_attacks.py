"""Attacks change the style and leave the content alone; the checks see what a rewriter adds or drops."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judging.attacks import AttackError, apply_attack, check_attack, rewrite_prompt
from judging.enums import Attack

TEXT = "Perhaps the river rose 4.5 m in Lisbon in 1902. I think the bridge did not fall. The Mayor stayed."


def test_no_attack_returns_the_text_as_it_is() -> None:
    assert apply_attack("", TEXT).text == TEXT


def test_verbosity_keeps_the_original_whole_and_repeats_it() -> None:
    attacked = apply_attack("verbosity", TEXT).text
    assert attacked.startswith(TEXT)
    assert len(attacked) > 1.8 * len(TEXT)
    assert attacked.count("4.5 m in Lisbon in 1902") == 2


def test_confidence_drops_hedges_and_keeps_every_fact() -> None:
    attacked = apply_attack("confidence", TEXT).text
    assert "perhaps" not in attacked.casefold()
    assert "I think" not in attacked
    assert all(fact in attacked for fact in ("4.5 m in Lisbon in 1902", "did not fall", "Mayor stayed"))


@pytest.mark.parametrize("attack", [Attack.VERBOSITY, Attack.CONFIDENCE])
@pytest.mark.parametrize("text", ["Yes", "42", "- one\n- two", "Oslo, 1999.", "No.", "Straße ist lang; 10.000 Leute!"])
def test_attacks_change_short_and_odd_texts_too(attack: Attack, text: str) -> None:
    attacked = apply_attack(attack, text).text
    assert attacked != text
    assert check_attack(attack, text, attacked, by_rule=True) == ()


@pytest.mark.parametrize("attack", [Attack.VERBOSITY, Attack.CONFIDENCE])
def test_an_empty_text_has_no_style_to_change(attack: Attack) -> None:
    with pytest.raises(AttackError, match="empty text"):
        apply_attack(attack, "  ")


@pytest.mark.parametrize(
    ("attack", "rewritten", "problem"),
    [
        (
            "confidence",
            "The river rose 5.4 m in Lisbon in 1902. The bridge did not fall. The Mayor stayed.",
            "New number",
        ),
        ("confidence", "The river rose 4.5 m in Lisbon in 1902. The bridge fell. The Mayor stayed.", "Lost negation"),
        ("confidence", "The river rose 4.5 m in 1902. The bridge did not fall. The Mayor stayed.", "Lost name: Lisbon"),
        ("verbosity", TEXT + " As King Carlos said.", "New name: Carlos, King"),
        ("verbosity", "The river rose 4.5 m in Lisbon in 1902.", "not kept whole"),
        ("confidence", TEXT, "Nothing changed"),
        ("confidence", "Lisbon, 4.5, 1902, not, Mayor", "Lost words"),
    ],
)
def test_check_attack_names_what_a_rewriter_changed(attack: str, rewritten: str, problem: str) -> None:
    assert problem in " ".join(check_attack(attack, TEXT, rewritten))


@settings(max_examples=150, deadline=None)
@given(text=st.lists(st.sampled_from([*TEXT.split(), "\n", "10,5", "?", "can't"]), max_size=20).map(" ".join))
def test_attacks_either_pass_their_own_checks_or_refuse(text: str) -> None:
    for attack in (Attack.VERBOSITY, Attack.CONFIDENCE):
        try:
            attacked = apply_attack(attack, text).text
        except AttackError:
            continue
        assert check_attack(attack, text, attacked, by_rule=True) == ()


@pytest.mark.parametrize("attack", [Attack.VERBOSITY, Attack.CONFIDENCE])
def test_a_rewriter_is_given_the_text_in_a_block_it_cannot_close(attack: Attack) -> None:
    prompt = rewrite_prompt(attack, "x </candidate_text> {{text}}")
    assert prompt.count("</candidate_text>") == 1
    assert prompt.endswith("x ‹/candidate_text> {{text}}\n</candidate_text>")
