"""What the errors of both SDKs mean here: passing, final, or an answer that cannot be read; no provider's words."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from types import ModuleType
from typing import Any

from prme.errors import ExtractionError
from prme.extraction.failures import TIMEOUT, InvalidExtractionError, TransientExtractionError, is_transient

RATE_LIMITED = "rate_limited"
NOT_AUTHORISED = "not_authorised"
UNKNOWN_MODEL = "unknown_model"
MESSAGE_TOO_LONG = "message_too_long"
REQUEST_REFUSED = "request_refused"

_FINAL = {401: NOT_AUTHORISED, 403: NOT_AUTHORISED, 404: UNKNOWN_MODEL, 413: MESSAGE_TOO_LONG}
_LONGEST_WAIT_SECONDS = 3_600.0


def extraction_failure(error: Exception, sdk: ModuleType) -> ExtractionError:
    """Return the failure that an error of an SDK stands for; `sdk` is the module that defines its classes."""
    if isinstance(error, sdk.APITimeoutError):
        return TransientExtractionError("the model did not answer in time", reason_code=TIMEOUT)
    if isinstance(error, sdk.APIConnectionError):
        return TransientExtractionError("the model cannot be reached")
    if isinstance(error, sdk.APIStatusError):
        return _status_failure(error.status_code, error, error.response.headers)
    return InvalidExtractionError("the server's response is not what its protocol says")


def requested_wait(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds a response asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date.

    A date is compared with the response's own, so that no clock has to agree with the server's.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return _bounded(milliseconds / 1000)
    text = headers.get("retry-after")
    seconds = _number(text)
    if seconds is not None:
        return _bounded(seconds)
    try:
        until, now = (parsedate_to_datetime(value) for value in (text or "", headers.get("date") or ""))
        return _bounded((until - now).total_seconds())
    except (TypeError, ValueError):
        return None


def _status_failure(status: int, error: Any, headers: Mapping[str, str]) -> ExtractionError:
    if is_transient(error):
        wait = requested_wait(headers)
        if status == 429:
            return TransientExtractionError(
                "the model has too many requests", retry_after=wait, reason_code=RATE_LIMITED
            )
        return TransientExtractionError(f"the model answered with HTTP status {status}", retry_after=wait)
    return ExtractionError(
        f"the model refused the request with HTTP status {status}", reason_code=_FINAL.get(status, REQUEST_REFUSED)
    )


def _number(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None


def _bounded(seconds: float) -> float:
    # `max` with 0 first also turns NaN into 0.
    return min(max(0.0, seconds), _LONGEST_WAIT_SECONDS)
