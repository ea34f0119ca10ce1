"""A well-behaved chat endpoint on loopback, in a process of its own so that its work is not counted.

python -m benchmarks.mock_endpoint LATENCY_MS    # prints its port, then serves until it is ended
"""

from __future__ import annotations

import asyncio
import json
import sys

from aiohttp import web

REPLY = json.dumps(
    {
        "id": "mock",
        "model": "mock",
        "choices": [
            {
                "message": {"role": "assistant", "content": json.dumps({"winner": "A", "reason": "It says more."})},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 1200, "completion_tokens": 20, "total_tokens": 1220},
    }
).encode()


async def serve(latency: float) -> None:
    async def answer(request: web.Request) -> web.Response:
        await request.read()
        await asyncio.sleep(latency)
        return web.Response(body=REPLY, content_type="application/json")

    app = web.Application()
    app.router.add_post("/v1/chat/completions", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, backlog=1024)
    await site.start()
    print(site._server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]) / 1000))
