"""The event loop's part of a run: comparisons step through their protocols, requests fly, blocks are committed."""

from __future__ import annotations

import asyncio
import heapq
import time
from collections import deque
from collections.abc import Callable
from itertools import count

from django.utils import timezone

from judging.enums import AttemptState, RunState
from judging.models import Run
from judging.protocols.comparison import Done, Reply, StageRequest
from judging.runner import claims, journal
from judging.runner.crew import NOT_SENT, Crew
from judging.runner.desk import Desk
from judging.runner.in_process import answer_here
from judging.runner.jobs import Answered, Attempted, Flight, Job, make_flight
from judging.runner.loading import Loader
from judging.runner.retrying import may_retry, wait_before_retry
from judging.runner.sending import Outcome, Sender
from judging.runner.spending import Spend, used
from judging.runner.tally import Limits, Tally

#: A reply waits at most this long, in seconds, before its block is committed; the commit itself comes on top.
FLUSH_SECONDS = 0.02
#: Attempts written down ahead, as a share of the hands: they go out while the next block is being committed.
AHEAD = 1.5
#: Comparisons in hand at once: enough that a block of in-process answers is worth its transaction.
HANDFUL = 400
#: How long, in seconds, before asking again for a call that another worker has in flight.
BUSY_SECONDS = 0.25
POLL_SECONDS = 1.0


