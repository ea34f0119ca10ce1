"""The tables of the judges' part, described on one page in docs/data_model.md."""

from judging.models.calls import Attempt, Call, Payload
from judging.models.judges import Judge
from judging.models.runs import Comparison, Condition, Run
from judging.models.verdicts import Reading, Verdict

__all__ = ["Attempt", "Call", "Comparison", "Condition", "Judge", "Payload", "Reading", "Run", "Verdict"]
