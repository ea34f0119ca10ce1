"""The closed vocabularies of judging, with the words shown for them. Imports nothing but ``Choice``."""

from __future__ import annotations

from annotation.enums import Choice


class Outcome(Choice):
    """What a comparison yielded in one phase. A winner is present exactly when the outcome is ``decided``."""

    DECIDED = "decided", "Decided"
    SCORED = "scored", "Scored"
    REFUSED = "refused", "Refused"
    UNPARSED = "unparsed", "Unparsed"
    ERROR = "error", "Error"


class Shown(Choice):
    """A verdict as the judge saw the pair; which role stood under A is the comparison's order."""

    A = "A", "A"
    B = "B", "B"
    TIE = "Tie", "Tie"


class Phase(Choice):
    """``only``, save under reveal-after, where a comparison has a verdict before and one after the reveal."""

    ONLY = "only", "Only"
    BEFORE = "before", "Before the reveal"
    AFTER = "after", "After the reveal"


class Probe(Choice):
    """Which non-evidential cue labels are displayed (CUE, section IV-B)."""

    BLIND = "blind", "Blind"
    TRUTH = "truth", "Truth"
    FLIP = "flip", "Flip"
    PLACEBO = "placebo", "Placebo"
    REVEAL_AFTER = "reveal_after", "Reveal after"


class Attack(Choice):
    """A style change to one candidate that leaves its content alone (CUE, section IV-E). '' is no attack."""

    NONE = "", "None"
    VERBOSITY = "verbosity", "Verbosity"
    CONFIDENCE = "confidence", "Confidence"


class ReplyStyle(Choice):
    """The channel in which a stage's reply is read; what stands elsewhere in the reply does not count."""

    JSON = "json", "JSON winner"
    BRACKETS = "brackets", "[[A]]"
    ARENA = "arena", "[[A>B]]"
    LINE = "line", "Winner line"
    SCORES = "scores", "Score pair"
    RECORD = "record", "JSON record"


#: The styles that carry a verdict, and so may be asked of the extractor.
VERDICT_STYLES = (ReplyStyle.JSON, ReplyStyle.BRACKETS, ReplyStyle.ARENA, ReplyStyle.LINE, ReplyStyle.SCORES)


class ProviderKind(Choice):
    OPENAI = "openai", "OpenAI-compatible chat"
    ANTHROPIC = "anthropic", "Anthropic messages"
    BASELINE = "baseline", "Baseline"
    SIMULATOR = "simulator", "Simulator"
    REPLAY = "replay", "Replay of a verdict file"


class RunState(Choice):
    PLANNED = "planned", "Planned"
    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    PAUSED = "paused", "Paused"
    STOPPED = "stopped", "Stopped at its budget"
    CANCELLED = "cancelled", "Cancelled"
    FAILED = "failed", "Failed"
    DONE = "done", "Done"


class ComparisonState(Choice):
    """A comparison is claimed by one worker at a time; a claim that outlives its time may be taken over."""

    PENDING = "pending", "Pending"
    CLAIMED = "claimed", "Claimed by a worker"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"


class CallState(Choice):
    """Where a call stands, as its attempts tell."""

    PENDING = "pending", "Not sent yet"
    IN_FLIGHT = "in_flight", "In flight"
    OK = "ok", "Answered"
    FAILED = "failed", "Failed"


class AttemptState(Choice):
    """An attempt is journalled before it is sent; one left in flight by a dead worker is lost."""

    IN_FLIGHT = "in_flight", "In flight"
    OK = "ok", "Answered"
    RETRIED = "retried", "Failed, tried again"
    FAILED = "failed", "Failed"
    LOST = "lost", "In flight when the worker died"


class VerdictSource(Choice):
    """Where a verdict comes from; only ``live`` is evidence about a model judge."""

    LIVE = "live", "Live judge"
    SIMULATED = "simulated", "Simulated"
    BASELINE = "baseline", "Baseline"
    REPLAY = "replay", "Replayed from a file"
    RULED = "ruled", "Ruled by a person"
