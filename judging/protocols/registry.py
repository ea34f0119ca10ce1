"""Every protocol there is. A new one is a file here, a prompt folder with a card, and one line in this list."""

from __future__ import annotations

from judging.errors import UnknownProtocol
from judging.protocols.ladder import LADDER
from judging.protocols.stages import Protocol
from judging.protocols.trace_v1 import TRACE_V1
from judging.protocols.trace_v2 import TRACE_V2

PROTOCOLS: tuple[Protocol, ...] = (
    LADDER,
    TRACE_V1,
    TRACE_V2,
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