class Pipeline:
    """One worker's stretch of work on one run. ``work`` returns why it ended: a RunState, or '' at a limit."""

    def __init__(
        self,
        *,
        run: Run,
        worker: str,
        desk: Desk,
        loader: Loader,
        sender: Sender,
        limits: Limits,
        on_progress: Callable[[Tally], None] | None = None,
    ) -> None:
        self.run = run
        self.worker = worker
        self.desk = desk
        self.loader = loader
        self.sender = sender
        self.limits = limits
        self.on_progress = on_progress
        self.tally = Tally(spent=Spend.of(run))
        self.crew = Crew(sender, hands=0, landed=self._landed)
        self.stopping = ""
        self.stop_reason = ""
        self._jobs: dict[int, int] = {}  # comparison -> requests it waits for
        self._steps: deque[Job] = deque()
        self._flying: dict[str, Flight] = {}
        self._wanted: deque[Flight] = deque()
        self._instant: deque[Flight] = deque()
        self._unpaid: list[Flight] = []
        self._later: list[tuple[float, int, Flight]] = []
        self._order = count()
        self._block = journal.Block()
        self._news = asyncio.Event()
        self._cursor = 0
        self._taken = 0
        self._at_end = False
        self._exhausted = False
        self._started = self._renewed = self._polled = time.monotonic()

    def stop(self, state: str, reason: str = "") -> None:
        """Send nothing more; what is in flight is waited for. Call it on the event loop."""
        if not self.stopping:
            self.stopping, self.stop_reason = state, reason
            self.crew.stop()
            self._news.set()

    async def work(self) -> str:
        """Until everything is done, or something stops it; the state to leave the run in, '' where nothing stopped."""
        hands = self.run.concurrency if self.loader.sends else 0
        async with self.sender, Crew(self.sender, hands=hands, landed=self._landed) as self.crew:
            while not self._ended():
                await self._turn()
        self.tally.sent = self.crew.sent
        return self.stopping

    def _ended(self) -> bool:
        idle = not (self._flying or self._steps or self._block)
        return idle and (bool(self.stopping) or (self._exhausted and not self._jobs))

    async def _turn(self) -> None:
        """One round: take on work, let it step, commit, send; then wait for news where nothing moved."""
        await self._take_on()
        self._step_all()
        self._due()
        if self.stopping:
            self._drop_unsent()
        self._load_block()
        if self._block:
            block, self._block = self._block, journal.Block()
            self._absorb(await self.desk.do(journal.commit, block, run_id=self.run.pk, worker=self.worker))
            self._report()
        await self._wait()
        await self._keep_hold()
        self.crew.raise_if_broken()

    # Taking on

    async def _take_on(self) -> None:
        if self.stopping or self._exhausted or self._unpaid:
            return
        if self._over_limits():
            self._exhausted = True
            return
        if self._at_end:
            if not self._jobs:
                await self._look_for_leftovers()
            return
        room = self._window() - len(self._jobs)
        if room < self._window() // 2:
            return
        if self.limits.comparisons is not None:
            room = min(room, self.limits.comparisons - self._taken)
        jobs, cursor = await self.desk.do(
            self.loader.claim, run=self.run, worker=self.worker, limit=room, after=self._cursor
        )
        self._at_end = cursor == self._cursor
        self._cursor = cursor
        self._taken += len(jobs)
        for job in jobs:
            self._jobs[job.comparison_id] = 0
            self._steps.append(job)

    async def _look_for_leftovers(self) -> None:
        """The end of the plan is reached: take back what the dead left, and wait for what the living hold."""
        left = await self.desk.do(self.loader.leftovers, run=self.run)
        if left.open:
            self._cursor, self._at_end = 0, False
        elif not left.held or not self.limits.wait_for_others:
            self._exhausted = True
        if left.held and not self._exhausted:
            await asyncio.sleep(BUSY_SECONDS)
            await self._poll()

    def _window(self) -> int:
        # Enough comparisons that no hand is ever idle, few enough that the first pairs are finished first.
        return max(HANDFUL if self.loader.answers_here else 0, 4 * self.crew.hands)

    def _over_limits(self) -> bool:
        taken = self.limits.comparisons is not None and self._taken >= self.limits.comparisons
        late = self.limits.seconds is not None and time.monotonic() - self._started > self.limits.seconds
        return taken or late

    # Stepping

    def _step_all(self) -> None:
        while self._steps:
            job = self._steps.popleft()
            step = None if job.error else job.step()
            if step is None or isinstance(step, Done):
                self._block.finished.append((job, step))
                self._count(job, step)
                continue
            self._jobs[job.comparison_id] = len(step.requests)
            for request in step.requests:
                self._want(job, request)

    def _want(self, job: Job, request: StageRequest) -> None:
        flight = make_flight(job, request, study_id=self.run.study_id)
        flying = self._flying.get(flight.key)
        if flying is not None:
            flying.waiting += flight.waiting
            return
        self._flying[flight.key] = flight
        if job.asked.in_process:
            flight.instant = answer_here(job, request)
            self._instant.append(flight)
        else:
            self._wanted.append(flight)

    def _count(self, job: Job, done: Done | None) -> None:
        self._jobs.pop(job.comparison_id)
        self.tally.done += done is not None
        self.tally.failed += done is None
        for reading in done.readings if done else ():
            name = str(reading.outcome)
            self.tally.outcomes[name] = self.tally.outcomes.get(name, 0) + 1
        if done is None:
            self.tally.outcomes["error"] = self.tally.outcomes.get("error", 0) + 1

    # Committing

    def _load_block(self) -> None:
        """Ask for as many attempts as hands will soon be free for; answers from this process need no hands."""
        block = self._block
        block.wanted += self._instant
        self._instant.clear()
        if self._unpaid and not self.crew.in_air:
            block.wanted += self._unpaid
            self._unpaid = []
        room = (1 + AHEAD) * self.crew.hands - self.crew.in_air
        while self._wanted and room > 0 and not self._unpaid:
            block.wanted.append(self._wanted.popleft())
            room -= 1

    def _absorb(self, result: journal.Journalled) -> None:
        self.tally.spent = result.spent
        if result.state != RunState.RUNNING:
            self.stop(result.state)
        for flight in result.cleared:
            if flight.instant is not None:
                self._deliver(flight, self._answered(flight, flight.instant))
            else:
                self.crew.hand_over(flight)
        for flight, answered in result.found:
            self.tally.reused += 1
            self._deliver(flight, answered)
        for flight in result.busy:
            self._come_back(flight, BUSY_SECONDS)
        if result.held_until is not None:
            wait = max(0.0, (result.held_until - timezone.now()).total_seconds())
            for flight in result.held:
                self._come_back(flight, wait + 0.01)
        self._unpaid += result.unpaid
        if result.over_budget and not self.crew.in_air and not result.cleared and not result.found:
            self.stop(RunState.STOPPED, f"The next call does not fit the budget in {result.over_budget}.")

    def _come_back(self, flight: Flight, seconds: float) -> None:
        heapq.heappush(self._later, (time.monotonic() + seconds, next(self._order), flight))

    def _due(self) -> None:
        now = time.monotonic()
        while self._later and (self._later[0][0] <= now or self.stopping):
            flight = heapq.heappop(self._later)[2]
            # Before all others: its comparison is the furthest on.
            (self._instant if flight.instant is not None else self._wanted).appendleft(flight)

    # Landing

    def _landed(self, flight: Flight, outcome: Outcome) -> None:
        """What a hand brings back is worked off at once: the next block finds it ready."""
        self._touch_down(flight, outcome)
        self._step_all()
        self._news.set()

    def _touch_down(self, flight: Flight, outcome: Outcome) -> None:
        ended = outcome.ended
        if outcome.fatal:
            self.stop(RunState.FAILED, outcome.fatal)
        setback = outcome.setback
        again = setback is not None and may_retry(flight, setback)
        if setback is not None and not again:
            ended = outcome.given_up()
        self._block.ended.append((flight, ended))
        if outcome.pause:
            self._block.pauses.append((flight.asked.bucket, ended.finished_at + outcome.pause))
        if ended.state == AttemptState.OK:
            self._deliver(flight, self._answered(flight, ended, outcome.reply))
        elif again and setback is not None:
            self._come_back(flight, wait_before_retry(flight, setback))
        elif ended.error_code == NOT_SENT or outcome.fatal:
            self._abandon(flight)
        else:
            self._deliver(flight, Answered(call_id=flight.call_id, reply=None, error=ended.error_code))

    def _answered(self, flight: Flight, ended: Attempted, reply: Reply | None = None) -> Answered:
        told = ended.prompt_tokens is not None and ended.completion_tokens is not None
        if reply is None:
            text = (ended.reply or b"").decode("utf-8", "replace")
            reply = Reply(text=text, finish_reason=ended.finish_reason or None)
        return Answered(
            call_id=flight.call_id,
            reply=reply,
            prompt_tokens=ended.prompt_tokens,
            completion_tokens=ended.completion_tokens,
            usd_nano=used(flight, ended).usd_nano if told and flight.asked.price is not None else None,
            latency_ms=ended.latency_ms,
            model_returned=ended.model_returned,
            snapshot=ended.snapshot,
            called_at=flight.started_at,
        )

    def _deliver(self, flight: Flight, answered: Answered) -> None:
        del self._flying[flight.key]
        for job, key in flight.waiting:
            job.take(key, answered)
            self._block.uses.append((job.comparison_id, key.stage, key.phase, answered.call_id))
            self._jobs[job.comparison_id] -= 1
            if not self._jobs[job.comparison_id]:
                self._steps.append(job)

    def _abandon(self, flight: Flight) -> None:
        """Stopping: its comparisons stay open, for whoever resumes the run."""
        del self._flying[flight.key]

    def _drop_unsent(self) -> None:
        for flight in (*self._wanted, *self._instant, *self._unpaid):
            self._abandon(flight)
        self._wanted.clear()
        self._instant.clear()
        self._unpaid.clear()

    # Waiting

    async def _wait(self) -> None:
        """Until there is something to commit or something is due; then a moment longer, to make the block worth it."""
        if self._steps or self._instant:
            return
        if not self._something_to_commit():
            if not self._flying:
                return
            self._news.clear()
            pause = POLL_SECONDS
            if self._later:
                pause = min(pause, max(0.0, self._later[0][0] - time.monotonic()))
            try:
                await asyncio.wait_for(self._news.wait(), timeout=pause)
            except TimeoutError:
                await self._poll()
                return
        if self.crew.hands and not self.stopping:
            await asyncio.sleep(FLUSH_SECONDS)

    def _something_to_commit(self) -> bool:
        room = self.crew.in_air < (1 + AHEAD) * self.crew.hands
        return bool(self._block) or (bool(self._wanted) and room and not self._unpaid)

    async def _keep_hold(self) -> None:
        if time.monotonic() - self._renewed > claims.LEASE.total_seconds() / 3:
            self._renewed = time.monotonic()
            await self.desk.do(claims.renew, worker=self.worker)

    async def _poll(self) -> None:
        """Notice a pause or an end that somebody else declared while nothing was being committed."""
        if time.monotonic() - self._polled < POLL_SECONDS:
            return
        self._polled = time.monotonic()
        state = await self.desk.do(self.loader.state_of, run=self.run)
        if state != RunState.RUNNING:
            self.stop(state)

    def _report(self) -> None:
        if self.on_progress is not None:
            self.on_progress(self.tally)
