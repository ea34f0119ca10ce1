"""One stretch of work on a run, from its start to the state it leaves the run in."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from judging.enums import RunState
from judging.models import Run
from judging.runner import claims
from judging.runner.desk import Desk
from judging.runner.journal import HoldLost
from judging.runner.loading import Loader
from judging.runner.pipeline import Pipeline
from judging.runner.sending import Sender
from judging.runner.tally import Limits, Tally
from judging.runner.workers import new_worker_name
from judging.steps.run import begin, finish

BLOCK_COMPARISONS = 500
BLOCK_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class RunReport:
    """How a stretch of work ended: the run's state now, why it stopped, and what was done in it."""

    state: str
    reason: str = ""
    tally: Tally = field(default_factory=Tally)

    @property
    def ended(self) -> bool:
        """Whether nothing is left that could go on by itself."""
        return self.state not in (RunState.RUNNING, RunState.QUEUED)


def run_to_end(
    run: Run,
    *,
    retry_failed: bool = True,
    on_progress: Callable[[Tally], None] | None = None,
    stop_on_signals: bool = False,
) -> RunReport:
    """Ask everything the run still wants and return when it is done, stopped, paused or failed.

    A run that was paused, stopped or killed goes on from what is stored; ``retry_failed`` also asks failed
    comparisons again. With ``stop_on_signals`` (main thread only) an interrupt pauses the run once what is in flight
    has landed. ``on_progress`` is called on the event loop's thread and must not touch the database. Raises Refused
    before anything is sent: a cancelled run, a missing key, an address not allowed.
    """
    check_askable(run)
    begin(run=run, retry_failed=retry_failed)
    return _work(run, Limits(), on_progress=on_progress, stop_on_signals=stop_on_signals)


def run_block(run: Run, *, comparisons: int = BLOCK_COMPARISONS, seconds: float = BLOCK_SECONDS) -> RunReport:
    """Ask up to ``comparisons`` of a run that others may work on too. Does nothing unless it is queued or running."""
    run.refresh_from_db()
    if run.state not in (RunState.QUEUED, RunState.RUNNING):
        return RunReport(run.state, run.stop_reason)
    check_askable(run)
    begin(run=run, retry_failed=False)
    return _work(run, Limits(comparisons, seconds, wait_for_others=False))


def check_askable(run: Run) -> None:
    """Raise Refused where a judge of the run cannot be asked here and now: a missing key, an address not allowed."""
    Sender(Loader(run).asked)


def _work(
    run: Run,
    limits: Limits,
    *,
    on_progress: Callable[[Tally], None] | None = None,
    stop_on_signals: bool = False,
) -> RunReport:
    loader = Loader(run)
    while True:
        worker = new_worker_name()
        desk = Desk()
        pipeline = Pipeline(
            run=run,
            worker=worker,
            desk=desk,
            loader=loader,
            sender=Sender(loader.asked),
            limits=limits,
            on_progress=on_progress,
        )
        try:
            with _stopping(desk, pipeline) if stop_on_signals else _not_stopping():
                stopped = desk.run(pipeline.work)
            break
        except HoldLost:
            continue
        finally:
            claims.release(worker=worker)
    state = finish(run=run, stopped=stopped, reason=pipeline.stop_reason)
    return RunReport(state, pipeline.stop_reason, pipeline.tally)


@contextmanager
def _not_stopping() -> Iterator[None]:
    yield


@contextmanager
def _stopping(desk: Desk, pipeline: Pipeline) -> Iterator[None]:
    """While inside, the first interrupt or termination pauses the run; a second one interrupts as usual."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def pause(number: int, _: FrameType | None) -> None:
        for each, handler in before.items():
            signal.signal(each, handler)
        name = signal.Signals(number).name
        desk.call_soon(lambda: pipeline.stop(RunState.PAUSED, f"Paused by {name}."))

    try:
        for number in before:
            signal.signal(number, pause)
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
