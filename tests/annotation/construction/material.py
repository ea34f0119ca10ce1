"""The small source items of our own writing, and pairs built from them."""

from __future__ import annotations

from pathlib import Path

from annotation.construction.code_tasks import generate_code_items
from annotation.construction.items import (
    CodeItem,
    DocumentItem,
    DrawsItem,
    FinqaItem,
    HotpotItem,
    LabelledSummary,
    OutputItem,
)
from annotation.construction.registry import recipe_named
from annotation.formats import finqa, hotpotqa
from annotation.records import Excluded, PairRecord

DATA = Path(__file__).resolve().parents[2] / "data" / "construction"


def hotpot_items() -> list[HotpotItem]:
    return [one for one in hotpotqa.read_items(DATA / "hotpotqa.json") if isinstance(one, HotpotItem)]


def hotpot_item(name: str) -> HotpotItem:
    return next(item for item in hotpot_items() if item.item_id == name)


def finqa_items() -> list[FinqaItem]:
    return [one for one in finqa.read_items(DATA / "finqa.json") if isinstance(one, FinqaItem)]


def finqa_item(ending: str) -> FinqaItem:
    return next(item for item in finqa_items() if item.item_id.endswith(ending))


def code_items(n: int = 20) -> list[CodeItem]:
    return list(generate_code_items(n, seed=1))


DOCUMENT = (
    "The mill by the river was built in 1804. It ground corn for the town for a hundred years. Dr. Hale bought it in "
    "1910. The wheel was repaired twice. In 1932 the mill closed. Today the mill is a museum about corn and rivers."
)


def document_item() -> DocumentItem:
    return DocumentItem(
        item_id="mill",
        document=DOCUMENT,
        summaries=(
            "A corn mill of 1804 worked until 1932. It is now a museum.",
            "Built in 1804, the mill closed in 1932. Today it is a museum.",
        ),
        model="model-a",
        dataset="Own texts",
        licence="CC0-1.0",
    )


def draws_item() -> DrawsItem:
    texts = "The mill closed in 1932.", "In 1932 the mill closed down."
    return DrawsItem(
        item_id="draw", task="Say when the mill closed.", texts=texts, model="model-a", relation="paraphrases"
    )


def labelled_item() -> LabelledSummary:
    return LabelledSummary(
        item_id="label",
        task="Summarise the document.",
        context=DOCUMENT,
        subject="A corn mill of 1804 worked until 1932.",
        opponent="The mill by the river was built in 1804.",
        subject_label="LLM",
        opponent_label="extractive",
    )


def output_item() -> OutputItem:
    return OutputItem(
        item_id="query",
        task="When did the mill close?",
        outputs={
            "bare": "The mill closed in 1932, after more than a century.\n\nFinal answer: 1932",
            "citing": "It closed in 1932 [1].\n\nFinal answer: 1932\n\nSources:\n[1] Town chronicle, page 3",
            "wrong": "It closed in 1942 [1].\n\nFinal answer: 1942\n\nSources:\n[1] Town chronicle, page 3",
        },
    )


def all_items() -> list[object]:
    """One list of every kind of item: each recipe picks what it accepts."""
    own: list[object] = [*hotpot_items(), *finqa_items(), *code_items()]
    return [*own, document_item(), draws_item(), labelled_item(), output_item()]


def build(recipe: str, *, seed: int = 7, n: int | None = None) -> tuple[list[PairRecord], list[Excluded]]:
    """(pairs, excluded) of the recipe over all small items."""
    made = list(recipe_named(recipe).build(all_items(), n=n, seed=seed))
    pairs = [one for one in made if isinstance(one, PairRecord)]
    return pairs, [one for one in made if isinstance(one, Excluded)]
