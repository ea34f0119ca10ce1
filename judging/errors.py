"""Errors of judging. Each says whether trying again can help."""

from __future__ import annotations

from annotation.errors import TiebreakError


class PromptError(TiebreakError):
    """A prompt file that is missing, unused, or whose placeholders do not match what its stage may see."""

    code = "bad_prompt"


class UnknownProtocol(TiebreakError):
    """No protocol of that name and version is registered."""

    code = "unknown_protocol"


class LockError(TiebreakError):
    """A protocol's content differs from what the lock file holds under the same version."""

    code = "protocol_changed"


class ProviderError(TiebreakError):
    """A call that failed. ``retry_after`` is the wait in seconds the endpoint asked for, if it did."""

    code = "provider_error"
    permanent = False

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        permanent: bool | None = None,
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, code=code, permanent=permanent)
        self.status = status
        self.retry_after = retry_after


class BudgetExhausted(TiebreakError):
    """The run's hard budget does not cover another call; the run stops cleanly and can be resumed."""

    code = "budget_exhausted"
