"""A loopback endpoint that speaks chat completions and misbehaves by a seeded plan; it counts requests by their body.

with Chaos(throttle=0.2, error=0.05) as chaos:
    spec = chaos.spec("a-model")        # openai:a-model@http://127.0.0.1:PORT/v1;timeout=...
    ...
    chaos.received                      # {body hash: requests}
    chaos.answered                      # {body hash: whole answers sent}
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Self

from aiohttp import web

Respond = Callable[[dict[str, Any]], web.Response | None]


class Chaos:
    """Shares are of requests: ``throttle`` 429 with Retry-After, ``error`` 500, ``hang`` no answer, ``cut`` a closed
    connection, ``garbage`` no JSON, ``refuse`` a refusal. ``latency`` and ``slow_start`` (longer waits during the
    first ``slow_start`` seconds) are in seconds. ``respond`` may answer before anything else does."""

    def __init__(
        self,
        *,
        seed: int = 0,
        throttle: float = 0.0,
        error: float = 0.0,
        hang: float = 0.0,
        cut: float = 0.0,
        garbage: float = 0.0,
        refuse: float = 0.0,
        latency: float = 0.0,
        slow_start: float = 0.0,
        retry_after: float = 0.05,
        timeout: float = 0.5,
        usage: bool = True,
        respond: Respond | None = None,
    ) -> None:
        self.shares = {
            self._throttled: throttle,
            self._failed: error,
            self._hung: hang,
            self._cut: cut,
            self._garbled: garbage,
            self._refused: refuse,
        }
        self.latency = latency
        self.slow_start = slow_start
        self.retry_after = retry_after
        self.timeout = timeout
        self.usage = usage
        self.respond = respond
        self.received: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.statuses: Counter[str] = Counter()
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.moments: list[float] = []
        self.at_once = self.most_at_once = 0
        self.keep = True
        self._random = random.Random(seed)
        self._ready = threading.Event()

    def spec(self, model: str = "a-model", **settings: Any) -> str:
        """The spec of a judge at this endpoint."""
        settings = {"timeout": self.timeout, **settings}
        return f"openai:{model}@{self.url};" + ";".join(f"{name}={value}" for name, value in settings.items())

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._started = time.monotonic()
        app = web.Application(client_max_size=10_000_000)
        app.router.add_post("/v1/chat/completions", self._handle)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0, backlog=1024)
        await site.start()
        self.port = site._server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
        self._ready.set()
        await self._stop.wait()
        await runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        digest = hashlib.sha256(raw).hexdigest()
        self.received[digest] += 1
        self.moments.append(time.monotonic())
        body = json.loads(raw)
        if self.keep:
            self.requests.append(body)
            self.headers.append(dict(request.headers))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            wait = self.latency
            if time.monotonic() - self._started < self.slow_start:
                wait += 0.2
            if wait:
                await asyncio.sleep(wait)
            answer = self.respond(body) if self.respond else None
            if answer is None:
                answer = await self._by_plan(request, body)
        finally:
            self.at_once -= 1
        if answer.status == 200:
            self.answered[digest] += 1
        self.statuses[str(answer.status)] += 1
        return answer

    async def _by_plan(self, request: web.Request, body: dict[str, Any]) -> web.Response:
        drawn = self._random.random()
        for misbehave, share in self.shares.items():
            drawn -= share
            if drawn < 0:
                self.statuses[misbehave.__name__.strip("_")] += 1
                return await misbehave(request, body)
        return self.completion(body)

    def completion(self, body: dict[str, Any], **message: Any) -> web.Response:
        """A well-formed reply whose verdict depends on nothing but the request."""
        digest = hashlib.sha256(json.dumps(body["messages"]).encode()).digest()
        winner = ("A", "B", "Tie")[digest[0] % 3]
        content = json.dumps({"winner": winner, "reason": "Because."})
        reply = {
            "id": f"chat-{digest.hex()[:8]}",
            "model": f"{body['model']}-2026-01-01",
            "system_fingerprint": "fp_1",
            "choices": [{"message": {"role": "assistant", "content": content, **message}, "finish_reason": "stop"}],
        }
        if self.usage:
            reply["usage"] = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        return web.json_response(reply)

    async def _throttled(self, *_: Any) -> web.Response:
        error = {"error": {"message": "slow down", "code": "rate_limit_exceeded"}}
        return web.json_response(error, status=429, headers={"Retry-After": str(self.retry_after)})

    async def _failed(self, *_: Any) -> web.Response:
        return web.Response(status=500, text="oops")

    async def _hung(self, *_: Any) -> web.Response:
        await asyncio.sleep(3600)
        raise AssertionError

    async def _cut(self, request: web.Request, _: Any) -> web.Response:
        assert request.transport is not None
        request.transport.abort()
        return web.Response(status=599)

    async def _garbled(self, *_: Any) -> web.Response:
        return web.Response(status=200, text='{"choices": [{"mess', content_type="application/json")

    async def _refused(self, _: Any, body: dict[str, Any]) -> web.Response:
        return self.completion(body, content=None, refusal="I will not judge this.")
