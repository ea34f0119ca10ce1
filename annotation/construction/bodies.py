"""The task and the full body of any question item, whatever set it comes from."""

from __future__ import annotations

from annotation.construction import code_text, finqa_text, hotpot_text
from annotation.construction.body import Body
from annotation.construction.items import CodeItem, FinqaItem, HotpotItem
from annotation.construction.tidy import tidy_question

QuestionItem = HotpotItem | FinqaItem | CodeItem


def task_of(item: QuestionItem) -> str:
    """What the candidates answer, as annotators and judges read it."""
    match item:
        case HotpotItem():
            return tidy_question(item.question)
        case FinqaItem():
            return finqa_text.task_of(item)
        case CodeItem():
            return code_text.task_of(item)


def full_body(item: QuestionItem, *, seed: int) -> Body:
    """All evidence, the whole reasoning and the right answer. Raises ``Unfit``."""
    match item:
        case HotpotItem():
            return hotpot_text.full_body(item, seed=seed)
        case FinqaItem():
            return finqa_text.full_body(item)
        case CodeItem():
            return code_text.full_body(item)
