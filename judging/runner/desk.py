"""One thread does all the database work, so that the event loop never waits for a disk: the thread that started it."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")
_Order = tuple["Future[Any]", Callable[[], Any]]


class Desk:
    """Runs a coroutine on an event loop in a thread of its own, and serves its database calls in the caller's thread.

    The caller's connection is used, so that a run inside a test's transaction sees and is seen as it should.
    """

    def __init__(self) -> None:
        self._orders: queue.SimpleQueue[_Order | None] = queue.SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def do(self, work: Callable[..., T], *args: Any, **options: Any) -> T:
        """Have ``work`` done in the caller's thread; for the coroutine."""
        answer: Future[T] = Future()
        self._orders.put((answer, lambda: work(*args, **options)))
        return await asyncio.wrap_future(answer)

    def call_soon(self, what: Callable[[], None]) -> None:
        """Have ``what`` run on the event loop; for signal handlers and other threads."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(what)

    def run(self, main: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run ``main()`` to its end and return what it returns."""
        outcome: Future[T] = Future()
        thread = threading.Thread(target=self._run_loop, args=(main, outcome), name="judging-loop", daemon=True)
        thread.start()
        while (order := self._orders.get()) is not None:
            answer, work = order
            try:
                answer.set_result(work())
            except BaseException as error:
                answer.set_exception(error)
        thread.join()
        return outcome.result()

    def _run_loop(self, main: Callable[[], Coroutine[Any, Any, T]], outcome: Future[T]) -> None:
        try:
            with asyncio.Runner() as runner:
                self._loop = runner.get_loop()
                outcome.set_result(runner.run(main()))
        except BaseException as error:
            outcome.set_exception(error)
        finally:
            self._orders.put(None)
