"""HotpotQA questions, in the original shape (lists of pairs) and in Hugging Face's (dicts of lists).

Source: Yang et al. 2018, https://hotpotqa.github.io; data CC BY-SA 4.0. An item whose supporting titles or
sentences are missing from its context is excluded by name: some copies in circulation are trimmed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from annotation.construction.items import Fact, HotpotItem, Paragraph
from annotation.formats.cells import Cells
from annotation.formats.registry import Format
from annotation.formats.source import Sample, Source, open_source
from annotation.formats.tabular import Row, rows
from annotation.records import Excluded, Oddity

NAME = "hotpotqa"
LICENCE = "CC BY-SA 4.0"


def read_items(path: str | Path) -> Iterator[HotpotItem | Excluded | Oddity]:
    """Every question of the file, streaming. JSON array, JSON Lines and Parquet are taken.

    Raises ``InputFileError`` at the end of the file when a row is malformed, naming every such row and field.
    """
    source = open_source(path)
    yield from read_source(source)
    source.problems.raise_if_any()


def read_source(source: Source) -> Iterator[HotpotItem | Excluded | Oddity]:
    """The same over a source someone else opened; the opener raises its problems at the end."""
    seen: set[str] = set()
    for row in rows(source):
        cells = Cells(row, source.problems)
        made = _item(cells, row)
        yield from cells.oddities
        if made is None:
            continue
        name = made.item_id
        if name in seen:
            yield Excluded(name, "an earlier row of the file has the same id", row.number)
            continue
        seen.add(name)
        yield made


def _item(cells: Cells, row: Row) -> HotpotItem | Excluded | None:
    if not row.cells.keys() & {"_id", "id", "context", "supporting_facts"}:
        return Excluded(f"row {row.number}", "a simplified copy: it has neither id nor context", row.number)
    name = cells.word("_id" if cells.has("_id") else "id", required=True)
    question = cells.passage("question", required=True)
    answer = cells.passage("answer", required=True)
    paragraphs = _paragraphs(cells, row.cells.get("context"))
    facts = _facts(cells, row.cells.get("supporting_facts"))
    if not cells.ok:
        return None
    item = HotpotItem(
        item_id=name,
        question=(question or "").strip(),
        answer=_whole_answer(cells, name, (answer or "").strip()),
        kind=cells.word("type"),
        level=cells.word("level"),
        facts=facts,
        paragraphs=paragraphs,
    )
    reason = _unfit(item)
    return Excluded(name, reason, row.number) if reason else item


def _whole_answer(cells: Cells, name: str, answer: str) -> str:
    """Answers cut out of quoted text may keep one lone quotation mark, which says nothing and reads badly."""
    if answer.count('"') != 1:
        return answer
    cells.odd("lone_quotation_mark", f"the answer {answer!r} is kept without its lone quotation mark.", name)
    return " ".join(answer.replace('"', "").split())


def _unfit(item: HotpotItem) -> str:
    """Why no pair can be made of the item; '' where it is sound."""
    if not item.question:
        return "the question is empty"
    if not item.answer:
        return "the answer is empty"
    if not item.facts:
        return "it names no supporting facts"
    titles = {paragraph.title for paragraph in item.paragraphs}
    missing = [title for title in item.titles if title not in titles]
    if missing:
        return "supporting titles are missing from its context: " + "; ".join(missing)
    for fact in item.facts:
        sentences = item.paragraph(fact.title).sentences
        if not 0 <= fact.sentence < len(sentences) or not sentences[fact.sentence].strip():
            return f"supporting sentence {fact.sentence} of {fact.title!r} is missing from its context"
    return ""


def _paragraphs(cells: Cells, value: Any) -> tuple[Paragraph, ...]:
    found: list[Paragraph] = []
    for title, sentences in _couples(cells, "context", value, ("title", "sentences")):
        if not isinstance(title, str) or not _texts(sentences):
            cells.refuse("context", "holds something else than a title and its sentences.", _SHAPES["context"])
            return ()
        found.append(Paragraph(title, tuple(sentences)))
    return tuple(found)


def _facts(cells: Cells, value: Any) -> tuple[Fact, ...]:
    found: list[Fact] = []
    for title, sentence in _couples(cells, "supporting_facts", value, ("title", "sent_id")):
        if not isinstance(title, str) or not isinstance(sentence, int) or isinstance(sentence, bool):
            remedy = _SHAPES["supporting_facts"]
            cells.refuse("supporting_facts", "holds something else than a title and a number.", remedy)
            return ()
        found.append(Fact(title, sentence))
    return tuple(dict.fromkeys(found))


def _couples(cells: Cells, field: str, value: Any, names: tuple[str, str]) -> list[tuple[Any, Any]]:
    """The two-element entries of a list of pairs or of a dict of two equally long lists."""
    if value is None:
        cells.refuse(field, "is missing.", "Take HotpotQA's full file, not a simplified or test copy.")
        return []
    if isinstance(value, Mapping):
        first, second = value.get(names[0]), value.get(names[1])
        if isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
            return list(zip(first, second, strict=True))
    elif isinstance(value, list):
        if all(isinstance(entry, list | tuple) and len(entry) == 2 for entry in value):
            return [(entry[0], entry[1]) for entry in value]
        if all(isinstance(entry, Mapping) and set(names) <= set(entry) for entry in value):
            return [(entry[names[0]], entry[names[1]]) for entry in value]
    cells.refuse(field, "has neither HotpotQA's shape nor Hugging Face's.", _SHAPES[field])
    return []


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


_SHAPES = {
    "context": 'Write [["title", ["sentence", ...]], ...] or {"title": [...], "sentences": [[...], ...]}.',
    "supporting_facts": 'Write [["title", 0], ...] or {"title": [...], "sent_id": [...]}.',
}


def _recognises(sample: Sample) -> bool:
    full = sample.has("question", "answer", "context", "supporting_facts")
    return full or sample.names == {"question", "answer", "type"}


FORMAT = Format(name=NAME, words="HotpotQA questions (source items)", recognises=_recognises, items=read_source)
