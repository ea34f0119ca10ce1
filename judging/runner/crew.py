"""The hands that send: as many as the run allows in flight at once, each with one request at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from types import TracebackType

from django.utils import timezone

from judging.enums import AttemptState
from judging.runner.jobs import Attempted, Flight
from judging.runner.sending import Outcome, Sender

NOT_SENT = "not_sent"
#: How often, in seconds, a hand that waits for a pause to end looks whether the work was stopped.
LOOK_UP_SECONDS = 0.25


class Crew:
    """Takes flights that are written down, sends each once, and hands every outcome to ``landed``."""

    def __init__(self, sender: Sender, *, hands: int, landed: Callable[[Flight, Outcome], None]) -> None:
        self.hands = hands
        #: Flights handed over and not landed yet, sent or not.
        self.in_air = 0
        self.sent = 0
        self._sender = sender
        self._landed = landed
        self._ready: asyncio.Queue[Flight] = asyncio.Queue()
        self._paused: dict[str, float] = {}  # bucket -> when it may be used again, on the monotonic clock
        self._stopped = False
        self._tasks: list[asyncio.Task[None]] = []
        self._broken: BaseException | None = None

    async def __aenter__(self) -> Crew:
        self._tasks = [asyncio.create_task(self._work()) for _ in range(self.hands)]
        for task in self._tasks:
            task.add_done_callback(self._hand_ended)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def hand_over(self, flight: Flight) -> None:
        self.in_air += 1
        self._ready.put_nowait(flight)

    def stop(self) -> None:
        """Let nothing more leave; what is in flight still lands, the rest lands as not sent."""
        self._stopped = True

    def raise_if_broken(self) -> None:
        """Raise what a hand fell over, so that nothing is hidden."""
        if self._broken is not None:
            raise self._broken

    async def _work(self) -> None:
        while True:
            flight = await self._ready.get()
            await self._heed_pause(flight.asked.bucket)
            if self._stopped:
                outcome = Outcome(not_sent())
            else:
                self.sent += 1
                outcome = await self._sender.send(flight)
                if outcome.pause:
                    self._paused[flight.asked.bucket] = time.monotonic() + outcome.pause.total_seconds()
            self.in_air -= 1
            self._landed(flight, outcome)

    async def _heed_pause(self, bucket: str) -> None:
        """What was written down before the pause was told waits here; what comes after waits for its bucket."""
        while not self._stopped and (left := self._paused.get(bucket, 0.0) - time.monotonic()) > 0:
            await asyncio.sleep(min(left, LOOK_UP_SECONDS))

    def _hand_ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._broken = error


def not_sent() -> Attempted:
    """The end of an attempt that was written down and then never left, because the run was stopped."""
    return Attempted(
        state=AttemptState.RETRIED.value,
        finished_at=timezone.now(),
        charged=False,
        error_code=NOT_SENT,
        error_detail="The run was stopped before this request left.",
    )
