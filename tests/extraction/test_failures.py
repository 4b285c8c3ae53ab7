"""Which failures pass by themselves, and how long to wait for it."""

from __future__ import annotations

import asyncio

import pytest

from prme.errors import ExtractionError
from prme.extraction.failures import InvalidExtractionError, TransientExtractionError, is_transient, retry_after


class StatusError(Exception):
    """Looks like the errors of HTTP clients."""

    def __init__(self, status_code: object) -> None:
        super().__init__(status_code)
        self.status_code = status_code


@pytest.mark.parametrize(
    "error",
    [
        TransientExtractionError("busy"),
        TimeoutError(),
        ConnectionResetError(),
        ConnectionRefusedError(),
        *(StatusError(status) for status in (408, 409, 429, 500, 502, 503, 529, 599)),
    ],
    ids=repr,
)
def test_what_may_pass_is_transient(error: Exception):
    assert is_transient(error) is True


@pytest.mark.parametrize(
    "error",
    [
        ExtractionError("no", reason_code="no"),
        InvalidExtractionError("no"),
        ValueError("no"),
        FileNotFoundError("no"),
        asyncio.CancelledError(),
        *(StatusError(status) for status in (200, 400, 401, 403, 404, 422, 499, 600, "503", None)),
    ],
    ids=repr,
)
def test_what_will_fail_again_is_not(error: BaseException):
    assert is_transient(error) is False


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        (TransientExtractionError("busy", retry_after=7.5), 7.5),
        (TransientExtractionError("busy"), 0.0),
        (TransientExtractionError("busy", retry_after=-3), 0.0),
        (TransientExtractionError("busy", retry_after=float("nan")), 0.0),
        (TimeoutError(), 0.0),
    ],
)
def test_the_wait_is_what_the_server_asked_for(error: Exception, seconds: float):
    assert retry_after(error) == seconds


def test_both_failures_carry_a_reason_code():
    assert TransientExtractionError("busy").reason_code == "extractor_unavailable"
    assert TransientExtractionError("busy", reason_code="rate_limited").reason_code == "rate_limited"
    assert InvalidExtractionError("no JSON").reason_code == "invalid_extraction"
