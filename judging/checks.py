"""System checks: what must hold before anything is asked. Run by every management command."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage, Error

from judging.protocols.lock import check_lock
from judging.protocols.registry import PROTOCOLS


def protocols_are_as_locked(**_: Any) -> list[CheckMessage]:
    """judging.E001: a protocol whose content is not the one its version was locked with."""
    return [Error(problem.message, id="judging.E001") for problem in check_lock(PROTOCOLS)]
