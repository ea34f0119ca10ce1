"""The registry as a whole: every format is found, none takes another's file, and what it offers is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.formats import FORMATS, detect, read_items
from tests.annotation.formats.reading import problems, write_lines
from tests.shared import shared_path

ISSUE_FORMATS = {
    "pairs", "labels", "hotpotqa", "finqa", "pandalm", "mtbench", "llmbar", "alpacaeval", "helpsteer3", "preference",
    "ultrafeedback", "feedbackqa", "summeval", "newsroom", "label_studio", "argilla", "doccano", "potato",
}  # fmt: skip


def test_registry_names_every_format_once_and_in_words() -> None:
    assert set(FORMATS) >= ISSUE_FORMATS
    assert all(known.words and (known.pairs or known.labels or known.items) for known in FORMATS.values())
    assert len({known.words for known in FORMATS.values()}) == len(FORMATS)


def test_file_without_what_is_asked_for_names_the_formats_that_have_it(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", {"pair_id": "p", "annotator": "a", "label": "x"})
    (problem,) = problems(path, "items")
    assert "hotpotqa" in problem.remedy


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "format_name"),
    [
        ("hotpotqa/hotpot_hard_100.json", "hotpotqa"),
        ("hotpotqa/hotpot_hard_15_huggingface_shape.json", "hotpotqa"),
        ("hotpotqa/raw/react_simplified_first200.json", "hotpotqa"),
        ("finqa/raw/finqa_original_format_100.json", "finqa"),
        ("finqa/finqa_flattened_150.json", "finqa"),
        ("pandalm/raw/testset-v1.json", "pandalm"),
        ("llmbar/raw/Natural.json", "llmbar"),
        ("llmbar/pairs.jsonl", "ab_pairs"),
        ("mtbench_human/raw/human.jsonl", "mtbench"),
        ("mtbench_human/judge_labels.jsonl", "judge_labels"),
        ("summarisation/newsroom_3raters_ratings.jsonl", "rating_lists"),
        ("alttest/lgbteen/llm_annotations.json", "annotator_map"),
    ],
)
def test_published_files_are_recognised(name: str, format_name: str) -> None:
    assert detect(shared_path(f"data/{name}")) == format_name


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "kept", "left_out"),
    [
        ("hotpotqa/hotpot_hard_100.json", 100, 0),
        ("hotpotqa/hotpot_medium_60.json", 60, 0),
        ("hotpotqa/hotpot_easy_60.json", 60, 0),
        ("hotpotqa/hotpot_hard_15_huggingface_shape.json", 15, 0),
        ("hotpotqa/raw/original_dev_30.json", 6, 24),
        ("hotpotqa/raw/react_simplified_first200.json", 0, 200),
        ("finqa/raw/finqa_original_format_100.json", 100, 0),
        ("finqa/finqa_flattened_150.json", 150, 0),
    ],
)
def test_published_source_items_have_the_counts_of_their_source(name: str, kept: int, left_out: int) -> None:
    found = [type(record).__name__ for record in read_items(shared_path(f"data/{name}"))]
    assert (sum(name.endswith("Item") for name in found), found.count("Excluded")) == (kept, left_out)


def test_every_format_is_in_the_documentation() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
    assert [name for name in FORMATS if f"`{name}`" not in page and name not in {"pairs", "labels"}] == []
