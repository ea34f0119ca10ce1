"""What pairs are built from: one question of a public set, one generated task, one document, one system's output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotation.construction.program import Program

HOTPOTQA = "HotpotQA"
FINQA = "FinQA"
GENERATED = "Tiebreak program-output tasks"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph of a HotpotQA context, its sentences as the file splits them."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """One supporting sentence: the paragraph's title and the sentence's number in it, from 0."""

    title: str
    sentence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HotpotItem:
    """One HotpotQA question. Every fact's paragraph and sentence is in ``paragraphs``."""

    item_id: str
    question: str
    answer: str
    kind: str
    level: str
    facts: tuple[Fact, ...]
    paragraphs: tuple[Paragraph, ...]

    @property
    def titles(self) -> tuple[str, ...]:
        """The supporting titles in the order the facts name them: one a hop."""
        return tuple(dict.fromkeys(fact.title for fact in self.facts))

    def paragraph(self, title: str) -> Paragraph:
        """The first paragraph of that title; raises ``KeyError`` where the context has none."""
        for paragraph in self.paragraphs:
            if paragraph.title == title:
                return paragraph
        raise KeyError(title)


@dataclass(frozen=True, slots=True, kw_only=True)
class FinqaItem:
    """One FinQA question. ``gold_rows`` and ``gold_texts`` number the table's rows and ``texts`` from 0.

    ``printed_answer`` is the file's own wording ("7.87%", may be empty); ``result`` is what the program
    yields (a number, or "yes" / "no").
    """

    item_id: str
    question: str
    printed_answer: str
    result: float | str
    program: Program
    table: tuple[tuple[str, ...], ...]
    texts: tuple[str, ...]
    gold_rows: tuple[int, ...] = ()
    gold_texts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeItem:
    """One small program whose output is asked for. ``steps`` explain the run; ``slips`` are plausible wrong outputs."""

    item_id: str
    program: str
    steps: tuple[str, ...]
    output: str
    slips: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentItem:
    """One document with the summaries a language model wrote of it (in the order they were drawn)."""

    item_id: str
    document: str
    summaries: tuple[str, ...]
    model: str = ""
    dataset: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawsItem:
    """Two texts of one model for one task: two paraphrases of one answer, or two independent draws."""

    item_id: str
    task: str
    texts: tuple[str, str]
    model: str
    relation: str = "draws"
    context: str | None = None
    dataset: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSummary:
    """One summary to be shown under changing labels against one fixed opponent."""

    item_id: str
    task: str
    subject: str
    opponent: str
    subject_label: str
    opponent_label: str
    context: str | None = None
    dataset: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputItem:
    """What several systems answered to one query: {system: text}. ``gold`` is the known answer, where there is one."""

    item_id: str
    task: str
    outputs: Mapping[str, str] = field(default_factory=dict)
    gold: str = ""
    context: str | None = None
    dataset: str = ""
    licence: str = ""


Item = HotpotItem | FinqaItem | CodeItem | DocumentItem | DrawsItem | LabelledSummary | OutputItem
