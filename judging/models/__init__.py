"""The tables of the judges' part, described on one page in docs/data_model.md."""

from judging.models.calls import Attempt, Call, CallUse, Payload
from judging.models.judges import Judge
from judging.models.limits import RateBucket
from judging.models.runs import Comparison, Condition, Run, RunComparison
from judging.models.verdicts import Reading, Verdict

__all__ = [
    "Attempt",
    "Call",
    "CallUse",
    "Comparison",
    "Condition",
    "Judge",
    "Payload",
    "RateBucket",
    "Reading",
    "Run",
    "RunComparison",
    "Verdict",
]
