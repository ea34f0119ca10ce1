"""Sending one request over HTTP and saying what its end means: an answer, a setback, or the end of the matter."""

from __future__ import annotations

import datetime as dt
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Any, cast

import aiohttp
from django.conf import settings
from django.utils import timezone

from annotation.errors import Refused
from judging.enums import AttemptState
from judging.errors import ProviderError
from judging.protocols.comparison import Reply
from judging.providers.addresses import check_base_url, kind_of_address
from judging.providers.base import HttpProvider
from judging.runner.jobs import Asked, Attempted, Flight, canonical
from judging.runner.retrying import Setback

MAX_REPLY_BYTES = 8_000_000
DETAIL_CHARACTERS = 600
LONGEST_ASKED_WAIT = 600.0
#: Answers that say nothing of this request: the whole judge cannot be asked.
_FATAL = {
    401: "The endpoint does not accept the key",
    403: "The endpoint does not allow this key the request",
    404: "The endpoint does not know the address or the model",
}
_TELLING_HEADERS = ("x-request-id", "request-id", "openai-processing-ms", "openai-version")
_BUSY = {408, 409, 425, 429, 529}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a sending ended; with a ``setback`` it may be tried again, ``fatal`` says why nothing more need be sent."""

    ended: Attempted
    reply: Reply | None = None
    setback: Setback | None = None
    fatal: str = ""

    @property
    def pause(self) -> dt.timedelta:
        """How long nothing should be sent under this key, as the endpoint asked."""
        wait = self.setback.wait if self.setback and self.setback.throttled else None
        return dt.timedelta(seconds=wait or 0.0)

    def given_up(self) -> Attempted:
        """The same end as the last one of its call."""
        self.ended.state = AttemptState.FAILED.value
        return self.ended


class Sender:
    """One session for one stretch of work. Keys are read from the environment here, and kept nowhere else."""

    def __init__(self, asked: Mapping[int, Asked]) -> None:
        self._providers = {each.condition.judge_id: each for each in asked.values() if not each.in_process}
        self._headers: dict[int, dict[str, str]] = {}
        self._keys: dict[int, str] = {}
        self._timeouts: dict[int, aiohttp.ClientTimeout] = {}
        for judge_id, each in self._providers.items():
            judge = each.condition.judge
            check_base_url(judge.base_url, allowed=settings.JUDGE_BASE_URLS)
            key = os.environ.get(judge.key_name, "") if judge.key_name else ""
            if judge.key_name and not key:
                raise Refused(f"{judge.name} needs a key: set the environment variable {judge.key_name}.")
            self._keys[judge_id] = key
            seconds = float(judge.parameters.get("timeout") or settings.JUDGE_TIMEOUT_SECONDS)
            self._timeouts[judge_id] = aiohttp.ClientTimeout(total=seconds)
            self._headers[judge_id] = cast(HttpProvider, each.provider).headers(key)
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Sender:
        if self._providers:
            self._session = aiohttp.ClientSession(
                # The hands bound how many are in flight; a second bound here would only queue them out of sight.
                connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300),
                auto_decompress=True,
                trust_env=False,
            )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def send(self, flight: Flight) -> Outcome:
        """Send once. Never raises for what an endpoint may do."""
        provider = cast(HttpProvider, flight.asked.provider)
        body = provider.adapted(flight.body)
        sent = flight.payload if body is flight.body else canonical(body)
        started = time.perf_counter()
        try:
            status, headers, reply = await self._post(provider.url, flight, sent)
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            end = _setback("no_connection", str(error), charged=False)
        except TimeoutError:
            end = _setback("timeout", "No answer within the time allowed.", charged=True)
        except (aiohttp.ClientError, OSError, _TooLong) as error:
            end = _setback("connection_cut", f"{type(error).__name__}: {error}", charged=True)
        else:
            reply = self._without_key(flight, reply)
            end = self._read(provider, flight, status, headers, reply, body)
        end.ended.latency_ms = round((time.perf_counter() - started) * 1000)
        end.ended.sent = sent if sent is not flight.payload else None
        return end

    async def _post(self, url: str, flight: Flight, sent: bytes) -> tuple[int, Mapping[str, str], bytes]:
        if self._session is None:
            raise RuntimeError("a sender sends only while it is entered")
        judge_id = flight.asked.condition.judge_id
        async with self._session.post(
            url,
            data=sent,
            headers=self._headers[judge_id],
            # A redirect would carry the key to an address nobody allowed.
            allow_redirects=False,
            timeout=self._timeouts[judge_id],
        ) as response:
            return response.status, response.headers, await _bounded_body(response)

    def _read(
        self,
        provider: HttpProvider,
        flight: Flight,
        status: int,
        headers: Mapping[str, str],
        reply: bytes,
        body: Mapping[str, Any],
    ) -> Outcome:
        detail = reply[:DETAIL_CHARACTERS].decode("utf-8", "replace")
        if status == 200:
            try:
                return _answered(provider, status, headers, reply)
            except ProviderError as error:
                return _setback(error.code, f"{error.message} {detail}", charged=True, status=status)
        quirk = provider.learn(status, reply, body)
        if quirk:
            return _setback(f"quirk_{quirk}", detail, charged=False, status=status, at_once=True)
        if status in _BUSY or status >= 500:
            wait = retry_after(headers)
            return _setback(
                f"http_{status}", detail, charged=False, status=status, throttled=status in (429, 529), wait=wait
            )
        if status == 400:
            with suppress(ProviderError):
                # A prompt that an endpoint's filter stopped is a refusal, not a fault of the request.
                return _answered(provider, status, headers, reply)
        # An endpoint may repeat the key it was given when it refuses it.
        told = "" if status in (401, 403) else detail
        ended = _ended(AttemptState.FAILED, f"http_{status}", told, charged=False, status=status)
        judge = flight.asked.condition.judge.name
        return Outcome(ended, fatal=f"{_FATAL[status]} ({judge}, status {status})." if status in _FATAL else "")

    def _without_key(self, flight: Flight, reply: bytes) -> bytes:
        key = self._keys[flight.asked.condition.judge_id].encode()
        return reply.replace(key, b"[key]") if key and key in reply else reply


def _answered(provider: HttpProvider, status: int, headers: Mapping[str, str], reply: bytes) -> Outcome:
    """The outcome of a reply. Raises ProviderError where it is none."""
    answer = provider.read(reply)
    ended = Attempted(
        state=AttemptState.OK.value,
        finished_at=timezone.now(),
        reply=reply,
        http_status=status,
        finish_reason=answer.finish_reason,
        model_returned=answer.model_returned,
        snapshot=answer.snapshot,
        prompt_tokens=answer.prompt_tokens,
        completion_tokens=answer.completion_tokens,
        metadata={**answer.metadata, "address": kind_of_address(provider.url), **_told(headers)},
    )
    reply_text = Reply(text=answer.text, finish_reason=answer.finish_reason or None, refused=answer.refused)
    return Outcome(ended, reply=reply_text)


class _TooLong(Exception):
    """A reply beyond what any judgement can need."""


async def _bounded_body(response: aiohttp.ClientResponse) -> bytes:
    if response.content_length is not None and response.content_length <= MAX_REPLY_BYTES:
        return await response.read()
    body = bytearray()
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) > MAX_REPLY_BYTES:
            raise _TooLong(f"more than {MAX_REPLY_BYTES} bytes")
    return bytes(body)


def _told(headers: Mapping[str, str]) -> dict[str, str]:
    """The few headers that identify a reply at its provider."""
    return {name: headers[name][:200] for name in _TELLING_HEADERS if name in headers}


def _ended(state: AttemptState, code: str, detail: str, *, charged: bool, status: int | None = None) -> Attempted:
    return Attempted(
        state=state.value,
        finished_at=timezone.now(),
        charged=charged,
        http_status=status,
        error_code=code,
        error_detail=detail,
    )


def _setback(
    code: str,
    detail: str,
    *,
    charged: bool,
    status: int | None = None,
    throttled: bool = False,
    at_once: bool = False,
    wait: float | None = None,
) -> Outcome:
    ended = _ended(AttemptState.RETRIED, code, detail, charged=charged, status=status)
    return Outcome(ended, setback=Setback(throttled=throttled, at_once=at_once, wait=wait))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The wait an endpoint asks for, in seconds: ``retry-after-ms``, or ``Retry-After`` as a number or a date."""
    try:
        if "retry-after-ms" in headers:
            return _bounded(float(headers["retry-after-ms"]) / 1000)
        value = headers.get("Retry-After", "")
        if not value:
            return None
        return _bounded(float(value))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    return _bounded((moment - timezone.now()).total_seconds())


def _bounded(seconds: float) -> float | None:
    if seconds != seconds:
        return None
    return min(max(seconds, 0.0), LONGEST_ASKED_WAIT)
