"""A judge's votes in the shape of MT-Bench's human ones, as verdicts; both orders were combined before publication.

Keys as ``annotation.formats.mtbench`` reads them, which does the reading here: judge, model_a, model_b, winner.
"""

from __future__ import annotations

from annotation.formats import mtbench
from annotation.formats.first_second import FIRST, SECOND, TIE
from annotation.formats.source import Sample, Source
from annotation.records import LabelRecord, Oddity
from judging.formats.registry import VerdictFormat, VerdictRows
from judging.records import VerdictRecord

PROTOCOL = "published"
_WINNERS = {FIRST: "A", SECOND: "B", TIE: "Tie"}


def read(source: Source) -> VerdictRows:
    """One verdict a vote, without order."""
    for record in mtbench.read_labels(source):
        if isinstance(record, LabelRecord):
            yield VerdictRecord(
                pair_id=record.pair_id,
                judge=record.annotator,
                protocol=PROTOCOL,
                outcome="decided",
                winner=_WINNERS[str(record.label)],
                source="replay",
                row=record.row,
            )
        elif isinstance(record, Oddity):
            yield record


def _recognises(sample: Sample) -> bool:
    return sample.has("question_id", "model_a", "model_b", "winner", "judge")


FORMAT = VerdictFormat(name="mtbench_votes", words="MT-Bench votes of a judge", recognises=_recognises, read=read)
