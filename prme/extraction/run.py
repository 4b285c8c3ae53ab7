"""Asks an extractor: waits out passing failures, asks again about unreadable answers, and lets no provider text out."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from pydantic import ValidationError

from prme.errors import ExtractionError
from prme.extraction.answer import check_answer, storable, validation_report
from prme.extraction.failures import (
    FAULT,
    INVALID,
    TIMEOUT,
    UNAVAILABLE,
    InvalidExtractionError,
    is_transient,
    retry_after,
)
from prme.extraction.limits import DEFAULT_LIMITS, ExtractionLimits
from prme.extraction.protocol import Extractor, is_local
from prme.extraction.spending import record_call
from prme.model.extraction import Extraction, ExtractionRequest

if TYPE_CHECKING:
    from tenacity import RetryCallState
    from tenacity.wait import wait_base

T = TypeVar("T")
_REASON_CODE = re.compile(r"[a-z][a-z0-9_]{0,63}")


async def run_extractor(
    extractor: Extractor,
    request: ExtractionRequest,
    limits: ExtractionLimits = DEFAULT_LIMITS,
    *,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    monotonic: Callable[[], float] = time.monotonic,
    backoff: wait_base | None = None,
) -> Extraction:
    """Return a valid extraction for the request.

    A local extractor is asked once, since asking again could not change its answer; when it awaits nothing, neither
    does this call. `backoff` takes the place of the random waits.

    Raises `ExtractionError` with a reason code: `extractor_unavailable` or `extractor_timeout` (passing failures that
    did not pass), `invalid_extraction`, `extractor_error`, or the code that the extractor itself gave. Its text names
    the extractor and the class of the failure, never what a provider said. Cancellation passes through.
    """
    try:
        if is_local(extractor):
            return check_answer(await ask_once(extractor.extract(request)))
        asking = Asking(limits, sleep=sleep, monotonic=monotonic, backoff=backoff)
        return await _until_valid(extractor, request, asking)
    except Exception as error:
        failure = sanitised(extractor, error)
    # Raised out here: inside, the provider's error would stay attached as context.
    raise failure


class Asking:
    """One run of questions: its limits, its clock and when it began."""

    def __init__(
        self,
        limits: ExtractionLimits = DEFAULT_LIMITS,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        monotonic: Callable[[], float] = time.monotonic,
        backoff: wait_base | None = None,
    ) -> None:
        self.limits = limits
        self._sleep = sleep
        self._monotonic = monotonic
        self._backoff = backoff or _random_backoff(limits)
        self._deadline = monotonic() + limits.total_seconds

    async def until_answered(self, question: Callable[[], Awaitable[T]]) -> T:
        """Ask until there is an answer, or an error that waiting does not cure, or no time or try is left."""
        # Imported here: local extractors, the default, never need it.
        from tenacity import AsyncRetrying, retry_if_exception

        async def ask() -> T:
            record_call()
            async with asyncio.timeout(self._deadline - self._monotonic()):
                return await ask_once(question())

        retrying = AsyncRetrying(
            retry=retry_if_exception(is_transient),
            wait=self._wait,
            stop=self._is_spent,
            sleep=self._sleep,
            reraise=True,
        )
        return await retrying(ask)

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        return self._backoff(state) + (retry_after(error) if error else 0.0)

    def _is_spent(self, state: RetryCallState) -> bool:
        wakes_at = self._monotonic() + state.upcoming_sleep
        return state.attempt_number >= self.limits.tries or wakes_at >= self._deadline


async def _until_valid(extractor: Extractor, request: ExtractionRequest, asking: Asking) -> Extraction:
    for _ in range(asking.limits.re_asks):
        try:
            return await _answer(extractor, request, asking)
        except InvalidExtractionError as error:
            report = storable(str(error))
        except ValidationError as error:
            report = validation_report(error)
        request = request.model_copy(update={"validation_error": report})
    return await _answer(extractor, request, asking)


async def _answer(extractor: Extractor, request: ExtractionRequest, asking: Asking) -> Extraction:
    return check_answer(await asking.until_answered(lambda: extractor.extract(request)))


async def ask_once(question: Awaitable[T]) -> T:
    """Await an answer. What an extractor raises to end a program or a task ends neither: it is its failure.

    A real interrupt arrives in the main thread, a real cancellation is asked for from outside; both pass through.
    """
    try:
        return await question
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
    except KeyboardInterrupt:
        if threading.current_thread() is threading.main_thread():
            raise
    except SystemExit:
        pass
    raise ExtractionError("the extractor ended itself instead of answering", reason_code=FAULT)


def _random_backoff(limits: ExtractionLimits) -> wait_base:
    from tenacity import wait_random_exponential

    return wait_random_exponential(multiplier=limits.first_wait_seconds, max=limits.longest_wait_seconds)


def sanitised(extractor: Extractor, error: Exception) -> ExtractionError:
    """Return the failure as it may be stored and shown: who failed, how, and nothing that a provider said."""
    return ExtractionError(
        f"extractor {extractor.name!r} gave no usable answer ({type(error).__name__}); the event can be retried",
        reason_code=_reason_code(error),
    )


def _reason_code(error: Exception) -> str:
    if isinstance(error, ExtractionError):
        return error.reason_code if _REASON_CODE.fullmatch(error.reason_code) else FAULT
    if isinstance(error, ValidationError):
        return INVALID
    if isinstance(error, TimeoutError):
        return TIMEOUT
    return UNAVAILABLE if is_transient(error) else FAULT
