"""The two failures an extractor may name, and which others pass by themselves."""

from __future__ import annotations

from prme.errors import ExtractionError

UNAVAILABLE = "extractor_unavailable"
TIMEOUT = "extractor_timeout"
INVALID = "invalid_extraction"
FAULT = "extractor_error"

_TRANSIENT_STATUSES = frozenset({408, 409, 429})


class TransientExtractionError(ExtractionError):
    """The extractor could not be asked now: a timeout, a lost connection, a rate limit, an overloaded server.

    `retry_after` is the number of seconds the server asked to wait, if it did.
    """

    def __init__(self, message: str, *, retry_after: float | None = None, reason_code: str = UNAVAILABLE) -> None:
        super().__init__(message, reason_code=reason_code)
        self.retry_after = retry_after


class InvalidExtractionError(ExtractionError):
    """The model's answer cannot be read as an extraction.

    The message says what is wrong with it; the extractor finds it as `request.validation_error` when asked again.
    """

    def __init__(self, message: str, *, reason_code: str = INVALID) -> None:
        super().__init__(message, reason_code=reason_code)


def is_transient(error: BaseException) -> bool:
    """Whether asking again later may help: timeouts, connections, and HTTP 408, 409, 429 and 5xx (529 is overloaded).

    Errors of HTTP clients are known by their integer `status_code`.
    """
    if isinstance(error, TransientExtractionError | TimeoutError | ConnectionError):
        return True
    status = getattr(error, "status_code", None)
    return isinstance(status, int) and (status in _TRANSIENT_STATUSES or 500 <= status <= 599)


def retry_after(error: BaseException) -> float:
    """Return how many seconds the server asked to wait, 0 when it did not."""
    seconds = error.retry_after if isinstance(error, TransientExtractionError) else None
    # `max` with 0 first also turns NaN into 0.
    return 0.0 if seconds is None else max(0.0, seconds)
