"""CUE's outcome metrics from its own Tables II to V; where the paper prints something else, the finding is the test."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats.anchoring import (
    EPSILON,
    LabelShift,
    Outcomes,
    changed_after_reveal,
    equality_detection_rate,
    label_shift,
    neutrality_deviation,
)
from tests.analysis.rebuild import figures

CUE = figures("cue_counts.json")
SCHEMES = ("Baseline", "SCoT", "PBP")
JUDGES = list(CUE["derived_from_counts"]["neutrality_deviation"])


def outcomes(table: str, judge: str, scheme: str) -> Outcomes:
    (row,) = [row for row in CUE[table] if (row["judge"], row["scheme"]) == (judge, scheme)]
    return Outcomes(row["first"], row["second"], row["tie"])


def shifted(table: str, judge: str, scheme: str, *, favoured: str = "first") -> LabelShift:
    blind, probe = outcomes("II_blind", judge, scheme), outcomes(table, judge, scheme)
    return label_shift(blind, probe) if favoured == "first" else label_shift(blind.swapped(), probe.swapped())


@pytest.mark.parametrize("judge", JUDGES)
def test_neutrality_deviation_is_the_one_the_counts_give(judge: str) -> None:
    expected = CUE["derived_from_counts"]["neutrality_deviation"][judge]
    for scheme, value in zip(SCHEMES, expected, strict=True):
        found = neutrality_deviation(outcomes("II_blind", judge, scheme))
        assert found.value == pytest.approx(value, abs=0.0005)


def test_neutrality_deviation_of_gemma_baseline_is_080_not_the_printed_018() -> None:
    found = neutrality_deviation(outcomes("II_blind", "Gemma-2-9B", "Baseline"))
    assert found.value == pytest.approx(0.080)


@pytest.mark.parametrize("row", CUE["II_blind"], ids=lambda row: f"{row['judge']} {row['scheme']}")
def test_edr_is_the_tie_share_of_blind_rows(row: dict[str, Any]) -> None:
    n = row["tie"] + row["first"] + row["second"]
    found = equality_detection_rate(row["tie"], n)
    assert found.value == row["tie"] / n
    assert found.n == n


def test_edr_of_identical_pairs_is_the_printed_share() -> None:
    for row in CUE["X_identical"]:
        found = equality_detection_rate(row["tie"], 1000)
        assert found.value == row["tie"] / 1000


def test_edr_without_a_tie_on_offer_is_undefined() -> None:
    assert equality_detection_rate(0, 1000, tie_offered=False).undefined == "tie not offered"
    assert equality_detection_rate(0, 0).value is None


PRINTED = [
    (scheme, judge, dict(zip(CUE["VI_printed_LDS_T"]["order"], values, strict=True)))
    for scheme in ("Baseline", "SCoT", "PBP")
    for judge, values in zip(CUE["VI_printed_LDS_T"]["judges"], CUE["VI_printed_LDS_T"][scheme], strict=True)
]
#: Cells of Table VI that its own Tables II and III contradict, and what the counts give.
ERRATA = {
    ("Baseline", "Gemma-2-9B"): {"LDS": 0.460, "OLS": 0.0, "TS": 0.0},
    ("SCoT", "Gemma-2-9B"): {"LDS": 0.583, "OLS": 0.042, "TS": 0.0},  # 105 - 63 of 1000; printed 0.041
    ("SCoT", "Zephyr-7B"): {"LDS": 0.663, "OLS": 0.0, "TS": 0.0},
    ("PBP", "Llama-3.1-8B"): {"LDS": 0.005, "OLS": 0.0, "TS": 0.0},
}


@pytest.mark.parametrize(("scheme", "judge", "printed"), PRINTED, ids=str)
def test_shifts_under_truth_are_the_printed_ones_or_a_named_erratum(
    scheme: str, judge: str, printed: dict[str, float]
) -> None:
    found = shifted("III_truth", judge, scheme)
    expected = ERRATA.get((scheme, judge), printed)
    # Mistral's PBP row sums to 1005, and its shares are of that sum
    tolerance = 0.005 if (scheme, judge) == ("PBP", "Mistral-7B") else 0.0005
    for name, value in expected.items():
        assert getattr(found, name.lower()) == pytest.approx(value, abs=tolerance), name


@pytest.mark.parametrize("erratum", ERRATA, ids=str)
def test_errata_differ_from_what_is_printed(erratum: tuple[str, str]) -> None:
    (printed,) = [values for scheme, judge, values in PRINTED if (scheme, judge) == erratum]
    assert printed != ERRATA[erratum]


def test_mistral_pbp_is_divided_by_its_own_sum() -> None:
    blind = outcomes("II_blind", "Mistral-7B", "PBP")
    assert blind.n == 1005
    assert neutrality_deviation(blind).value == pytest.approx(5 / 1005)


def test_flip_takes_two_one_as_favoured_whatever_the_captions_say() -> None:
    """Gemma SCoT under Flip: the counts give OLS 0.586 (not the printed 0.142) because [1,2] is opposite there."""
    found = shifted("IV_flip", "Gemma-2-9B", "SCoT", favoured="second")
    assert found.ols == pytest.approx(0.586)
    assert found.lds == pytest.approx(0.044)
    assert found.lao == pytest.approx(0.044 / (0.044 + 0.586), abs=1e-6)
    qwen = shifted("IV_flip", "Qwen2.5-7B", "SCoT", favoured="second")
    assert qwen.lds == 0.0  # printed 0.666
    assert qwen.lao == 0.0


def test_placebo_of_a_judge_that_cannot_tie_moves_no_ties() -> None:
    found = shifted("V_placebo", "Qwen2.5-7B", "Baseline")
    assert found.ts == 0.0  # printed 0.270
    assert found.ols == pytest.approx(0.230)


def test_lao_is_all_label_directed_or_none() -> None:
    assert shifted("III_truth", "Gemma-2-9B", "Baseline").lao == pytest.approx(1.0, abs=1e-7)
    still = label_shift(Outcomes(3, 3, 4), Outcomes(3, 3, 4))
    assert (still.lao, still.moved, still.epsilon) == (0.0, False, EPSILON)


counts = st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50)).filter(any)


@given(counts, counts)
def test_shifts_are_shares_and_some_movement_ends_where_it_began(one: tuple[int, ...], two: tuple[int, ...]) -> None:
    found = label_shift(Outcomes(*one), Outcomes(*two))
    for part in (found.lds, found.ols, found.ts, found.lao):
        assert 0 <= part <= 1
    swapped = label_shift(Outcomes(*one).swapped(), Outcomes(*two).swapped())
    assert (found.lds, found.ols, found.ts) == (swapped.ols, swapped.lds, swapped.ts)
    assert found.moved == (
        one != two and any(abs(a * sum(two) - b * sum(one)) > 0 for a, b in zip(one, two, strict=True))
    )


@given(counts)
def test_neutrality_is_the_papers_formula(one: tuple[int, ...]) -> None:
    first, second, tie = one
    found = neutrality_deviation(Outcomes(*one))
    if first + second:
        formula = abs(2 * first / (first + second) - 1) * (1 - tie / sum(one))
        assert found.value == pytest.approx(formula)
    else:
        assert (found.value, found.warning) == (0.0, "every row ties: 0 by continuity")


def test_an_empty_arm_is_refused_and_an_empty_blind_is_undefined() -> None:
    with pytest.raises(ValueError, match="decided rows"):
        label_shift(Outcomes(0, 0, 0), Outcomes(1, 0, 0))
    assert neutrality_deviation(Outcomes(0, 0, 0)).value is None


def test_flip_after_reveal_counts_any_change_of_verdict() -> None:
    found = changed_after_reveal([0, 1, 2, 2], [0, 0, 2, 1])
    assert (found.value, found.n) == (0.5, 4)
    assert changed_after_reveal([], []).value is None
    with pytest.raises(ValueError, match="aligned"):
        changed_after_reveal([0], [0, 1])


def test_impossible_counts_and_undecided_verdicts_are_refused() -> None:
    with pytest.raises(ValueError, match="5 ties of 3"):
        equality_detection_rate(5, 3)
    with pytest.raises(ValueError, match="zero or more"):
        neutrality_deviation(Outcomes(-1, 1, 5))
    with pytest.raises(ValueError, match="zero or more"):
        label_shift(Outcomes(1, 1, 5), Outcomes(-1, 1, 5))
    with pytest.raises(ValueError, match="undecided"):
        changed_after_reveal([0, 3], [0, 1])
