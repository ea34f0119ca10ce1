"""Declaring judges: from a short text such as ``openai:MODEL@ADDRESS;temperature=0`` to a Judge of the study."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import transaction

from annotation.errors import Refused
from annotation.models import Study, User
from annotation.steps import audit
from judging.enums import ProviderKind
from judging.models import Judge
from judging.providers.addresses import check_base_url, check_key_name, default_key_name
from judging.providers.baselines import RULES
from judging.providers.simulator import DEFAULT_PROFILE, read_table

DEFAULT_BASE_URLS = {
    ProviderKind.OPENAI: "https://api.openai.com/v1",
    ProviderKind.ANTHROPIC: "https://api.anthropic.com/v1",
}
HTTP_KINDS = (ProviderKind.OPENAI, ProviderKind.ANTHROPIC)

#: Parameters that change what a model answers, and so belong to a judge's identity; value readers by name.
ANSWER_PARAMETERS = {
    "temperature": "number or none",
    "top_p": "number",
    "seed": "whole number",
    "max_tokens": "whole number",
    "reasoning_effort": "word",
    "format": "schema, object or text",
    "quantization": "word",
    "runtime": "word",
}
#: Parameters of the traffic alone.
TRAFFIC_PARAMETERS = {"timeout": "number", "rpm": "whole number", "tpm": "whole number"}
_ALLOWED = {
    ProviderKind.BASELINE: {"seed"},
    ProviderKind.SIMULATOR: {"seed"},
    ProviderKind.OPENAI: {*ANSWER_PARAMETERS, *TRAFFIC_PARAMETERS},
    ProviderKind.ANTHROPIC: {"temperature", "top_p", "max_tokens", *TRAFFIC_PARAMETERS},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSpec:
    """A judge as written: everything of its identity, and the name of the variable its key is read from."""

    provider: ProviderKind
    model: str
    base_url: str = ""
    key_name: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)

    @property
    def identity(self) -> dict[str, Any]:
        answering = {name: value for name, value in self.parameters.items() if name not in TRAFFIC_PARAMETERS}
        return {
            "provider": self.provider.value,
            "model": self.model,
            "base_url": self.base_url,
            "parameters": answering,
        }

    @property
    def config_hash(self) -> str:
        return hashlib.sha256(json.dumps(self.identity, sort_keys=True).encode()).hexdigest()

    @property
    def name(self) -> str:
        """The shortest text that tells this judge from every other."""
        if self.provider == ProviderKind.SIMULATOR and self.model == DEFAULT_PROFILE:
            name = "simulator"
        else:
            name = f"{self.provider.value}:{self.model}"
        if self.base_url and self.base_url != DEFAULT_BASE_URLS[self.provider]:
            name += f"@{self.base_url}"
        answering = self.identity["parameters"]
        return name + "".join(f";{key}={answering[key]}" for key in sorted(answering))


def declare_judge(*, study: Study, spec: str | JudgeSpec, name: str = "", actor: User | None = None) -> Judge:
    """The study's judge of this configuration, made where it is new. Raises Refused for a spec that names none.

    Specs: ``baseline:RULE``, ``baseline:random(7)``, ``simulator``, ``simulator:PROFILE``, ``openai:MODEL``,
    ``openai:MODEL@ADDRESS``, ``anthropic:MODEL``; then ``;parameter=value`` as often as needed, with ``key=NAME``
    naming the environment variable that holds the key.
    """
    if isinstance(spec, str):
        spec = parse_judge_spec(spec)
    with transaction.atomic():
        known = Judge.objects.filter(study=study, config_hash=spec.config_hash).first()
        if known is not None:
            return _with_traffic(known, spec)
        name = name or spec.name
        if len(name) > 240 or Judge.objects.filter(study=study, name=name).exists():
            raise Refused(f"A judge called {name[:80]!r} cannot be added: the name is taken or too long. Give a name.")
        judge = Judge.objects.create(
            study=study,
            name=name,
            provider=spec.provider,
            model=spec.model,
            base_url=spec.base_url,
            key_name=spec.key_name,
            parameters=spec.parameters,
            config_hash=spec.config_hash,
        )
        audit.record(study=study, actor=actor, action="judge.declared", subject=judge.name)
    return judge


def parse_judge_spec(text: str) -> JudgeSpec:
    """Read a spec. Raises Refused, naming what cannot be used and what can."""
    head, *settings_given = [part.strip() for part in text.strip().split(";")]
    kind, _, rest = head.partition(":")
    parameters = dict(_setting(given) for given in settings_given if given)
    key_name = parameters.pop("key", "")
    if kind == ProviderKind.BASELINE:
        return _baseline(rest, parameters)
    if kind == ProviderKind.SIMULATOR:
        return _simulator(rest or DEFAULT_PROFILE, parameters)
    if kind in HTTP_KINDS:
        return _endpoint(ProviderKind(kind), rest, key_name=key_name, parameters=parameters)
    raise Refused(
        f"{text!r} names no judge. Write baseline:RULE, simulator, openai:MODEL[@ADDRESS] or anthropic:MODEL."
    )


def _baseline(rest: str, parameters: dict[str, str]) -> JudgeSpec:
    called = re.fullmatch(r"(\w+)\((-?\d+)\)", rest)
    if called:
        rest, parameters = called[1], {**parameters, "seed": called[2]}
    if rest not in RULES:
        raise Refused(f"There is no baseline {rest!r}; there are: {', '.join(RULES)}.")
    if "seed" in parameters and rest != "random":
        raise Refused(f"The baseline {rest} takes no seed; only random does.")
    return JudgeSpec(provider=ProviderKind.BASELINE, model=rest, parameters=_checked(ProviderKind.BASELINE, parameters))


def _simulator(profile: str, parameters: dict[str, str]) -> JudgeSpec:
    if profile not in read_table():
        raise Refused(f"The simulator has no profile {profile!r}; it has: {', '.join(read_table())}.")
    return JudgeSpec(
        provider=ProviderKind.SIMULATOR, model=profile, parameters=_checked(ProviderKind.SIMULATOR, parameters)
    )


def _endpoint(kind: ProviderKind, rest: str, *, key_name: str, parameters: dict[str, str]) -> JudgeSpec:
    # Model names may hold an @ of their own; an address begins with its scheme.
    model, _, address = rest.partition("@http")
    if not model:
        raise Refused(f"Name the model: {kind.value}:MODEL[@ADDRESS].")
    if len(model) > 200:
        raise Refused("The model's name is longer than 200 characters.")
    url = f"http{address}" if address else DEFAULT_BASE_URLS[kind]
    url = check_base_url(url, allowed=settings.JUDGE_BASE_URLS)
    key_name = check_key_name(key_name, base_url=url) or default_key_name(url)
    return JudgeSpec(provider=kind, model=model, base_url=url, key_name=key_name, parameters=_checked(kind, parameters))


def _setting(given: str) -> tuple[str, str]:
    name, found, value = given.partition("=")
    if not found or not value.strip():
        raise Refused(f"{given!r} is no setting of a judge. Write name=value.")
    return name.strip(), value.strip()


def _checked(kind: ProviderKind, parameters: dict[str, str]) -> dict[str, Any]:
    checked: dict[str, Any] = {}
    for name, value in parameters.items():
        if name not in _ALLOWED[kind]:
            allowed = ", ".join(sorted({*_ALLOWED[kind], *(["key"] if kind in HTTP_KINDS else [])}))
            raise Refused(f"A judge of {kind.words} has no setting {name!r}; it has: {allowed}.")
        checked[name] = _value(name, value)
    return checked


def _value(name: str, value: str) -> Any:
    expected = {**ANSWER_PARAMETERS, **TRAFFIC_PARAMETERS}[name]
    try:
        match expected:
            case "whole number":
                number = int(value)
                if name != "seed" and number < 1:
                    raise ValueError
                return number
            case "number" | "number or none":
                if expected.endswith("none") and value == "none":
                    return None
                return _finite(value)
            case "schema, object or text":
                if value not in {"schema", "object", "text"}:
                    raise ValueError
        return value
    except ValueError:
        raise Refused(f"{name}={value!r} cannot be used: it takes a {expected}.") from None


def _finite(value: str) -> float:
    number = float(value)
    if not 0 <= number < 1e6:
        raise ValueError
    return number


def _with_traffic(judge: Judge, spec: JudgeSpec) -> Judge:
    """The stored judge, with the limits and the key's name of the newest declaration: they are not its identity."""
    traffic = {name: value for name, value in spec.parameters.items() if name in TRAFFIC_PARAMETERS}
    if traffic or (spec.key_name and spec.key_name != judge.key_name):
        judge.parameters = {**judge.parameters, **traffic}
        judge.key_name = spec.key_name or judge.key_name
        judge.save(update_fields=["parameters", "key_name"])
    return judge
