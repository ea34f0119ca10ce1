"""Driving a run: ``run_to_end`` in one process, ``run_block`` for one of several workers."""

from judging.runner.driving import RunReport, run_block, run_to_end
from judging.runner.tally import Tally

__all__ = ["RunReport", "Tally", "run_block", "run_to_end"]
