"""A refusal declines the task in the first person; doubt, reports and choices are no refusals."""

from __future__ import annotations

import pytest

from judging.extractor.refusals import is_refusal


@pytest.mark.parametrize(
    "text",
    [
        "I am sorry, but I cannot help with comparing these responses.",
        "I'm sorry, but I can't assist with that.",
        "I’m sorry, but I can’t assist with that.",
        "I`m sorry, I can`t do this.",
        "Sorry, I can't.",
        "I cannot compare these to say which is better.",
        "I can't help with choosing the better response.",
        "I won't be able to help with this request.",
        "I'm afraid I can't do that.",
        "I am unable to evaluate these texts.",
        "I'm not able to provide a judgement on this content.",
        "I'm not comfortable comparing these responses.",
        "I must respectfully decline to judge these.",
        "I have to decline this request.",
        "I decline to answer.",
        "As an AI language model, I cannot evaluate personal opinions.",
        "As a large language model trained to be safe, I do not provide rankings.",
        "I apologize, but I am not able to engage with this material.",
        "Unfortunately, I cannot fulfill your request.",
        "**I cannot assist with this request.**",
        "This request violates our usage policies.",
        "This content may violate our policies.",
        "Lo siento, pero no puedo ayudar con eso.",
        "Je suis désolé, mais je ne peux pas vous aider.",
        "Es tut mir leid, aber dabei kann ich nicht helfen.",
        "很抱歉,我无法协助完成这项请求。",
        "申し訳ありませんが、お手伝いできません。",
        "I cannot help with this. Let me know if there is something else I can do.",
    ],
)
def test_is_refusal_recognises_a_declined_task(text: str) -> None:
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot decide which is better.",
        "I cannot tell the two apart.",
        "I am not able to determine a winner.",
        "I can't choose between them.",
        "Both are equally good.",
        "Response A says it cannot help, which is a pity.",
        "'I'm sorry, I can't help with that' is all that response A says.",
        "Sorry for the delay. Here is my view.",
        "I must say that response A is better.",
        "I cannot provide a long answer. Therefore, output B.",
        "I cannot support response A. I would choose response B.",
        "Error: rate limit exceeded",
        "I must compare both first.",
        "I have to evaluate them. A is better.",
        "I need to provide a verdict: A.",
        "I do not see any difference.",
        "A",
    ],
)
def test_is_refusal_leaves_everything_else_alone(text: str) -> None:
    assert not is_refusal(text)
