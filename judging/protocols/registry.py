"""Every protocol there is. A new one is a file here, a prompt folder with a card, and one line in this list."""

from __future__ import annotations

from judging.errors import UnknownProtocol
from judging.protocols.cue_baseline import CUE_BASELINE
from judging.protocols.evidence_lock import EVIDENCE_LOCK
from judging.protocols.ladder import LADDER
from judging.protocols.likert import LIKERT
from judging.protocols.lock_answers import LOCK_ANSWERS
from judging.protocols.lock_context import LOCK_CONTEXT
from judging.protocols.lock_source import LOCK_SOURCE
from judging.protocols.pbp import PBP
from judging.protocols.pointwise_lock import POINTWISE_LOCK
from judging.protocols.scot import SCOT
from judging.protocols.stages import Protocol
from judging.protocols.standard import STANDARD
from judging.protocols.structured import STRUCTURED
from judging.protocols.trace_ablations import TRACE_ABLATIONS
from judging.protocols.trace_v1 import TRACE_V1
from judging.protocols.trace_v2 import TRACE_V2
from judging.protocols.unsupported_claims import UNSUPPORTED_CLAIMS

PROTOCOLS: tuple[Protocol, ...] = (
    LADDER,
    TRACE_V1,
    TRACE_V2,
    CUE_BASELINE,
    SCOT,
    PBP,
    LIKERT,
    STANDARD,
    STRUCTURED,
    EVIDENCE_LOCK,
    POINTWISE_LOCK,
    LOCK_SOURCE,
    LOCK_CONTEXT,
    LOCK_ANSWERS,
    UNSUPPORTED_CLAIMS,
    *TRACE_ABLATIONS,
)


def get_protocol(name: str, version: str = "") -> Protocol:
    """The protocol of that name. ``version`` guards stored work: one that is no longer current is not run again.

    Raises UnknownProtocol.
    """
    found = next((protocol for protocol in PROTOCOLS if protocol.name == name), None)
    if found is None:
        names = ", ".join(protocol.name for protocol in PROTOCOLS)
        raise UnknownProtocol(f"There is no protocol {name!r}. Known: {names}.")
    if version and found.version != version:
        raise UnknownProtocol(f"Protocol {name} is at version {found.version}; version {version} can no longer be run.")
    return found
