"""LLMBar's evaluator results: judge and strategy by the folders, replies read in the line style."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotation.formats import read_pairs
from annotation.records import PairRecord
from judging.formats.verdicts import detect
from tests.judging.formats.reading import refused, told, verdicts, written

PLACE = "Dataset/LLMBar/Adversarial/Neighbor/evaluators/GPT-4/CoT/result.json"
SAYS_A = {"completion": ["Therefore, Output (a) is better.", "stop"], "winner": "1"}
SAYS_B = {"completion": ["Therefore, Output (b) is better.", "stop"], "winner": "1"}


def item(*results: Any) -> dict[str, Any]:
    return {"input": "Sort them.", "output_1": "a, b", "output_2": "b, a", "label": 1, "results": list(results)}


def test_llmbar_results_take_pair_judge_and_strategy_from_the_folders(tmp_path: Path) -> None:
    path = written(tmp_path / PLACE, item({"swap = False": SAYS_A, "swap = True": SAYS_B}))
    assert detect(path) == "llmbar_results"
    first, second = verdicts(path)
    pairs = written(tmp_path / "Dataset/LLMBar/Adversarial/Neighbor/dataset.json", item())
    (pair,) = [one for one in read_pairs(pairs) if isinstance(one, PairRecord)]
    assert first.pair_id == second.pair_id == pair.pair_id
    assert (first.judge, first.protocol) == ("GPT-4", "CoT")
    # both orders prefer the first output: as A when shown first, as B when changed over
    assert [(one.shown_as_a, one.winner, one.offered) for one in (first, second)] == [
        ("first", "A", ("A", "B")), ("second", "B", ("A", "B"))
    ]  # fmt: skip
    assert told(path) == {}


def test_llmbar_results_count_the_synthesis_and_every_call_it_took(tmp_path: Path) -> None:
    contradicting = {"swap = False": SAYS_A, "swap = True": SAYS_A | {"winner": "2"}}
    synthesis = {"swap = False": SAYS_A, "swap = True": SAYS_B}
    path = written(tmp_path / PLACE, item(["Write metrics.", "stop"], contradicting, synthesis))
    assert [(one.winner, one.n_calls) for one in verdicts(path)] == [("A", 4), ("B", 4)]


def test_llmbar_results_read_filtered_cut_and_free_replies_as_no_verdict(tmp_path: Path) -> None:
    filtered = {"completion": ["", "content management policy"], "winner": None}
    cut = {"completion": ["Therefore, Output (a) is better.", "length"], "winner": "1"}
    free = {"completion": ["Output (b), by far, is the finer one", "stop"], "winner": "1"}
    path = written(
        tmp_path / PLACE,
        item({"swap = False": filtered, "swap = True": free}),
        item({"swap = False": cut, "swap = True": SAYS_B}),
    )
    assert [(one.outcome, one.reason) for one in verdicts(path)] == [
        ("refused", "content_filter"), ("unparsed", "no_verdict"), ("unparsed", "truncated"), ("decided", "")
    ]  # fmt: skip


def test_llmbar_results_compare_ratings_without_order(tmp_path: Path) -> None:
    rated = {"score_1": ["7", "stop"], "score_2": ["4", "stop"], "swap = False": {"winner": "1"}}
    (one,) = verdicts(written(tmp_path / PLACE, item(rated)))
    assert (one.shown_as_a, one.winner, one.scores["second"]["overall"], one.n_calls) == ("", "A", 4.0, 2)


def test_llmbar_results_say_so_where_the_path_names_no_judge(tmp_path: Path) -> None:
    path = written(tmp_path / "Natural.json", item({"swap = False": SAYS_A, "swap = True": SAYS_B}))
    assert {(one.pair_id, one.judge) for one in verdicts(path)} == {("llmbar-Natural-0", "judge")}
    assert "judge_not_in_path" in told(path)


def test_llmbar_results_refuse_an_item_without_both_orders(tmp_path: Path) -> None:
    path = written(tmp_path / PLACE, item(), item({"swap = False": SAYS_A}), item({"swap = False": {"completion": 3}}))
    assert refused(path) == [(1, "results"), (2, "results"), (3, "results")]
