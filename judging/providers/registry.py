"""Every provider there is: which one answers for a judge."""

from __future__ import annotations

from collections.abc import Callable

from annotation.errors import Refused
from judging.enums import ProviderKind
from judging.models import Judge
from judging.providers.anthropic import AnthropicMessages
from judging.providers.base import Answer, HttpProvider, InProcessProvider
from judging.providers.baselines import RULES, Baseline
from judging.providers.openai import OpenAiChat
from judging.providers.simulator import Simulator

Provider = InProcessProvider | HttpProvider

_MAKERS: dict[ProviderKind, Callable[[Judge], Provider]] = {
    ProviderKind.BASELINE: lambda judge: Baseline(RULES[judge.model], seed=int(judge.parameters.get("seed", 0))),
    ProviderKind.SIMULATOR: lambda judge: Simulator(profile=judge.model, seed=int(judge.parameters.get("seed", 0))),
    ProviderKind.OPENAI: lambda judge: OpenAiChat(
        base_url=judge.base_url, model=judge.model, parameters=judge.parameters
    ),
    ProviderKind.ANTHROPIC: lambda judge: AnthropicMessages(
        base_url=judge.base_url, model=judge.model, parameters=judge.parameters
    ),
}
_IN_PROCESS = (ProviderKind.BASELINE, ProviderKind.SIMULATOR)


def provider_of(judge: Judge) -> Provider:
    """The provider that answers for ``judge``. Raises Refused where none can: a replayed file has no judge to ask."""
    kind = ProviderKind(judge.provider)
    if kind not in _MAKERS:
        raise Refused(f"{judge.name} is a {kind.words.lower()} and cannot be asked.")
    return _MAKERS[kind](judge)


def is_in_process(kind: ProviderKind | str) -> bool:
    return kind in _IN_PROCESS


def read_reply(judge: Judge, body: bytes, *, finish_reason: str = "") -> Answer:
    """A stored reply as its provider reads it. What was answered in the process is stored as its bare text."""
    if is_in_process(judge.provider):
        return Answer(text=body.decode("utf-8", "replace"), finish_reason=finish_reason)
    provider = provider_of(judge)
    return provider.read(body)  # type: ignore[union-attr]
