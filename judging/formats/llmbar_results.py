"""LLMBar's evaluator results: every item with the judge's completions in both orders.

Source: Zeng et al. 2023 (arXiv:2310.07641); princeton-nlp/LLMBar, MIT. The file is SUBSET/evaluators/JUDGE/STRATEGY/
result.json: an array of {input, output_1, output_2, label, results}. The last of ``results`` that has "swap = False"
and "swap = True" counts, each {"completion": [reply, finish reason], "winner": "1" | "2" | null, turned back}; what
stands before it are auxiliary calls. Judge and strategy are the two folders' names, and pairs are named as the LLMBar
reader names those of the subset's dataset.json.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from annotation.formats import llmbar
from annotation.formats.cells import Cells
from annotation.formats.first_second import FIRST, SECOND
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.records import Oddity
from judging.enums import ReplyStyle
from judging.formats.registry import VerdictFormat, VerdictRows
from judging.formats.replies import read_reply
from judging.records import VerdictRecord

#: What the prompts of the reasoning strategies tell the judge to end with.
CONCLUSION = "Therefore, Output ({label}) is better."
OFFERED = ("A", "B")
#: How one endpoint words a reply it withheld.
_FILTERED = "content management policy"
_ORDERS = (("swap = False", FIRST, {"1": "A", "2": "B"}), ("swap = True", SECOND, {"1": "B", "2": "A"}))
_UNNAMED = "judge"


def read(source: Source) -> VerdictRows:
    """Two verdicts an item. Ratings of each output alone become one verdict without order."""
    subset, judge, strategy = _place(source)
    untold = judge == _UNNAMED
    for number, row in enumerate(rows(source)):
        cells = Cells(row, source.problems)
        final, n_calls = _final(cells)
        if final is None or not cells.ok:
            continue
        if untold:
            untold = False
            message = "The path does not name the judge: keep the folders evaluators/JUDGE/STRATEGY to have it."
            yield Oddity("judge_not_in_path", message, row.number)
        blank = VerdictRecord(
            pair_id=f"llmbar-{subset}-{number}",
            judge=judge,
            protocol=strategy,
            outcome="unparsed",
            n_calls=n_calls,
            source="replay",
            row=row.number,
        )
        yield from _rated(cells, final, blank) if "score_1" in final else _orders(cells, final, blank)


def _orders(cells: Cells, final: Mapping[str, Any], blank: VerdictRecord) -> Iterator[VerdictRecord | Oddity]:
    for key, shown_as_a, winners in _ORDERS:
        game = final.get(key)
        if not isinstance(game, Mapping):
            cells.refuse("results", f"has no {key!r}.", "Take LLMBar's own result files.")
            return
        reply, finish = _completion(cells, game.get("completion"))
        if not cells.ok:
            return
        winner = str(game.get("winner"))
        yield from read_reply(
            replace(blank, shown_as_a=shown_as_a),
            reply,
            style=ReplyStyle.LINE,
            offered=OFFERED,
            recorded=winners.get(winner, "") if "winner" in game else None,
            finish_reason=finish,
            conclusion=CONCLUSION,
        )


def _rated(cells: Cells, final: Mapping[str, Any], blank: VerdictRecord) -> Iterator[VerdictRecord]:
    replies = [_completion(cells, final.get(name))[0] for name in ("score_1", "score_2")]
    one, two = (_grade(reply) for reply in replies)
    verdict = replace(blank, offered=("A", "B", "Tie"))
    if not cells.ok:
        return
    if one is None or two is None:
        yield replace(verdict, reason="no_verdict")
        return
    winner = "Tie" if one == two else ("A" if one > two else "B")
    scores = {FIRST: {"overall": float(one)}, SECOND: {"overall": float(two)}}
    yield replace(verdict, outcome="decided", winner=winner, scores=scores)


def _grade(reply: str | None) -> int | None:
    text = (reply or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 3 else None


def _final(cells: Cells) -> tuple[Mapping[str, Any] | None, int]:
    """(the result that counts, the calls one comparison took)."""
    value = cells.structure("results")
    results = value if isinstance(value, list) else []
    swaps = [result for result in results if isinstance(result, Mapping) and "swap = False" in result]
    if not swaps:
        cells.refuse("results", "holds no result in both orders.", "Take LLMBar's own result files.")
        return None, 0
    auxiliary = sum(not isinstance(result, Mapping) for result in results)
    # A synthesis is asked only where the two orders differed, and reads the explanations of both.
    synthesised = 2 * (len(swaps) - 1)
    rated = 1 if "score_1" in swaps[-1] else 0
    return swaps[-1], 1 + auxiliary + synthesised + rated


def _completion(cells: Cells, value: Any) -> tuple[str | None, str | None]:
    """(reply, finish reason) from [reply, finish reason], the reply alone, or nothing."""
    reply, finish = (value[0], value[1]) if isinstance(value, list) and len(value) == 2 else (value, None)
    if not isinstance(reply, str | None) or not isinstance(finish, str | None):
        cells.refuse("results", "holds a completion that is no text.", "Take LLMBar's own result files.")
        return None, None
    return reply, "content_filter" if finish == _FILTERED else (finish or None)


def _place(source: Source) -> tuple[str, str, str]:
    """(subset, judge, strategy) by the folders; the file's name stands for the subset where there are none."""
    strategy, *above = source.path.resolve().parents
    if len(above) > 2 and above[1].name == "evaluators":
        data_set = replace(source, path=Path(above[2]) / "dataset.json")
        return llmbar.subset_name(data_set), above[0].name, strategy.name
    return llmbar.subset_name(source), _UNNAMED, "LLMBar"


def _recognises(sample: Sample) -> bool:
    return sample.has("input", "output_1", "output_2", "results")


FORMAT = VerdictFormat(name="llmbar_results", words="LLMBar's evaluator results", recognises=_recognises, read=read)
